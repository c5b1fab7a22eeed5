/** A start that waits for its database: how long, for which faults, and when it says so. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServerDown } from '../../../src/adapters/store/engine/postgres/connections.ts'
import { awaitStore } from '../../../src/app/operate/await-store.ts'
import { StoreDown, StoreUnavailable } from '../../../src/app/ports/store.ts'
import { check } from '../../helpers/check.ts'
import { ManualClock } from '../../helpers/clock.ts'

const refused = new StoreUnavailable('connection refused')

/** Opens at this try, the first being 1, and returns the words of the start. */
async function startWith(
  opensAt: number,
  {
    waitMs = 60_000,
    isDown = true,
    error = refused,
  }: Partial<{ waitMs: number; isDown: boolean; error: Error }> = {},
) {
  const clock = new ManualClock()
  const said: string[] = []
  let tries = 0
  const open = (): Promise<string> => {
    tries += 1
    return tries === opensAt ? Promise.resolve('opened') : Promise.reject(error)
  }
  const result = await awaitStore(open, {
    clock,
    pause: (ms) => Promise.resolve(clock.advance(ms)),
    waitMs,
    isDown: () => isDown,
    onWait: ({ message }) => said.push(`waits: ${message}`),
    onReached: (waitedMs) => said.push(`reached after ${waitedMs} ms`),
  }).catch((failure: unknown) => failure)
  return { result, said, tries }
}

test('a database that is there is opened without a word', async () => {
  assert.deepEqual(await startWith(1), { result: 'opened', said: [], tries: 1 })
})

test('one that is down is waited for: said at once, and when it comes', async () => {
  assert.deepEqual(await startWith(5), {
    result: 'opened',
    said: ['waits: connection refused', 'reached after 2000 ms'],
    tries: 5,
  })
})

test('the wait ends after its time', async () => {
  const { result, said } = await startWith(Infinity)
  assert.ok(result instanceof StoreDown)
  assert.deepEqual([result.waitedMs, result.message], [60_000, 'connection refused'])
  assert.deepEqual(said, ['waits: connection refused'])
})

test('without time to wait, or with a fault that time does not mend, it ends at once', async () => {
  for (const options of [{ waitMs: 0 }, { isDown: false }]) {
    const { result, said, tries } = await startWith(2, options)
    assert.ok(result instanceof StoreDown)
    assert.deepEqual([result.waitedMs, said, tries], [0, [], 1])
  }
  const bug = new TypeError('a bug')
  assert.equal((await startWith(2, { error: bug })).result, bug)
})

test('a server that starts or cannot be reached is waited for; a refusal is not', () => {
  const coded = (code: string): Error => Object.assign(new Error(''), { code })
  check<unknown, boolean>(
    [
      [coded('ECONNREFUSED'), true],
      [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), true],
      [coded('ENOTFOUND'), true],
      [coded('EAI_AGAIN'), true],
      [coded('57P03'), true],
      [coded('53300'), true],
      [new Error('timeout exceeded when trying to connect'), true],
      [new Error('Connection terminated unexpectedly'), true],
      [new Error('PostgreSQL: this server is a standby'), true],
      [coded('28P01'), false],
      [coded('3D000'), false],
      [coded('SELF_SIGNED_CERT_IN_CHAIN'), false],
      [new Error('The server does not support SSL connections'), false],
      [new Error('the server asks for a password, and none is set'), false],
      [undefined, false],
    ],
    isServerDown,
  )
})
