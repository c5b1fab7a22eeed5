/** SIGKILL under load, then a restart: every acknowledged decision is there, none twice. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { engines, freshDatabase } from '../helpers/database/databases.ts'
import { ask, holdCodes, issueByCli, serve } from '../helpers/process/process.ts'

const callers = 16
const kills = 3

for (const engine of engines) {
  test(`${engine}: ${kills} kills under load lose nothing that was answered and repeat nothing`, async () => {
    const database = await freshDatabase(engine)
    const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
    const environment = { DATABASE_URL: database.url, FAIRWAY_LIMIT_KEYED: '1000000/60' }
    const acknowledged = new Map<string, string>()
    const unsure = new Set<string>()
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const server = await serve(environment)
        let asked = 0
        const caller = async (number: number): Promise<void> => {
          for (;;) {
            const idempotencyKey = `${kill}-${number}-${asked}`
            asked += 1
            // The kill falls in the middle of the others' requests, at a different depth each time.
            if (asked === 300 + kill * 137) void server.stop('SIGKILL')
            try {
              const answer = await ask(
                server.url,
                key,
                { corridor: 'GB-NG', amount: number },
                { 'idempotency-key': idempotencyKey },
              )
              const body = (await answer.json()) as { request_id: string }
              assert.equal(answer.status, 200)
              acknowledged.set(idempotencyKey, body.request_id)
            } catch (error) {
              if (error instanceof assert.AssertionError) throw error
              unsure.add(idempotencyKey)
              return
            }
          }
        }
        await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
      }
      assert.ok(acknowledged.size > 500, `${acknowledged.size} were answered`)
      await check(environment, key, acknowledged, unsure)
    } finally {
      await database.drop()
    }
  })
}

test('postgres: connections cut at random under load end no process and lose nothing that was answered', async () => {
  const database = await freshDatabase('postgres')
  const { key } = await issueByCli(database.url, '--limit-verify', '1000000/60')
  const environment = { DATABASE_URL: database.url, FAIRWAY_LIMIT_KEYED: '1000000/60' }
  const server = await serve(environment)
  const operator = new pg.Client({ connectionString: database.url })
  await operator.connect()
  const acknowledged = new Map<string, string>()
  const unsure = new Set<string>()
  let answers = 0
  const caller = async (number: number): Promise<void> => {
    for (let asked = 0; asked < 60; asked += 1) {
      const idempotencyKey = `0-${number}-${asked}`
      const headers = { 'idempotency-key': idempotencyKey }
      const answer = await ask(server.url, key, { corridor: 'GB-NG', amount: number }, headers)
      const body = (await answer.json()) as { request_id: string; code?: string }
      if (answer.status === 200) acknowledged.set(idempotencyKey, body.request_id)
      else assert.match(body.code ?? '', holdCodes)
      if (answer.status !== 200) unsure.add(idempotencyKey)
      answers += 1
      if (answers % 8 === 0) await cutOneConnection(operator)
    }
  }
  try {
    await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
    assert.equal(answers, callers * 60)
    assert.ok(
      acknowledged.size > 0 && unsure.size > 0,
      `${acknowledged.size} answered, ${unsure.size} cut off`,
    )
    assert.equal(server.child.exitCode, null, 'the process goes on')
  } finally {
    await operator.end()
    await server.stop()
  }
  await check(environment, key, acknowledged, unsure)
  await database.drop()
})

async function cutOneConnection(operator: pg.Client): Promise<void> {
  await operator.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'fairway' ORDER BY random() LIMIT 1`,
  )
}

async function check(
  environment: Readonly<Record<string, string>>,
  key: string,
  acknowledged: ReadonlyMap<string, string>,
  unsure: ReadonlySet<string>,
): Promise<void> {
  const server = await serve(environment)
  const stored = new Set<string>()
  let listed = 0
  let next: string | null = '/api/verifications?limit=500'
  while (next !== null) {
    const page: Response = await checkedFetch(server.url + next, {
      headers: { authorization: `Bearer ${key}` },
    })
    for (const { request_id: id } of (await page.json()) as { request_id: string }[]) {
      stored.add(id)
      listed += 1
    }
    next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? null
  }
  assert.equal(listed, stored.size, 'no id twice')
  for (const [idempotencyKey, id] of acknowledged) {
    assert.ok(stored.has(id), `the answered ${id} is there`)
    const number = Number(idempotencyKey.split('-')[1])
    const again = await ask(
      server.url,
      key,
      { corridor: 'GB-NG', amount: number },
      { 'idempotency-key': idempotencyKey },
    )
    const body = (await again.json()) as { request_id: string; idempotency_hit: boolean }
    assert.equal(body.request_id, id)
    assert.equal(body.idempotency_hit, true)
  }
  assert.ok(
    stored.size - acknowledged.size <= unsure.size,
    'what was not answered is there once or not at all',
  )
  const health = (await (await checkedFetch(`${server.url}/api/health`)).json()) as {
    total_verifications: number
  }
  assert.equal(health.total_verifications, stored.size)
  assert.equal(await server.stop(), 0)
}
