/** `deploy/fairway.service` and the exit codes of the server: the unit, the page and the program agree. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreDown, StoreUnavailable } from '../../src/app/ports/store.ts'
import { failureCode } from '../../src/cli/failure-line.ts'
import { BadSetting } from '../../src/core/operate/settings.ts'
import { readText } from '../helpers/deploy.ts'

const unit = readText('deploy/fairway.service')

/** The values of a directive that is not a comment. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, value = '']) => value.split(' '))

const [, section = ''] =
  /\n## Exit codes of the server\n([\s\S]*?)\n## /.exec(readText('docs/running.md')) ?? []
const rows = [...section.matchAll(/^\| (\d+) +\| .* \| (yes|no) +\|$/gm)].map(([, code, restarts]) => ({
  code: Number(code),
  isRestarted: restarts === 'yes',
}))

test('the page lists every exit code of the server', () => {
  const diskFailed = Number(/^const diskExitCode = (\d+)$/m.exec(readText('src/server.ts'))?.[1])
  const down = new StoreDown(new StoreUnavailable('away'), 60_000)
  const codes = [
    0,
    failureCode(new Error('any')),
    failureCode(down),
    diskFailed,
    failureCode(new BadSetting('A', 'b')),
  ]
  assert.deepEqual(codes, [0, 1, 69, 74, 78])
  assert.deepEqual(
    rows.map(({ code }) => code),
    codes,
  )
})

test('the unit starts the server again after those codes for which the page says so, and no other', () => {
  assert.deepEqual(valuesOf('Restart'), ['on-failure'])
  const prevented = valuesOf('RestartPreventExitStatus').map(Number)
  assert.deepEqual(
    rows.filter(({ isRestarted }) => !isRestarted).map(({ code }) => code),
    // A clean end is no failure.
    [0, ...prevented],
  )
})
