/** `fairway events tail` as a real process at a real server. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamedEvent } from '../../../client/src/index.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { withScript } from '../../helpers/peers/scripted.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { ask, finished, issueByCli, run, serve, start } from '../../helpers/process/process.ts'

const eventsIn = (stdout: string): StreamedEvent[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as StreamedEvent)

test('it prints what there is, goes on from any event, and follows across a restart of the server', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url, PORT: String(await freePort()) }
  let server = await serve(environment)
  try {
    const { key } = await issueByCli(database.url)
    const settings = { FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key }
    const decide = async (amount: number): Promise<string> => {
      const answer = await ask(server.url, key, { corridor: 'GB-NG', amount })
      assert.equal(answer.status, 200)
      return ((await answer.json()) as { request_id: string }).request_id
    }
    const made = [await decide(10), await decide(20)]
    const all = await run(['events', 'tail', '--from-start', '--no-follow'], settings)
    assert.equal(all.code, 0, all.stderr)
    const events = eventsIn(all.stdout)
    assert.deepEqual(
      events.map(({ subject }) => subject),
      made,
    )
    const rest = await run(
      ['events', 'tail', '--after', events[0]?.id ?? '', '--no-follow', '--no-json'],
      settings,
    )
    assert.match(rest.stdout, new RegExp(`payment.decision.created  ${made[1]}  GO GB-NG 20 GBP\n$`))
    assert.equal(rest.stdout.split('\n').length, 2)
    const bad = await run(['events', 'tail', '--after', 'evt_x'], settings)
    assert.equal(bad.code, 1)
    assert.match(bad.stderr, /must be the next of an earlier answer/)

    const newest = await run(['events', 'tail', '--no-follow'], settings)
    assert.deepEqual([newest.code, newest.stdout], [0, ''], 'it begins after the newest decision')
    const tail = start(['events', 'tail', '--after', events[1]?.id ?? ''], settings)
    const pieces: string[] = []
    const printed = (): string => pieces.join('')
    tail.stdout?.on('data', (piece: Buffer) => pieces.push(piece.toString()))
    const ended = finished(tail)
    const later = [await decide(30)]
    while (!printed().includes(later[0] ?? '')) await new Promise(setImmediate)
    await server.stop()
    server = await serve(environment)
    later.push(await decide(40))
    while (!printed().includes(later.at(-1) ?? '')) await new Promise(setImmediate)
    tail.kill('SIGINT')
    await ended
    const subjects = eventsIn(printed()).map(({ subject }) => subject)
    assert.deepEqual(subjects, later)
  } finally {
    await server.stop()
    await database.drop()
  }
})

test('it waits for a rate limit longer than other commands do', async () => {
  const limited = { status: 429, headers: { 'retry-after': '11' }, body: { code: 'RATE_LIMITED' } }
  const page = { status: 200, body: { events: [], next: 'evt_1' } }
  await withScript([limited, page], async ({ url }) => {
    const settings = { FAIRWAY_URL: url, FAIRWAY_API_KEY: 'pk_test_any' }
    const { code, stderr } = await run(['events', 'tail', '--from-start', '--no-follow'], settings)
    assert.equal(code, 0, stderr)
  })
})
