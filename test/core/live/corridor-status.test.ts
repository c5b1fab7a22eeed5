/** The announced status of a corridor or partner: a flapping one changes nothing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStatus, nextStatus, type LiveStatus } from '../../../src/core/live/corridor-status.ts'
import { check } from '../../helpers/check.ts'
import fc from '../../helpers/fast-check.ts'

const letters: Readonly<Record<string, LiveStatus>> = { o: 'OPERATIONAL', i: 'IMPAIRED', c: 'CLOSED' }

/** The announced status after each observation. */
function announced(observed: string): string {
  let state = firstStatus(0)
  let shown = ''
  for (const [place, letter] of observed.split('').entries()) {
    state = nextStatus(state, letters[letter] ?? 'CLOSED', place + 1)
    shown += state.status.charAt(0).toLowerCase()
  }
  return shown
}

test('impaired after two turns in a row, well again after three, closed and opened at once', () => {
  check<string, string>(
    [
      ['oooo', 'oooo'],
      ['i', 'o'],
      ['ii', 'oi'],
      ['ioioioio', 'oooooooo'],
      ['iioo', 'oiii'],
      ['iiooo', 'oiiio'],
      ['iioioioo', 'oiiiiiii'],
      ['c', 'c'],
      ['occo', 'occo'],
      ['occi', 'occi'],
      ['iicoi', 'oicoo'],
    ],
    announced,
  )
})

test('whatever is seen, a change of status is at least two turns from an impairment and three from a recovery', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('o', 'i'), { maxLength: 200 }), (observed) => {
      const text = observed.join('')
      const shown = announced(text)
      for (let place = 1; place < shown.length; place += 1) {
        if (shown[place] === shown[place - 1]) continue
        const needed = shown[place] === 'i' ? 'ii' : 'ooo'
        assert.ok(text.slice(0, place + 1).endsWith(needed))
      }
    }),
  )
})

test('what does not change is the same state, so that it is not written', () => {
  let state = firstStatus(0)
  for (let turn = 0; turn < 5; turn += 1) state = nextStatus(state, 'OPERATIONAL', turn)
  assert.deepEqual(nextStatus(state, 'OPERATIONAL', 9), state)
})
