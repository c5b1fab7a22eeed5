/** Decisions made under policies: the whole way of verify, seal and export on a real store, without HTTP. */

import assert from 'node:assert/strict'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemRandom as random } from '../../src/adapters/system.ts'
import { bundleJson, bundleOf, type Bundle } from '../../src/app/audit/bundle.ts'
import { sequenceAll } from '../../src/app/followers/catch-up.ts'
import { openDecisionFile, type DecisionFile } from '../../src/app/inspect/decision-file.ts'
import type { Signing } from '../../src/app/log/installation-key.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import { proveSealed } from '../../src/app/log/proof.ts'
import { Sealer } from '../../src/app/log/sealer.ts'
import { compilePolicy } from '../../src/app/policy/compile.ts'
import type { PoliciesInForce } from '../../src/app/policy/in-force.ts'
import { createPolicyLibrary } from '../../src/app/policy/library.ts'
import type { StoredPolicy } from '../../src/app/ports/policies.ts'
import type { SignalSource } from '../../src/app/ports/signals.ts'
import type { Store } from '../../src/app/ports/store.ts'
import { DecisionTimer } from '../../src/app/verify/decision-timer.ts'
import { createIds } from '../../src/app/verify/ids.ts'
import { createShadowSignals } from '../../src/app/verify/shadow-signals.ts'
import { createVerify } from '../../src/app/verify/verify.ts'
import { standardPolicy } from '../../src/core/decision/policy.ts'
import type { PolicyDocument } from '../../src/core/policy/document.ts'
import { corridorOf, currencyOf } from './check.ts'
import { ManualClock } from './clock.ts'
import { migratedDatabase } from './database/databases.ts'
import { keyOf } from './installation-key.ts'

/** The documents in force, by whose they are. */
export interface InForce {
  readonly owner?: PolicyDocument
  readonly installation?: PolicyDocument
}

export interface Asked {
  readonly corridor: string
  readonly amount: number | null
  readonly currency?: string
}

export interface Decided {
  readonly file: DecisionFile
  readonly bundle: Bundle
  readonly json: string
}

const ids = { owner: 'pol_owner', installation: 'pol_installation' } as const
const caller = { ownerId: 'own_1', keyId: 'key_1' }
const author = { kind: 'key', id: 'key_1', name: 'test', principalId: 'key_1' } as const

function stored(documents: InForce): Map<string, StoredPolicy> {
  const policies = (['owner', 'installation'] as const).flatMap((side): StoredPolicy[] => {
    const document = documents[side]
    if (document === undefined) return []
    const ownerId = side === 'owner' ? caller.ownerId : null
    const made = { ownerId, sha256: '', createdAtMs: 0, createdBy: author }
    return [{ ...made, policyId: ids[side], document: JSON.stringify(document) }]
  })
  return new Map(policies.map((policy) => [policy.policyId, policy]))
}

function inForce(documents: InForce): PoliciesInForce | null {
  const compiled = (side: keyof InForce) => {
    const document = documents[side]
    if (document === undefined) return null
    const policy = compilePolicy(document)
    return policy.kind === 'compiled' ? policy.as(ids[side]) : assert.fail(JSON.stringify(policy.faults))
  }
  const [owner, installation] = [compiled('owner'), compiled('installation')]
  return owner === null && installation === null ? null : { owner, installation }
}

/** Decides each payment in turn and exports it, sealed. Live if there is a live source. */
export async function decidedUnder(
  documents: InForce,
  payments: readonly Asked[],
  live: SignalSource | null = null,
): Promise<Decided[]> {
  const clock = new ManualClock()
  const database = await migratedDatabase('sqlite')
  const onFault = (message: string): void => assert.fail(message)
  const { store } = await openStore({ databaseUrl: database.url, leafHashes, clock, onFault })
  try {
    const { signing } = await keyOf(store, clock)()
    const verify = verifyOn(store, clock, documents, live)
    const made: Decided[] = []
    for (const payment of payments)
      made.push(await exported({ store, clock, signing, documents }, verify, payment))
    return made
  } finally {
    await store.close()
    await database.drop()
  }
}

function verifyOn(store: Store, clock: ManualClock, documents: InForce, live: SignalSource | null) {
  const policies = inForce(documents)
  const shadow = createShadowSignals(true)
  const verify = createVerify({
    store,
    clock,
    random,
    ids: createIds({ clock, random }),
    signals: { shadow, live: live ?? shadow },
    policy: standardPolicy,
    policies: { of: () => policies, refresh: () => Promise.resolve() },
    cooldownMs: 90_000,
    validMs: 600_000,
  })
  return ({ corridor, amount, currency = 'GBP' }: Asked) =>
    verify({
      caller: { ...caller, type: live === null ? 'test' : 'live' },
      mode: null,
      corridor: corridorOf(corridor),
      amount,
      currency: currencyOf(currency),
      correlationId: null,
      idempotencyKey: null,
      warnings: [],
      fingerprint: () => '',
      timer: new DecisionTimer(clock),
    })
}

interface Service {
  readonly store: Store
  readonly clock: ManualClock
  readonly signing: Signing
  readonly documents: InForce
}

async function exported(
  { store, clock, signing, documents }: Service,
  verify: ReturnType<typeof verifyOn>,
  payment: Asked,
): Promise<Decided> {
  const outcome = await verify(payment)
  if (outcome.kind !== 'decided') return assert.fail(outcome.kind)
  const found = stored(documents)
  const library = createPolicyLibrary({ find: (id) => Promise.resolve(found.get(id) ?? null) })
  const opened = await openDecisionFile(store.forOwner(caller.ownerId), library, outcome.requestId)
  const file = opened ?? assert.fail('no record')
  await sequenceAll(store.journal)
  await new Sealer({ store, clock, signing }).turn()
  const proof = await proveSealed({ store, sealNow: () => assert.fail('not sealed') }, file)
  const options = { atMs: clock.nowMs(), proof, signing }
  clock.advance(1_000)
  return { file, bundle: bundleOf(file, options), json: bundleJson(file, options) }
}
