/** SIGKILL in the middle of promotions and rollbacks: afterwards one version is active, or none, and decisions name it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock } from '../../src/adapters/system.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { lifeOf, refusalOf, type ChangeKind, type PolicyChange } from '../../src/core/policy/life.ts'
import { createRng, type Rng } from '../../torture/random.ts'
import { engines, freshDatabase } from '../helpers/database/databases.ts'
import { checkedLog } from '../helpers/database/log-check.ts'
import { rowsOf } from '../helpers/database/sql.ts'
import { idle, policiesUrl, reviewAll, stopAll } from '../helpers/policies.ts'
import { checkedFetch } from '../helpers/process/checked-fetch.ts'
import { ask, holdCodes, issueByCli, serve, type Served } from '../helpers/process/process.ts'
import { fixedSeed } from '../helpers/short-form.ts'

const kills = 4
const verdictUnder = { [stopAll.name]: 'NO-GO', [reviewAll.name]: 'DEGRADED', [idle.name]: 'GO' }

interface Team {
  readonly author: string
  readonly approver: string
}

async function issueTeam(databaseUrl: string): Promise<Team> {
  const { key: author, owner_id: ownerId } = await issueByCli(databaseUrl, '--limit-verify', '1000000/60')
  const { key: approver } = await issueByCli(databaseUrl, '--for-owner', ownerId)
  return { author, approver }
}

async function post(url: string, key: string, body: object | null): Promise<{ status: number; body: Body }> {
  const answer = await checkedFetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

interface Body {
  readonly policy_id?: string
  readonly backtest_id?: string
  readonly code?: string
}

/** The policies and what was done to them, as the one who does it knows. */
class Scene {
  readonly team: Team
  readonly rng: Rng
  /** The verdict under each policy. */
  readonly verdicts = new Map<string | null, string>([[null, 'GO']])
  changes: PolicyChange[] = []
  /** Sent without an answer: made once or not at all. */
  unsure: PolicyChange | null = null

  constructor(team: Team, rng: Rng) {
    this.team = team
    this.rng = rng
  }

  async create(url: string): Promise<void> {
    for (const document of [stopAll, reviewAll, idle]) {
      const { body } = await post(url + policiesUrl, this.team.author, document)
      this.verdicts.set(body.policy_id ?? assert.fail(), verdictUnder[document.name] ?? '')
    }
  }

  /** One change that may be made now. */
  #next(): PolicyChange {
    const ids = [...this.verdicts.keys()].filter((id) => id !== null)
    const life = lifeOf(this.changes)
    for (;;) {
      const kind = this.rng.pick<ChangeKind>(['promoted', 'promoted', 'rolled_back', 'candidate'])
      const wanted = kind === 'rolled_back' ? null : this.rng.pick(ids)
      if (refusalOf(life, kind, wanted) === null) return { kind, policyId: wanted ?? life.activeId ?? '' }
    }
  }

  async change(url: string): Promise<void> {
    const change = this.#next()
    const { author, approver } = this.team
    this.unsure = change
    const { kind, policyId } = change
    const path = {
      candidate: `${policyId}/candidate`,
      promoted: `${policyId}/promote`,
      rolled_back: 'rollback',
    }
    const { status, body } = await post(
      `${url}${policiesUrl}/${path[kind]}`,
      kind === 'candidate' ? author : approver,
      kind === 'candidate' ? null : { reason: 'To see what a kill does.' },
    )
    if (status !== 200) {
      assert.match(body.code ?? '', holdCodes)
      return this.settle(url)
    }
    this.changes.push(change)
    this.unsure = null
  }

  /** Finds out whether the last change was made: everything before it was answered, so it was. */
  async settle(url: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.team.author}` }
    const answer = await checkedFetch(url + policiesUrl, { headers })
    const { active, candidate, policies } = (await answer.json()) as Listed
    const found = JSON.stringify([active, candidate])
    const possible = [this.changes, ...(this.unsure === null ? [] : [[...this.changes, this.unsure]])]
    const made = possible.find((changes) => {
      const { activeId, candidateId } = lifeOf(changes)
      return JSON.stringify([activeId, candidateId]) === found
    })
    this.changes = made ?? assert.fail(`${found} follows from no changes that were made`)
    this.unsure = null
    const inForce = policies.filter(({ status }) => status === 'active').map(({ policy_id: id }) => id)
    assert.deepEqual(inForce, active === null ? [] : [active])
  }
}

interface Listed {
  readonly active: string | null
  readonly candidate: string | null
  readonly policies: readonly { readonly policy_id: string; readonly status: string }[]
}

/** Decides until the server is gone. Every answer fits the version that it names. */
async function decideUntilKilled(server: Served, scene: Scene, onAnswer: () => void): Promise<void> {
  for (;;) {
    try {
      const answer = await ask(server.url, scene.team.author, { corridor: 'GB-NG', amount: 100 })
      const body = (await answer.json()) as {
        decision: string
        policy_version: { owner: string } | null
        code?: string
      }
      if (answer.status === 200) {
        assert.equal(body.decision, scene.verdicts.get(body.policy_version?.owner ?? null))
        onAnswer()
      } else assert.match(body.code ?? '', holdCodes)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

async function changeUntilKilled(server: Served, scene: Scene): Promise<void> {
  for (;;) {
    try {
      await scene.change(server.url)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

/** After a start: what is active is known, and the next decision names it. */
async function checkStarted(server: Served, scene: Scene): Promise<void> {
  await scene.settle(server.url)
  const { activeId } = lifeOf(scene.changes)
  const answer = await ask(server.url, scene.team.author, { corridor: 'GB-NG', amount: 100 })
  const body = (await answer.json()) as { decision: string; policy_version: object | null }
  assert.deepEqual(body.policy_version, activeId === null ? null : { owner: activeId, installation: null })
  assert.equal(body.decision, scene.verdicts.get(activeId))
}

interface Ended {
  readonly status: string
  readonly report: { readonly records: number; readonly undecided: number; readonly flips: object } | null
}

/** In its thread, over every record that was made between the kills: under the policy that stops all, all are stopped. */
async function checkBacktest({ url }: Served, databaseUrl: string, { team, verdicts }: Scene): Promise<void> {
  const [policyId = assert.fail()] = [...verdicts].find(([, verdict]) => verdict === 'NO-GO') ?? []
  const path = `${url}${policiesUrl}/${policyId}`
  const { body } = await post(`${path}/backtest`, team.author, { from: '2020-01-01', to: '2100-01-01' })
  const headers = { authorization: `Bearer ${team.author}` }
  const read = async (): Promise<Ended> => {
    const answer = await checkedFetch(`${path}/backtests/${body.backtest_id}`, { headers })
    return (await answer.json()) as Ended
  }
  let ended = await read()
  while (ended.status === 'queued' || ended.status === 'running') ended = await read()
  const rows = await rowsOf(
    databaseUrl,
    `SELECT decision || '>NO-GO' AS flip, count(*) AS count FROM verifications GROUP BY decision`,
  )
  const counts = Object.fromEntries(rows.map((row) => [String(row['flip']), Number(row['count'])]))
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const { 'NO-GO>NO-GO': _unchanged, ...flips } = counts
  assert.equal(ended.status, 'done')
  assert.deepEqual([ended.report?.records, ended.report?.undecided], [total, 0])
  assert.deepEqual(ended.report?.flips, flips)
}

/** The changes in the database are those that were made, in their order, each with one act in a log that verifies. */
async function checkStore(databaseUrl: string, { changes }: Scene): Promise<void> {
  const rows = await rowsOf(databaseUrl, 'SELECT kind, policy_id FROM policy_changes ORDER BY number')
  assert.deepEqual(
    rows.map((row) => ({ kind: row['kind'], policyId: row['policy_id'] })),
    changes,
  )
  const [head] = await rowsOf(databaseUrl, 'SELECT changes FROM policy_head')
  assert.equal(Number(head?.['changes']), changes.length)
  const acts = await rowsOf(
    databaseUrl,
    `SELECT kind FROM acts WHERE kind IN ('policy.candidate', 'policy.promoted', 'policy.rolled_back')`,
  )
  assert.equal(acts.length, changes.length)
  const onFault = (message: string): void => assert.fail(message)
  const { store } = await openStore({ databaseUrl, clock, leafHashes, onFault })
  try {
    assert.deepEqual((await checkedLog(store)).findings, [])
  } finally {
    await store.close()
  }
}

for (const engine of engines) {
  test(`${engine}: ${kills} kills in the middle of changes leave one active version, which decisions name`, async () => {
    const database = await freshDatabase(engine)
    const environment = {
      DATABASE_URL: database.url,
      FAIRWAY_LIMIT_KEYED: '1000000/60',
      FAIRWAY_COOLDOWN_S: '0',
    }
    const scene = new Scene(await issueTeam(database.url), createRng(fixedSeed))
    let running: Served | null = null
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const server = (running = await serve(environment))
        if (kill === 0) await scene.create(server.url)
        await checkStarted(server, scene)
        let left = 20 + scene.rng.below(120)
        const onAnswer = (): void => {
          left -= 1
          if (left === 0) void server.stop('SIGKILL')
        }
        const callers = Array.from({ length: 4 }, () => decideUntilKilled(server, scene, onAnswer))
        await Promise.all([changeUntilKilled(server, scene), ...callers])
      }
      const server = (running = await serve(environment))
      await checkStarted(server, scene)
      await checkBacktest(server, database.url, scene)
      assert.equal(await server.stop(), 0)
      assert.ok(scene.changes.length > kills, `${scene.changes.length} changes were made`)
      await checkStore(database.url, scene)
    } finally {
      await running?.stop('SIGKILL')
      await database.drop()
    }
  })
}
