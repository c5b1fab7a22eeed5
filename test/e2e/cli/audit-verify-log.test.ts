/** `fairway audit verify-log`, as an operator runs it: on the database, with a checkpoint that somebody kept. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { run } from '../../helpers/process/process.ts'
import { unguarded } from '../../helpers/database/sql.ts'
import { override } from '../../helpers/webhooks.ts'

interface Told {
  readonly intact: boolean
  readonly tree_size: number
  readonly records: number
  readonly overrides: number
  readonly waiting: number
  readonly findings: readonly { readonly place: string; readonly message: string }[]
}

interface Scene {
  readonly harness: Harness
  readonly ids: readonly string[]
  readonly keptPath: string
  readonly verifierKey: string
  readonly check: Check
  /** The same as a process of its own. */
  readonly checkProcess: Check
}

type Check = (...args: readonly string[]) => Promise<{ readonly code: number | null; readonly told: Told }>

/** Seven records and an override, all sealed, a checkpoint kept of the first five, and one more that waits. */
async function withLog(engine: 'sqlite' | 'postgres', work: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-log-'))
  try {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const ids: string[] = []
      const decide = async (amount: number): Promise<void> => {
        ids.push(String((await harness.verify(key, { corridor: 'GB-NG', amount })).body.request_id))
      }
      for (let place = 0; place < 5; place += 1) await decide(60_000 + place)
      await harness.seal()
      const { body } = await harness.get(null, '/api/v1/audit/checkpoint')
      const keptPath = join(folder, 'kept.txt')
      writeFileSync(keptPath, String(body.checkpoint.note))
      await decide(70_000)
      await decide(70_001)
      await override(harness, key, ids[0] ?? '')
      await harness.seal()
      await decide(5)
      const checkBy =
        (start: typeof run): Check =>
        async (...args) => {
          const { code, stdout, stderr } = await start(['audit', 'verify-log', '--json', ...args], {
            DATABASE_URL: harness.databaseUrl,
          })
          assert.notEqual(stdout, '', stderr)
          return { code, told: JSON.parse(stdout) as Told }
        }
      const checks = { check: checkBy(runInProcess), checkProcess: checkBy(run) }
      await work({ harness, ids, keptPath, verifierKey: String(body.checkpoint.verifier_key), ...checks })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const change = ({ databaseUrl }: Harness, statements: readonly string[]): Promise<void> =>
  unguarded(databaseUrl, async ({ run: sql }) => {
    for (const statement of statements) await sql(statement)
  })

for (const engine of engines) {
  test(`a log that nobody touched is intact, beside a running service, with a kept checkpoint and a known key (${engine})`, async () => {
    await withLog(engine, async ({ check, keptPath, verifierKey }) => {
      const { code, told } = await check('--checkpoint', keptPath, '--trust', verifierKey)
      assert.equal(code, 0)
      assert.deepEqual(
        [told.intact, told.tree_size, told.records, told.overrides, told.waiting],
        [true, 8, 7, 1, 1],
      )
    })
  })

  test(`a record that was edited straight in the database is named, exit code 65 (${engine})`, async () => {
    await withLog(engine, async ({ checkProcess, harness, ids }) => {
      await change(harness, [`UPDATE verifications SET amount = 6 WHERE request_id = '${ids[2]}'`])
      const { code, told } = await checkProcess()
      assert.equal(code, 65)
      assert.deepEqual(told.findings, [
        { place: `leaf 2, ${ids[2]}`, message: 'the record was changed after it was sealed' },
      ])
    })
  })

  test(`an end that was cut off with all that belongs to it is found by a kept checkpoint alone (${engine})`, async () => {
    await withLog(engine, async ({ check, harness, keptPath, ids }) => {
      const { body } = await harness.get(null, '/api/v1/audit/checkpoint')
      writeFileSync(keptPath, String(body.checkpoint.note))
      const gone = ids.slice(5).map((id) => `'${id}'`)
      await change(harness, [
        `DELETE FROM verifications WHERE request_id IN (${gone.join()})`,
        'DELETE FROM overrides',
        'DELETE FROM journal_queue',
        'DELETE FROM log_blocks WHERE first_leaf >= 5',
        'DELETE FROM log_checkpoints WHERE tree_size > 5',
        'UPDATE log_head SET tree_size = 5, sequenced = 5',
      ])
      assert.deepEqual((await check()).told.findings, [])
      const { told } = await check('--checkpoint', keptPath)
      assert.ok(
        told.findings.some(
          ({ place, message }) => place === 'saved checkpoint 9' && /truncated/.test(message),
        ),
        JSON.stringify(told.findings),
      )
    })
  })
}

test('what is no checkpoint, no key, or signed by somebody else is refused in a line', async () => {
  await withLog('sqlite', async ({ harness, keptPath }) => {
    const environment = { DATABASE_URL: harness.databaseUrl }
    const ask = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await runInProcess(['audit', 'verify-log', ...args], environment)
      assert.equal(code, 1)
      return stderr
    }
    assert.match(await ask('--trust', 'x'), /^fairway: --trust must be a verifier key/)
    writeFileSync(keptPath, 'fairway\n5\n')
    assert.match(await ask('--checkpoint', keptPath), /^fairway: kept\.txt contains no checkpoint/)
  })
})
