/** `fairway calibration` against a server: the report as tables, and the suggestion as a file that becomes a policy. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { FairwayClient, type Calibration, type Policy } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { serveInProcess, type ServedInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { fairwayOf, type Fairway } from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_LIMIT_VERIFY: '100000/60' })
})

after(async () => {
  await server.stop()
  await database.drop()
})

interface Scene {
  readonly fairway: Fairway
  readonly client: FairwayClient
  readonly folder: string
}

async function withKey(work: (scene: Scene) => Promise<void>): Promise<void> {
  const { key: apiKey } = await issueByCli(database.url)
  await withFolder(async (folder) => {
    const fairway = fairwayOf(folder, { FAIRWAY_URL: server.url, FAIRWAY_API_KEY: apiKey })
    await work({ fairway, client: new FairwayClient({ baseUrl: server.url, apiKey }), folder })
  })
}

/** Decides `count` payments of one amount; the first `failures` of them fail, the others complete. */
async function settle(client: FairwayClient, amount: number, count: number, failures: number): Promise<void> {
  const payments = Array.from({ length: count }, () => client.verify({ corridor: 'GB-NG', amount }))
  const rows = (await Promise.all(payments)).map((result, place) => {
    if (result.held) return assert.fail(result.message)
    return { request_id: result.request_id, outcome: place < failures ? 'FAILED' : 'COMPLETED' } as const
  })
  await client.reportOutcomes(rows)
}

const stretch = ['--from', '2020-01-01', '--to', '2100-01-01'] as const

/** Test amounts: 10 scores high, 1000.01 has a fraud flag, 1000.07 a payee that is not confirmed. */
async function settleBadly(client: FairwayClient): Promise<void> {
  await settle(client, 10, 40, 2)
  await settle(client, 1000.01, 30, 24)
  await settle(client, 1000.07, 25, 20)
  await settle(client, 60_000, 5, 1)
  await client.verify({ corridor: 'GB-NG', amount: 600_000 })
}

test('the report has predictions beside outcomes, failures by signal, censored decisions and the suggestion', () =>
  withKey(async ({ fairway, client }) => {
    await settleBadly(client)
    const { code, stdout } = await fairway(['calibration', ...stretch, '--no-json'])
    assert.equal(code, 0)
    const [report = '', suggestion = ''] = stdout.split(/(?=Suggestion: )/)
    assert.equal(
      report,
      `Calibration from 2020-01-01 to 2100-01-01 (UTC, end excluded), all corridors, both modes

Decisions     101
With outcome  100
Failures      47 (47.0%)
Brier score   0.3388 (0 is perfect, a coin toss 0.25)

 PREDICTED  PAYMENTS  FAILED           RATE    95% INTERVAL  PREDICTION
  0 to 10%        65      22          33.8%  23.5% to 46.0%  too low
 10 to 20%         5       1  fewer than 20               -  -
 20 to 30%        30      24          80.0%  62.7% to 90.5%  too low
 30 to 40%         0       0  fewer than 20               -  -
 40 to 50%         0       0  fewer than 20               -  -
 50 to 60%         0       0  fewer than 20               -  -
 60 to 70%         0       0  fewer than 20               -  -
 70 to 80%         0       0  fewer than 20               -  -
 80 to 90%         0       0  fewer than 20               -  -
90 to 100%         0       0  fewer than 20               -  -
Too low: more payments fail than the scores predict.

SIGNAL                   FLAGGED         FAILED  CLEAR  FAILED  LIFT
fraud_flags                   30          80.0%     70   32.9%  2.43
network_healthy                0  fewer than 20    100   47.0%     -
balance_sufficient             0  fewer than 20    100   47.0%     -
fx_volatility                  0  fewer than 20    100   47.0%     -
operation_valid                0  fewer than 20    100   47.0%     -
historical_failure_rate        0  fewer than 20    100   47.0%     -
cop_overridden                25          80.0%     75   36.0%  2.22

Censored: 1 NO-GO decision without a final outcome. How these payments would have ended is unknown,
so the rates are those of payments that were made.

`,
    )
    const { suggestion_reason: reason } = await calibrated(fairway)
    const save = `fairway calibration ${stretch.join(' ')} --suggestion policy.json`
    assert.equal(suggestion.replaceAll(/\s+/g, ' '), `Suggestion: ${reason} Save it: ${save} `)
  }))

async function calibrated(fairway: Fairway, ...args: readonly string[]): Promise<Calibration> {
  const { code, stdout, stderr } = await fairway(['calibration', ...args])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Calibration
}

test('the suggestion becomes a file that policy create takes, and no other file is overwritten', () =>
  withKey(async ({ fairway, client, folder }) => {
    await settleBadly(client)
    const path = join(folder, 'suggested.json')
    const save = ['calibration', '--suggestion', path, '--no-json']
    const written = await fairway(save)
    assert.equal(written.code, 0, written.stderr)
    assert.match(written.stdout, /^Wrote \S+suggested\.json\.\n[\s\S]+\nNext: fairway policy create \S+\n$/)
    const { suggestion } = await calibrated(fairway)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), suggestion)
    const created = await fairway(['policy', 'create', path])
    assert.equal(created.code, 0, created.stderr)
    assert.deepEqual((JSON.parse(created.stdout) as Policy).document, suggestion)
    assert.equal((await fairway(save)).code, 1)
    assert.equal((await fairway([...save, '--force'])).code, 0)
  }))

test('without a supported change there is no file, the reason is shown, and the exit code is 1', () =>
  withKey(async ({ fairway, client, folder }) => {
    const path = join(folder, 'suggested.json')
    const none = await fairway(['calibration', '--no-json'])
    assert.match(none.stdout, /\nBrier score {3}none without outcomes\n\nCensored: 0 NO-GO decisions/)
    assert.match(
      none.stdout,
      /\nNo suggestion\. 0 GO or DEGRADED payments with a final outcome: at least 20 are needed\.\n$/,
    )
    await settle(client, 10, 19, 1)
    const few = await fairway(['calibration', '--no-json'])
    assert.match(few.stdout, /\nFailures {6}1\n/, 'a rate of fewer than 20 payments')
    await settle(client, 10, 21, 1)
    const { code, stdout, stderr } = await fairway(['calibration', '--suggestion', path, '--no-json'])
    assert.deepEqual([code, stdout, existsSync(path)], [1, '', false])
    assert.match(stderr, /^fairway: no suggestion, so no file was written\. No further change is supported: /)
    const json = await fairway(['calibration', '--suggestion', path])
    assert.match((JSON.parse(json.stdout) as { error: { message: string } }).error.message, /^no suggestion/)
  }))

test('a mark compares prediction and interval, filters reach the server, and tables fit the terminal', () =>
  withKey(async ({ fairway, client }) => {
    await settle(client, 10, 40, 2)
    await settle(client, 1000.01, 30, 0)
    const { stdout } = await fairway(['calibration', '--mode', 'shadow'], {}, { columns: 60 })
    const lines = stripVTControlCharacters(stdout).split('\n')
    assert.match(lines[0] ?? '', /, all corridors, shadow mode$/)
    assert.ok(lines.some((line) => /^ +0 to 10% .* within$/.test(line)))
    assert.ok(lines.some((line) => /^ +20 to 30% .* too high$/.test(line)))
    const tables = lines.filter((line) => /%|SIGNAL|PREDICTED/.test(line) && !line.startsWith('Failures'))
    assert.ok(tables.length > 15 && tables.every((line) => line.length <= 60), stdout)
    assert.equal((await calibrated(fairway, '--corridor', 'NG-GB')).records, 0)
    assert.equal((await calibrated(fairway, '--mode', 'live')).records, 0)
    assert.equal((await calibrated(fairway, '--to', '2026-01-02')).records, 0)
    for (const [args, message] of [
      [['--from', 'yesterday'], /Expected a time such as/],
      [['--mode', 'dry'], /Expected one of shadow, live/],
    ] as const) {
      const refused = await fairway(['calibration', ...args])
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, message)
    }
  }))
