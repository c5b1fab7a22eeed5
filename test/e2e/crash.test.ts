/** SIGKILL under load, then a restart: every acknowledged decision is there, none twice. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, freshDatabase } from '../helpers/databases.ts'
import { ask, issueByCli, serve } from '../helpers/process.ts'

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
    const page: Response = await fetch(server.url + next, { headers: { authorization: `Bearer ${key}` } })
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
  const health = (await (await fetch(`${server.url}/api/health`)).json()) as { total_verifications: number }
  assert.equal(health.total_verifications, stored.size)
  assert.equal(await server.stop(), 0)
}
