/** Policies as the tests ask for them: over HTTP, by two keys of one owner, of which one writes and one approves. */

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { systemRandom as random } from '../../src/adapters/system.ts'
import type { IssuedKey } from '../../src/app/access/keys.ts'
import { createActivePolicies } from '../../src/app/policy/active.ts'
import { createPolicyLibrary } from '../../src/app/policy/library.ts'
import { createPolicies, type OwnPolicies } from '../../src/app/policy/policies.ts'
import type { Actor } from '../../src/app/ports/records.ts'
import type { KeyPrefix } from '../../src/core/identity/api-key.ts'
import type { PolicyDocument, RuleDocument } from '../../src/core/policy/document.ts'
import type { Answer, Harness } from './harness.ts'
import { post } from './post.ts'

export const policiesUrl = '/api/v1/policies'

export const ruleOf = (
  id: string,
  when: string,
  then: RuleDocument['then'] = 'NO-GO',
  message = `${id}.`,
): RuleDocument => ({ id, when, then, message })

/** Stops every payment. */
export const stopAll: PolicyDocument = { name: 'Stop all', rules: [ruleOf('all', 'true')] }
/** Has every payment looked at. */
export const reviewAll: PolicyDocument = { name: 'Review all', rules: [ruleOf('look', 'true', 'DEGRADED')] }
/** Changes nothing. */
export const idle: PolicyDocument = { name: 'Idle', rules: [ruleOf('never', 'false')] }

/** An owner with a key that writes policies, and one that approves them. */
export interface Team {
  readonly ownerId: string
  readonly author: IssuedKey
  readonly approver: IssuedKey
  readonly create: (document?: object) => Promise<string>
  readonly makeCandidate: (policyId: string) => Promise<Answer>
  readonly promote: (policyId: string, reason?: string) => Promise<Answer>
  readonly rollBack: (reason?: string) => Promise<Answer>
  /** Creates and promotes. */
  readonly putInForce: (document: object) => Promise<string>
  readonly show: (policyId: string) => Promise<Answer>
  readonly list: (query?: string) => Promise<Answer>
}

export async function teamOn(harness: Harness, prefix: KeyPrefix = 'pk_test_'): Promise<Team> {
  const author = await harness.issue({ prefix, ownerLabel: 'author' })
  const { ownerId } = author.record
  const approver = await harness.issue({ prefix, ownerLabel: 'approver', ownerId })
  return teamOf(harness, author, approver)
}

/** The same two keys on this instance. */
export function teamOf(harness: Harness, author: IssuedKey, approver: IssuedKey): Team {
  const create = async (document: object = stopAll): Promise<string> => {
    const { status, body, text } = await post(harness, policiesUrl, document, { key: author.key })
    assert.equal(status, 200, text)
    return String(body.policy_id)
  }
  const promote = (policyId: string, reason = 'Agreed.'): Promise<Answer> =>
    post(harness, `${policiesUrl}/${policyId}/promote`, { reason }, { key: approver.key })
  return {
    ownerId: author.record.ownerId,
    author,
    approver,
    create,
    promote,
    makeCandidate: (policyId) => postEmpty(harness, author.key, `${policiesUrl}/${policyId}/candidate`),
    rollBack: (reason = 'It stops too much.') =>
      post(harness, `${policiesUrl}/rollback`, { reason }, { key: approver.key }),
    async putInForce(document) {
      const policyId = await create(document)
      const { status, text } = await promote(policyId)
      assert.equal(status, 200, text)
      return policyId
    },
    show: (policyId) => harness.get(author.key, `${policiesUrl}/${policyId}`),
    list: (query = '') => harness.get(author.key, `${policiesUrl}${query}`),
  }
}

export function postEmpty(harness: Harness, key: string, url: string): Promise<Answer> {
  return harness.send({ method: 'POST', url, headers: { authorization: `Bearer ${key}` } })
}

export function remove(harness: Harness, key: string, url: string): Promise<Answer> {
  return harness.send({ method: 'DELETE', url, headers: { authorization: `Bearer ${key}` } })
}

/** The verdict and the policies of a payment that is healthy without policies. */
export async function decideOn(
  harness: Harness,
  key: string,
  more: object = {},
): Promise<{ decision: string; version: unknown; body: Answer['body'] }> {
  const { status, body, text } = await harness.verify(key, { corridor: 'GB-NG', amount: 100, ...more })
  assert.equal(status, 200, text)
  return { decision: String(body.decision), version: body.policy_version, body }
}

const operator: Actor = { kind: 'operator', id: 'ops', name: 'ops', principalId: 'operator:ops' }

/** The policies of an owner, or of the installation, as the command line reaches them: backtests only wait here. */
export function policiesOf({ store, clock, journal }: Harness, ownerId: string | null): OwnPolicies {
  const library = createPolicyLibrary(store.policies)
  const active = createActivePolicies({ store: store.policies, library, clock })
  const work = { nudge: () => undefined, followed: () => journal.passed('policies') }
  return createPolicies({ store, library, clock, random, active, ...work })(ownerId)
}

export const installationOf = (harness: Harness): OwnPolicies & { readonly by: Actor } => ({
  ...policiesOf(harness, null),
  by: operator,
})

/** Creates and promotes a policy of the installation; other instances see it as soon as they look. */
export async function installInForce(harness: Harness, document: object): Promise<string> {
  const own = installationOf(harness)
  const created = await own.create(document, own.by, 'CHANGE-1')
  if (created.kind !== 'created') return assert.fail(JSON.stringify(created))
  const { policyId } = created.policy
  const promoted = await own.promote(policyId, own.by, 'CHANGE-1')
  assert.equal(promoted?.kind, 'changed')
  harness.clock.advance(700)
  return policyId
}

export interface BacktestBody {
  readonly from: string
  readonly to: string
  readonly mode?: 'shadow' | 'live'
}

export async function startBacktest(
  harness: Harness,
  key: string,
  policyId: string,
  body: BacktestBody,
): Promise<string> {
  const answer = await post(harness, `${policiesUrl}/${policyId}/backtest`, body, { key })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.backtest_id)
}

export const backtestUrl = (policyId: string, backtestId: string): string =>
  `${policiesUrl}/${policyId}/backtests/${backtestId}`

/** Waits until it has ended, however long that takes. */
export async function endedBacktest(
  harness: Harness,
  key: string,
  policyId: string,
  backtestId: string,
): Promise<Answer['body']> {
  for (;;) {
    const { body, text } = await harness.get(key, backtestUrl(policyId, backtestId))
    if (body.status !== 'queued' && body.status !== 'running') return body
    assert.ok(body.report === null, text)
    await setImmediate()
  }
}

/** All of recorded time. */
export const everything: BacktestBody = { from: '2020-01-01', to: '2100-01-01' }

/** The report of a backtest that is done. */
export async function backtested(
  harness: Harness,
  key: string,
  policyId: string,
  body: BacktestBody = everything,
): Promise<Answer['body']> {
  const backtestId = await startBacktest(harness, key, policyId, body)
  const ended = await endedBacktest(harness, key, policyId, backtestId)
  assert.equal(ended.status, 'done', JSON.stringify(ended))
  return ended.report
}
