/** Whether to paint: NO_COLOR, FORCE_COLOR, terminals and what is none. */

import { test } from 'node:test'
import { hasColour } from '../../src/adapters/terminal.ts'
import { check } from '../helpers/check.ts'

test('colour is for terminals, unless the environment says otherwise; whoever wants none comes first', () => {
  check<[Record<string, string>, boolean], boolean>(
    [
      [[{}, true], true],
      [[{}, false], false],
      [[{ NO_COLOR: '1' }, true], false],
      [[{ NO_COLOR: 'false' }, true], false],
      [[{ NO_COLOR: '' }, true], true],
      [[{ FORCE_COLOR: '1' }, false], true],
      [[{ FORCE_COLOR: '0' }, true], false],
      [[{ FORCE_COLOR: '' }, false], false],
      [[{ NO_COLOR: '1', FORCE_COLOR: '1' }, true], false],
      [[{ TERM: 'dumb' }, true], false],
    ],
    ([environment, isTerminal]) => hasColour(environment, isTerminal),
  )
})
