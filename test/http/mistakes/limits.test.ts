/** What a limit says of itself is true: its rest is never longer than its window. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer } from '../../helpers/harness.ts'

const windowSeconds = 60
const limit = { count: 40, windowMs: windowSeconds * 1_000 }

function restOf({ headers }: Answer): number {
  const rest = /;t=(\d+)$/.exec(String(headers['ratelimit']))?.[1]
  assert.ok(rest !== undefined, String(headers['ratelimit']))
  return Number(rest)
}

for (const engine of engines) {
  test(`${engine}: the rest of a window is never longer than the window, however many ask at once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue({ limit })
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => harness.verify(key, { corridor: 'GB-NG', amount: 5 })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 429]))
      for (const answer of answers) assert.ok(restOf(answer) <= windowSeconds, String(restOf(answer)))
    })
  })
}

test('postgres: nor is it after the clock of the database was set back', async () => {
  await withHarness({ engine: 'postgres' }, async (harness) => {
    const { key } = await harness.issue({ limit })
    await harness.verify(key, { corridor: 'GB-NG', amount: 5 })
    await withDirectDatabase(harness.databaseUrl, ({ run }) =>
      run('UPDATE limit_admissions SET at_us = at_us + 5000000'),
    )
    assert.equal(restOf(await harness.verify(key, { corridor: 'GB-NG', amount: 5 })), windowSeconds)
  })
})
