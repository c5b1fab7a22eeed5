/** `fairway policy --installation`: an operator's change acts on every owner, needs a reference, and is recorded as not four eyes. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Policy, PolicyCandidateReport } from '../../../client/src/index.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, serveInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { ask, issueByCli } from '../../helpers/process/process.ts'

const document = {
  name: 'Everywhere',
  rules: [
    { id: 'large', when: 'amount > 1000.0', then: 'DEGRADED', message: 'Large payments are reviewed.' },
  ],
} as const

interface Scene {
  readonly policy: (...args: readonly string[]) => Promise<Finished>
  readonly verify: (key: string, amount: number) => Promise<{ decision: string; policy_version: unknown }>
  readonly audit: () => Promise<Finished>
  readonly keys: readonly string[]
  readonly path: string
}

/** A running server with two owners, and an operator beside it. */
async function withOperator(engine: Engine, work: (scene: Scene) => Promise<void>): Promise<void> {
  const database = await freshDatabase(engine)
  const environment = { DATABASE_URL: database.url }
  const server = await serveInProcess(environment)
  try {
    const owners = [await issueByCli(database.url), await issueByCli(database.url)]
    await withFolder(async (folder) => {
      const path = join(folder, 'policy.json')
      writeFileSync(path, JSON.stringify(document))
      await work({
        policy: (...args) =>
          runInProcess(['policy', ...args, '--installation'], { HOME: folder, ...environment }),
        verify: async (key, amount) =>
          (await (await ask(server.url, key, { corridor: 'GB-NG', amount })).json()) as {
            decision: string
            policy_version: unknown
          },
        audit: () => runInProcess(['audit', 'verify-log', '--json'], environment),
        keys: owners.map(({ key }) => key),
        path,
      })
    })
  } finally {
    await server.stop()
    await database.drop()
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test names what it was answered
function json<Body>({ stdout, stderr, code }: Finished): Body {
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Body
}

for (const engine of engines) {
  test(`an operator's policy acts on every owner, and each of its changes is recorded (${engine})`, () =>
    withOperator(engine, async ({ policy, verify, audit, keys, path }) => {
      for (const key of keys) await verify(key, 2000)
      const reference = ['--reference', 'CHANGE-1042']
      const created = json<Policy & Record<string, unknown>>(await policy('create', path, ...reference))
      const { policy_id: id } = created
      const operator = userInfo().username
      assert.deepEqual(created.created_by, { kind: 'operator', id: operator, name: operator })
      const { four_eyes: eyes, reference: recorded } = created
      assert.deepEqual([eyes, recorded, created['installation']], [false, 'CHANGE-1042', true])
      const stretch = ['--from', '2026-01-01', '--to', '2100-01-01']
      const tested = await policy('backtest', id, ...stretch, '--no-json')
      assert.match(tested.stdout, /\n2 records decided again: 0 unchanged, 2 flipped \(100\.0%\)\n/)
      json(await policy('candidate', id, ...reference))
      for (const key of keys) await verify(key, 3000)
      assert.equal(json<PolicyCandidateReport>(await policy('report', id)).records, 2)
      const promoted = await policy('promote', id, ...reference, '--reason', 'Agreed.', '--no-json')
      assert.match(
        promoted.stdout,
        /^As the candidate since .*\n2 records decided again: 0 unchanged, 2 flipped/,
      )
      assert.ok(
        promoted.stdout.endsWith(
          `\n${id} is in force. Every instance applies it within a second.\nRecorded as an act of the operator ${operator}, change CHANGE-1042. This is not four eyes, and is recorded as such.\n`,
        ),
        promoted.stdout,
      )
      for (const key of keys) {
        // The server does not know of the command: it looks for changes by itself.
        let decided = await verify(key, 2000)
        while (decided.policy_version === null) decided = await verify(key, 2000)
        const { decision, policy_version: version } = decided
        assert.deepEqual([decision, version], ['DEGRADED', { owner: null, installation: id }])
      }
      const rollback = ['rollback', '--reference', 'CHANGE-1043', '--reason', 'Back.']
      assert.deepEqual(json<object>(await policy(...rollback)), {
        rolled_back: id,
        active: null,
        installation: true,
        four_eyes: false,
        operator,
        reference: 'CHANGE-1043',
      })
      const { changes, status } = json<Policy>(await policy('show', id))
      assert.equal(status, 'retired')
      assert.deepEqual(
        changes.map(({ kind, by, reason }) => [kind, by.kind, reason]),
        [
          ['candidate', 'operator', 'CHANGE-1042'],
          ['promoted', 'operator', 'CHANGE-1042: Agreed.'],
          ['rolled_back', 'operator', 'CHANGE-1043: Back.'],
        ],
      )
      assert.equal((JSON.parse((await audit()).stdout) as { intact: boolean }).intact, true)
    }))
}

test('a change of the installation without a reference is refused, and changes nothing', () =>
  withOperator('sqlite', async ({ policy, path, keys, verify }) => {
    const { policy_id: id } = json<Policy>(await policy('create', path, '--reference', 'CHANGE-1'))
    const changes = [
      ['create', path],
      ['candidate', id],
      ['promote', id, '--reason', 'x'],
      ['rollback', '--reason', 'x'],
    ]
    for (const args of changes) {
      const { code, stderr } = await policy(...args)
      assert.equal(code, 1, args[0])
      assert.match(
        stderr,
        /--installation needs --reference CHANGE-ID, the id of the approved change\. Nothing/,
      )
    }
    const listed = json<Policy[]>(await policy('list'))
    assert.deepEqual(
      listed.map(({ policy_id: one, status }) => [one, status]),
      [[id, 'draft']],
    )
    assert.equal((await verify(keys[0] ?? '', 2000)).decision, 'GO')
  }))

test('what cannot be done to the installation is one clear line', () =>
  withOperator('sqlite', async ({ policy, path }) => {
    const reference = ['--reference', 'CHANGE-1']
    const { policy_id: id } = json<Policy>(await policy('create', path, ...reference))
    writeFileSync(path, JSON.stringify({ name: 'Bad', rules: [{ ...document.rules[0], when: 'nope' }] }))
    const cases: [string[], RegExp][] = [
      [
        ['show', 'pol_nope'],
        /the installation has no policy "pol_nope": run fairway policy list --installation/,
      ],
      [['candidate', 'pol_nope', ...reference], /the installation has no policy "pol_nope"/],
      [['report', id], /has not been a candidate, so it has no report/],
      [['rollback', '--reason', 'x', ...reference], /no policy of the installation is active/],
      [['create', path, ...reference], /invalid\. Nothing was created:\n {2}\/rules\/0\/when, character 1: /],
      [['promote', id, '--reason', 'x', '--reference', 'two words'], /Expected 1 to 100 letters/],
      [['list', '--url', 'http://127.0.0.1:1'], /cannot be used with option '--url <url>'/],
    ]
    for (const [args, message] of cases) {
      const { code, stderr } = await policy(...args)
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, message)
    }
  }))
