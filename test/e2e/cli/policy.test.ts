/** `fairway policy` against a server: the life of a policy by two keys, its reports, and what a fault or Ctrl-C does. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FairwayClient, type Policy, type PolicyBacktest } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import {
  serveInProcess,
  startInProcess,
  type Finished,
  type ServedInProcess,
} from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { fairwayOf, homeIn, nowhere, onTerminal, type Fairway } from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url })
})

after(async () => {
  await server.stop()
  await database.drop()
})

const document = {
  name: 'Hard stops',
  go_floor: 0.85,
  rules: [
    {
      id: 'payee',
      when: 'signals.cop_overridden',
      then: 'NO-GO',
      message: 'The payee was not confirmed.',
    },
    { id: 'large', when: 'amount > 1000.0', then: 'DEGRADED', message: 'Large payments are reviewed.' },
  ],
} as const

interface Scene {
  /** By the key that writes policies. */
  readonly author: Fairway
  /** By another key of the same owner. */
  readonly approver: Fairway
  readonly client: FairwayClient
  readonly settings: Readonly<Record<string, string>>
  /** The path of a file with this content. */
  readonly file: (name: string, content: unknown) => string
  readonly folder: string
}

async function withKeys(work: (scene: Scene) => Promise<void>): Promise<void> {
  const { key: apiKey, owner_id: ownerId } = await issueByCli(database.url)
  const { key: other } = await issueByCli(database.url, '--for-owner', ownerId, '--owner', 'Risk lead')
  await withFolder(async (folder) => {
    const settings = { FAIRWAY_URL: server.url, FAIRWAY_API_KEY: apiKey }
    await work({
      author: fairwayOf(folder, settings),
      approver: fairwayOf(folder, { ...settings, FAIRWAY_API_KEY: other }),
      client: new FairwayClient({ baseUrl: server.url, apiKey }),
      settings,
      file(name, content) {
        const path = join(folder, name)
        writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
        return path
      },
      folder,
    })
  })
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test names what it was answered
function json<Body>({ stdout, stderr, code }: Finished): Body {
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^[^\n]+\n$/, 'one value on one line')
  return JSON.parse(stdout) as Body
}

/** A decision for each amount, with the outcome that is reported for it. */
async function decide(client: FairwayClient, payments: readonly (readonly [number, string])[]) {
  const ids: string[] = []
  for (const [amount, outcome] of payments) {
    const result = await client.verify({ corridor: 'GB-NG', amount, currency: 'GBP' })
    assert.ok(!result.held)
    if (outcome === 'FAILED' || outcome === 'COMPLETED')
      await client.reportOutcome(result.request_id, { outcome })
    ids.push(result.request_id)
  }
  return ids
}

test('a policy lives from its draft to its rollback by two keys, and its author cannot promote it', () =>
  withKeys(async ({ author, approver, client, file }) => {
    const created = json<Policy>(await author(['policy', 'create', file('policy.json', document)]))
    const { policy_id: id } = created
    assert.deepEqual([created.status, created.document], ['draft', document])
    assert.equal(json<Policy>(await author(['policy', 'candidate', id])).status, 'candidate')
    await decide(client, [[2000, '']])
    assert.deepEqual(json<{ flips: object }>(await author(['policy', 'report', id])).flips, {
      'GO>DEGRADED': 1,
    })
    const own = await author(['policy', 'promote', id, '--reason', 'Mine.', '--no-json'])
    assert.equal(own.code, 1)
    assert.match(own.stdout, /^As the candidate since .*\n1 record decided again: 0 unchanged, 1 flipped/)
    assert.equal(
      own.stderr,
      `fairway: ${id} was written by the principal of this key (from FAIRWAY_API_KEY), so it must be promoted by another
  A key and its successors are one principal; another key of the same owner is another one.
  An operator issues one with: fairway keys issue --type TYPE --for-owner OWNER_ID
`,
    )
    const refused = await author(['policy', 'promote', id, '--reason', 'Mine.'])
    assert.equal((JSON.parse(refused.stdout) as { error: { code: string } }).error.code, 'FOUR_EYES')
    const promoted = json<Policy>(await approver(['policy', 'promote', id, '--reason', 'Reviewed.']))
    assert.deepEqual(
      promoted.changes.map(({ kind, by, reason }) => [kind, by.name, reason]),
      [
        ['candidate', 'End to end', null],
        ['promoted', 'Risk lead', 'Reviewed.'],
      ],
    )
    assert.equal((await author(['verify', 'GB-NG', '2000'])).code, 10)
    const active = json<Policy[]>(await author(['policy', 'list', '--status', 'active']))
    assert.deepEqual(
      active.map(({ policy_id: one }) => one),
      [id],
    )
    const rollback = ['policy', 'rollback', '--reason', 'Too strict.']
    assert.deepEqual(json(await approver(rollback)), { rolled_back: id, active: null })
    assert.equal((await author(['verify', 'GB-NG', '2000'])).code, 0)
    assert.equal(json<Policy>(await author(['policy', 'show', id])).status, 'retired')
    assert.equal((await approver(rollback)).code, 1)
  }))

test('a faulty document is shown with path and character, without a server or a key, and exits with 1', () =>
  withKeys(async ({ file, folder }) => {
    const alone = fairwayOf(folder, { FAIRWAY_URL: await nowhere() })
    const rule = { then: 'NO-GO', message: 'Never.' }
    const rules = [
      { id: 'misspelt', when: 'amount > 5.0 && amout < 9.0', ...rule },
      { id: 'untyped', when: 'amount > 5.0 &&\n  currency > 7', ...rule },
      { id: 'right', when: 'score < 0.9', ...rule },
    ]
    const bad = file('bad.json', { name: 'Bad', rules })
    const checked = await alone(['policy', 'check', bad, '--no-json'])
    assert.deepEqual([checked.code, checked.stderr], [1, ''])
    const [first = '', ...lines] = checked.stdout.split('\n')
    assert.equal(first, 'bad.json has 2 faults:')
    assert.match(lines[0] ?? '', /^ {2}\/rules\/0\/when, character 17: has the unknown variable amout; /)
    assert.deepEqual(lines.slice(1, 3), ['    amount > 5.0 && amout < 9.0', `    ${' '.repeat(16)}^`])
    assert.match(lines[3] ?? '', /^ {2}\/rules\/1\/when, character 19: is not valid: /)
    assert.deepEqual(lines.slice(4), ['      currency > 7', '      ^', ''])
    const { stdout } = await alone(['policy', 'check', bad])
    const { valid, errors, tried } = JSON.parse(stdout) as Record<
      string,
      { path: string; position: number }[]
    >
    assert.deepEqual([valid, tried], [false, null])
    assert.deepEqual(
      errors?.map(({ path, position }) => [path, position]),
      [
        ['/rules/0/when', 17],
        ['/rules/1/when', 19],
      ],
    )
    const loose = file('loose.json', { name: 'Loose', go_floor: 0.7 })
    assert.deepEqual(await alone(['policy', 'check', loose, '--no-json']), {
      code: 1,
      signal: null,
      stdout:
        'loose.json has 1 fault:\n  /go_floor: must be from 0.8 to 1: a policy is at least as strict as the contract\n',
      stderr: '',
    })
    const cut = await alone(['policy', 'check', file('cut.json', '{"name": '), '--no-json'])
    assert.equal(cut.code, 1)
    assert.match(cut.stderr, /^fairway: cut\.json is not valid JSON: /)
    const good = file('good.json', document)
    assert.equal(
      (await alone(['policy', 'check', good, '--no-json'])).stdout,
      'good.json is valid: 2 rules.\n',
    )
  }))

test('check --on tries a document on a decision, and stores nothing', () =>
  withKeys(async ({ author, client, file }) => {
    const [id = ''] = await decide(client, [[2000, '']])
    const path = file('policy.json', document)
    const { stdout } = await author(['policy', 'check', path, '--on', id, '--no-json'])
    assert.equal(
      stdout,
      `policy.json is valid: 2 rules.\nOn ${id}: GO would be DEGRADED.\nRules that fired: large; that decided: large.\n`,
    )
    const unknown = await author(['policy', 'check', path, '--on', id.replace(/.$/, '!')])
    assert.equal(unknown.code, 1)
    assert.deepEqual(json(await author(['policy', 'list'])), [])
  }))

test('a backtest is shown as tables: flips, rules, corridors, money and what became of the payments', () =>
  withKeys(async ({ author, client, file }) => {
    const ids = await decide(client, [
      [500, 'COMPLETED'],
      [2000, 'COMPLETED'],
      [3000, 'FAILED'],
      [800.07, ''],
    ])
    const { policy_id: id } = json<Policy>(await author(['policy', 'create', file('policy.json', document)]))
    const backtest = ['policy', 'backtest', id, '--from', '2026-01-01', '--to', '2100-01-01']
    const { code, stdout } = await author([...backtest, '--mode', 'shadow', '--no-json'])
    assert.equal(code, 0)
    assert.equal(
      stdout,
      `Backtest of ${id}, from 2026-01-01 00:00:00Z to 2100-01-01 00:00:00Z, shadow mode
4 records decided again: 1 unchanged, 3 flipped (75.0%)

FLIP           RECORDS  SHARE
GO > DEGRADED        2  50.0%
GO > NO-GO           1  25.0%

RULE   FIRED  DECIDED
payee      1        1
large      2        2

CORRIDOR  RECORDS  FLIPPED  FLIPS
GB-NG           4        3  GO > DEGRADED 2, GO > NO-GO 1

CURRENCY  PAYMENTS NEWLY STOPPED        AMOUNT
GBP                            3  5,800.07 GBP

Failures avoided: 1; completed payments that would have been stopped: 1
Outcome not final: 1 without a report

NEWEST FLIPS                         FROM  TO        RULES
${ids[3]}  GO    NO-GO     payee
${ids[2]}  GO    DEGRADED  large
${ids[1]}  GO    DEGRADED  large
`,
    )
    const answer = json<PolicyBacktest>(await author(backtest))
    assert.deepEqual([answer.status, answer.progress], ['done', { records: 4, total: 4 }])
    const onTty = await author(backtest, {}, { columns: 120 })
    assert.match(onTty.stderr, /100% \| 4 of 4 records/)
    assert.match(onTty.stdout, /Failures avoided: 1/)
    const live = await author([...backtest, '--mode', 'live', '--no-json'])
    assert.equal(live.code, 1, 'no records are no agreement')
    assert.match(live.stdout, /\nNo records were decided again, so nothing can be said\.\n$/)
  }))

test('Ctrl-C cancels the backtest on the server, and the exit code is that of the signal', async () => {
  const asked: string[] = []
  const running = {
    backtest_id: 'bkt_1',
    policy_id: 'pol_1',
    status: 'running',
    from: '',
    to: '',
    mode: null,
  }
  const progress = { records: 10, total: 1000 }
  const stub = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...running, progress, report: null, error: null }))
    if (asked.length === 3) command.signal('SIGINT')
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  const args = ['policy', 'backtest', 'pol_1', '--from', '2026-01-01', '--to', '2026-02-01']
  const command = startInProcess(args, { FAIRWAY_URL: url, FAIRWAY_API_KEY: 'pk_test_1', HOME: '/nowhere' })
  try {
    await command.said(/fairway: stopped; the backtest bkt_1 was cancelled\n/)
    assert.equal(await command.stop('SIGINT'), 130)
    assert.equal(asked[0], 'POST /api/v1/policies/pol_1/backtest')
    assert.equal(asked.at(-1), 'DELETE /api/v1/policies/pol_1/backtests/bkt_1')
  } finally {
    stub.closeAllConnections()
    await new Promise((resolve) => stub.close(resolve))
  }
})

test('on a terminal a promotion shows its figures and asks first', () =>
  withKeys(async ({ author, client, settings, file, folder }) => {
    const { policy_id: id } = json<Policy>(await author(['policy', 'create', file('policy.json', document)]))
    await decide(client, [[2000, '']])
    const stretch = ['--from', '2026-01-01', '--to', '2100-01-01']
    assert.equal((await author(['policy', 'backtest', id, ...stretch])).code, 0)
    const declined = await onTerminal(
      ['policy', 'promote', id, '--reason', 'Reviewed.'],
      { ...homeIn(folder), ...settings },
      { answers: [['in force? [y/N]', 'n\r']] },
    )
    assert.equal(declined.code, 1)
    assert.match(declined.stdout, /Backtest from 2026-01-01 00:00:00Z to 2100-01-01 00:00:00Z/)
    assert.match(declined.stdout, /1 record decided again: 0 unchanged, 1 flipped \(100\.0%\)/)
    assert.match(declined.stdout, /nothing was promoted/)
    assert.equal(json<Policy>(await author(['policy', 'show', id])).status, 'draft')
  }))

test('an unknown policy is named, and a mistake sends nothing', () =>
  withKeys(async ({ author }) => {
    const cases: [string[], RegExp][] = [
      [['show', 'pol_nope'], /your key has no policy "pol_nope": run fairway policy list/],
      [['candidate', 'pol_nope'], /your key has no policy "pol_nope"/],
      [['promote', 'pol_nope', '--reason', 'x'], /your key has no policy "pol_nope"/],
      [['backtest', 'pol_1', '--from', 'yesterday', '--to', '2026-01-01'], /Expected a time such as/],
      [['backtest', 'pol_1', '--from', '2026-02-01', '--to', '2026-01-01'], /--from must be before --to/],
      [['promote', 'pol_1'], /required option '--reason <text>' not specified/],
      [['list', '--status', 'old'], /Allowed choices are draft, candidate, active, retired/],
      [['rollback', '--reason', 'x', '--reference', 'C-1'], /--reference is for --installation/],
    ]
    for (const [args, message] of cases) {
      const { code, stderr } = await author(['policy', ...args])
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, message)
    }
  }))
