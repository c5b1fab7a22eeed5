/** SIGKILL of the dispatcher at random moments: every event arrives, under one id, and no attempt number is skipped. */

import { leafHashes } from '../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock, systemRandom } from '../../src/adapters/system.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { createWebhooks } from '../../src/app/events/webhooks.ts'
import { leaseMs } from '../../src/core/events/retry-schedule.ts'
import { engines, freshDatabase, type Engine } from '../helpers/database/databases.ts'
import { fixedSeed } from '../helpers/short-form.ts'
import { openTestReceiver, type Received } from '../helpers/peers/receiver.ts'
import { keyOf } from '../helpers/installation-key.ts'

const entry = new URL('../helpers/process/dispatcher-process.ts', import.meta.url).pathname
const kills: Readonly<Record<Engine, number>> = { sqlite: 50, postgres: 50 }
const eventsALife = 12

/** Chance that is the same in every run. */
function createChance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** One life of a dispatcher: it ends when so many requests have come, at some point of the last one. */
interface Life {
  readonly requestsMax: number
  readonly dies: 'before the answer' | 'after the answer' | 'a moment later'
}

class Lives {
  #life: Life | null = null
  #kill: () => void = () => {}
  #seen = 0
  readonly failed = new Set<string>()
  readonly accepted = new Set<string>()
  readonly answers = new EventEmitter()
  readonly #chance: (below: number) => number

  constructor(chance: (below: number) => number) {
    this.#chance = chance
  }

  begin(life: Life | null, kill: () => void): void {
    this.#life = life
    this.#kill = kill
    this.#seen = 0
  }

  /** Some of the first three attempts are refused; what was refused is remembered by its number. */
  answer({ json }: Received): number {
    this.#seen += 1
    const isLast = this.#life !== null && this.#seen === this.#life.requestsMax
    if (isLast && this.#life?.dies === 'before the answer') this.#kill()
    if (isLast && this.#life?.dies === 'after the answer') setImmediate(this.#kill)
    if (isLast && this.#life?.dies === 'a moment later') setTimeout(this.#kill, this.#chance(15))
    const refused = json.attempt <= 3 && this.#chance(4) === 0
    if (refused) this.failed.add(`${json.event_id} ${json.attempt}`)
    else this.accepted.add(String(json.event_id))
    this.answers.emit('answer')
    return refused ? 500 : 200
  }
}

async function runLife(databaseUrl: string, number: number, lives: Lives, life: Life): Promise<void> {
  // Each life is a lease later than the one before, so that what that one had claimed is free.
  const child = spawn(process.execPath, [entry, databaseUrl, String(number * (leaseMs + 1_000))], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  lives.begin(life, () => child.kill('SIGKILL'))
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  assert.equal(signal, 'SIGKILL', 'it ended before it was killed')
}

/** The numbers under which an event was seen, held to what may happen. */
function checkNumbers(eventId: string, numbers: readonly number[], failed: ReadonlySet<string>): void {
  const highest = Math.max(...numbers)
  for (let number = 1; number <= highest; number += 1) {
    assert.ok(numbers.includes(number), `${eventId} was sent as ${numbers.join(' ')}`)
    if (number < highest) assert.ok(failed.has(`${eventId} ${number}`), `${number} had not failed`)
  }
  assert.deepEqual(
    numbers,
    numbers.toSorted((left, right) => left - right),
    'they come in order',
  )
}

for (const engine of engines) {
  test(`${engine}: ${kills[engine]} kills of the dispatcher lose no event and skip no attempt number`, async () => {
    const chance = createChance(fixedSeed)
    const lives = new Lives(chance)
    const database = await freshDatabase(engine)
    const receiver = await openTestReceiver((received) => lives.answer(received))
    const { store } = await openStore({
      leafHashes,
      databaseUrl: database.url,
      clock: systemClock,
      onFault: () => {},
    })
    try {
      const ids = createIds({ clock: systemClock, random: systemRandom })
      const guard = { check: () => Promise.resolve(null) }
      const key = keyOf(store, systemClock)
      const webhooks = createWebhooks({ store, guard, ids, clock: systemClock, random: systemRandom, key })
      const registered = await webhooks.register({
        ownerId: 'own_a',
        url: receiver.url,
        events: null,
        description: null,
      })
      assert.equal(registered.kind, 'registered')
      const webhookId = registered.kind === 'registered' ? registered.webhook.webhookId : ''
      const written = new Set<string>()
      const write = async (count: number): Promise<void> => {
        for (let event = 0; event < count; event += 1) {
          written.add((await webhooks.test({ ownerId: 'own_a' }, webhookId))?.eventId ?? '')
        }
      }
      await write(eventsALife)
      for (let number = 1; number <= kills[engine]; number += 1) {
        const dies = (['before the answer', 'after the answer', 'a moment later'] as const)[chance(3)]
        const life: Life = { requestsMax: 1 + chance(eventsALife), dies: dies ?? 'after the answer' }
        // More are written while it lives: there is always enough for it to die at.
        await Promise.all([runLife(database.url, number, lives, life), write(eventsALife)])
      }
      await deliverTheRest(database.url, kills[engine] + 1, lives, written.size)
      const byEvent = Map.groupBy(receiver.requests, (one) => String(one.json.event_id))
      assert.deepEqual(new Set(byEvent.keys()), written, 'every event arrived, and nothing else')
      for (const [eventId, seen] of byEvent) {
        const numbers = seen.map((one) => Number(one.json.attempt))
        checkNumbers(eventId, numbers, lives.failed)
        const bodies = new Set(seen.map((one) => JSON.stringify({ ...one.json, attempt: 0 })))
        assert.equal(bodies.size, 1, 'repeats say the same')
      }
    } finally {
      await store.close()
      await receiver.close()
      await database.drop()
    }
  })
}

async function deliverTheRest(
  databaseUrl: string,
  number: number,
  lives: Lives,
  count: number,
): Promise<void> {
  const child = spawn(process.execPath, [entry, databaseUrl, String(number * (leaseMs + 1_000))], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  lives.begin(null, () => {})
  while (lives.accepted.size < count) await once(lives.answers, 'answer')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null], 'a stop is orderly')
}
