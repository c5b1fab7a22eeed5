/** Exports of decisions under policies verify offline, and a policy that was changed, removed or added is found. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import type { Bundle } from '../../../src/app/audit/bundle.ts'
import { fromCsv, toCsv } from '../../../src/app/audit/csv-form.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { noDataReport, readPartners } from '../../../src/app/verify/live-signals.ts'
import type { FeedEvidence, SignalReport, SignalSource } from '../../../src/app/ports/signals.ts'
import { signalNames, type Readings } from '../../../src/core/decision/signals.ts'
import { undeclaredCorridor } from '../../../src/core/live/world.ts'
import type { PolicyDocument } from '../../../src/core/policy/document.ts'
import { hashOfDocument } from '../../../src/app/policy/compile.ts'
import { corridorOf, readingsWith } from '../../helpers/check.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { decidedUnder, type Decided } from '../../helpers/policy-exports.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

const owner: PolicyDocument = {
  name: 'Hard stops',
  caps: { GBP: { review_above: 20_000, block_above: 200_000 } },
  go_floor: 0.85,
  rules: [
    { id: 'large', when: 'amount >\n\t500.0', then: 'NO-GO', message: 'Large payments wait.' },
    { id: 'closed', when: '!calendar.open', then: 'DEGRADED', message: '=closed; "today"' },
    { id: 'idle', when: 'amount > 1e6', then: 'NO-GO', message: 'Never here.' },
  ],
}
const installation: PolicyDocument = { name: 'House rules', require_amount: true, no_go_below: 0.5 }

const gbNg = (amount: number | null) => ({ corridor: 'GB-NG', amount })

async function decided(): Promise<Decided> {
  const [made] = await decidedUnder({ owner, installation }, [gbNg(1000)])
  return made ?? assert.fail('nothing was decided')
}

const findingsOf = (bundle: Json): string[] =>
  verifyBundle(JSON.stringify(bundle)).findings.map(({ path }) => path)

test('exports of every kind of decision under policies verify, as JSON and as CSV', async () => {
  const payments = [
    ...[1000, 100, null, 30_000, 250_000, 1000.02].map(gbNg),
    { corridor: 'US-MX', amount: 700 },
    { corridor: 'GB-NG', amount: 10, currency: 'NGN' },
    gbNg(1000.08),
    gbNg(7),
  ]
  const made = await decidedUnder({ owner, installation }, payments)
  for (const { bundle, json } of made) {
    for (const text of [json, JSON.stringify(bundle), toCsv(bundle)]) {
      const { findings, notices, notRecomputed, seal } = verifyBundle(text)
      assert.deepEqual([findings, notices, notRecomputed], [[], [], null])
      assert.notEqual(seal, null)
    }
    assert.deepEqual(fromCsv(toCsv(bundle)), JSON.parse(json))
    const documents = [
      { policy_id: 'pol_owner', document: owner },
      { policy_id: 'pol_installation', document: installation },
    ]
    assert.deepEqual([bundle.export_version, bundle.policies], [8, documents])
  }
  assert.notEqual(made.at(-1)?.bundle.source_record, null, 'the last repeats the one before')
})

test('an export without policies has an empty list', async () => {
  const [plain] = await decidedUnder({}, [gbNg(1000)])
  const { bundle, json } = plain ?? assert.fail()
  assert.deepEqual(bundle.policies, [])
  assert.deepEqual(verifyBundle(json).findings, [])
  assert.deepEqual(verifyBundle(toCsv(bundle)).findings, [])
})

const feeds = signalNames.map((): FeedEvidence => ({ kind: 'constant', value: 1, observed_at_ms: null }))

function liveSource(report: SignalReport): SignalSource {
  return { signalsOf: () => signalNames, corridorOf: () => undefined, read: () => Promise.resolve(report) }
}

const answerOf = (made: Decided | undefined): Json => (made ?? assert.fail('not decided')).file.answer

function partnersRead(readings: Readonly<Record<string, Readings>>): SignalReport {
  const corridor = undeclaredCorridor(corridorOf('GB-NG'), null)
  const routes = Object.entries(readings).map(([id, read]) => {
    const partner = { id, name: id, fee: null, amountMax: null }
    return { partner, readings: read, feeds, unavailable: [] }
  })
  const { settlementCurrency } = corridor
  const shared = { corridor, settlementCurrency, volatility: 0.02, toleranceHundredths: 0 }
  return readPartners(routes, shared, 1000)
}

test('live exports verify with partners, of which a rule left out the best, and without any data', async () => {
  const avoided: PolicyDocument = {
    name: 'Not alpha',
    rules: [{ id: 'alpha', when: 'partner == "alpha"', then: 'NO-GO', message: 'Alpha is not used.' }],
  }
  const partners = partnersRead({ alpha: readingsWith({}), beta: readingsWith({ network_healthy: 900 }) })
  const [chosen] = await decidedUnder({ owner: avoided }, [gbNg(1000)], liveSource(partners))
  assert.equal(answerOf(chosen).recommended_partner, 'beta')
  const none = liveSource({ ...noDataReport(corridorOf('US-MX')), kind: 'read' })
  const [blind] = await decidedUnder({ owner: avoided }, [{ corridor: 'US-MX', amount: 5 }], none)
  assert.equal(answerOf(blind).decision, 'NO-GO', 'a rule on data that there is not fires')
  for (const made of [chosen, blind]) {
    const { findings, notices, notRecomputed } = verifyBundle(made?.json ?? '')
    assert.deepEqual([findings, notices, notRecomputed], [[], [], null])
  }
})

test('every value of a policy that is changed is found, and the finding leads to it', async () => {
  const { bundle } = await decided()
  const { policies } = bundle.record['evidence'] as Json
  const parts = {
    '/policies': bundle.policies,
    '/record/evidence/policies': policies,
    '/explanation/policies': (bundle.explanation as Json).policies,
  }
  let count = 0
  for (const [at, part] of Object.entries(parts)) {
    for (const path of leavesOf(part, at)) {
      const forged = structuredClone(bundle)
      change(forged, path)
      const found = findingsOf(forged)
      const leads = found.some((place) => path === place || path.startsWith(`${place}/`))
      assert.ok(leads, `${path}: ${found.join()}`)
      count += 1
    }
  }
  assert.ok(count > 40, `${count} values were tried`)
})

function* leavesOf(node: Json, path: string): Generator<string> {
  if (typeof node !== 'object' || node === null) yield path
  else for (const name of Object.keys(node)) yield* leavesOf(node[name], `${path}/${name}`)
}

function change(bundle: Json, path: string): void {
  const names = path.slice(1).split('/')
  const last = names.pop() ?? ''
  const parent = names.reduce((node, name) => node[name], bundle)
  const value = parent[last]
  parent[last] = typeof value === 'number' ? value + 1 : `${value}x`
}

/** As one who knows how hashes are made: all are mended. Without a proof, so that the contents must give it away. */
function forgedCopy(bundle: Bundle, forge: (copy: Json) => void): Json {
  const copy: Json = structuredClone(bundle)
  forge(copy)
  const { integrity: _old, proof: _sealed, ...evidence } = copy
  const proof = { status: 'pending', record: null, override: null, outcome: null, checkpoint: null }
  return { ...evidence, proof, integrity: forgedIntegrity(evidence) }
}

const { rules = [] } = owner
const lax: PolicyDocument = { ...owner, rules: rules.slice(1) }

/** Each changes one thing, and mends every hash of the file. */
const forgeries: readonly (readonly [what: string, forge: (bundle: Json) => void, path: string])[] = [
  ['a document is swapped', ({ policies }) => (policies[0].document = lax), '/policies/0/document'],
  [
    'an expression is changed',
    ({ policies }) => (policies[0].document.rules[0].when = 'false'),
    '/policies/0/document',
  ],
  [
    'a message is changed in the document',
    ({ policies }) => (policies[0].document.rules[0].message = 'Nothing.'),
    '/policies/0/document',
  ],
  ['a document is removed', ({ policies }) => policies.pop(), '/policies'],
  ['all documents are removed', (bundle) => (bundle.policies = []), '/policies'],
  ['the member is removed', (bundle) => delete bundle.policies, '/policies'],
  [
    'passed off as an export of before',
    (bundle) => {
      delete bundle.policies
      bundle.export_version = 5
    },
    '/policies',
  ],
  ['no list', (bundle) => (bundle.policies = { owner: bundle.policies[0] }), '/policies'],
  ['no policy', ({ policies }) => (policies[1] = 'strict'), '/policies/1'],
  ['no document', ({ policies }) => delete policies[1].document, '/policies/1'],
  [
    'a document is added',
    ({ policies }) => policies.push({ policy_id: 'pol_3', document: lax }),
    '/policies/2',
  ],
  ['a document is repeated', ({ policies }) => policies.push(policies[0]), '/policies/2'],
  ['the order is another', ({ policies }) => policies.push(policies.shift()), '/policies/0'],
  ['a member is added', ({ policies }) => (policies[0].note = 'x'), '/policies/0/note'],
  [
    'a document that cannot be compiled',
    (bundle) => swap(bundle, { ...owner, rules: [{ ...rules[0], when: 'amount >' }] }),
    '/policies/0/document/rules/0/when',
  ],
  ['a document that is none', (bundle) => swap(bundle, 'anything goes'), '/policies/0/document'],
  ['a laxer document with its hash', (bundle) => swap(bundle, lax), '/record'],
  [
    'a fired rule is removed from the evidence',
    ({ record }) => record.evidence.policies.fired.shift(),
    '/record/evidence/policies/fired',
  ],
  [
    'a rule fired that did not',
    ({ record }) => record.evidence.policies.fired.push({ policy_id: 'pol_owner', rule_id: 'idle' }),
    '/record/evidence/policies/fired/2',
  ],
  [
    'a rule fired that there is not',
    ({ record }) => record.evidence.policies.fired.push({ policy_id: 'pol_owner', rule_id: 'none' }),
    '/record',
  ],
  [
    'a failed rule is called evaluated',
    ({ record }) => delete record.evidence.policies.fired[1].failed,
    '/record/evidence/policies/fired/1/failed',
  ],
  [
    'a message is changed in the answer',
    ({ record }) => (record.answer.reasons[0].message = 'Nothing to see.'),
    '/record/answer/reasons/0/message',
  ],
  [
    'a message is changed in the explanation',
    ({ explanation }) => (explanation.policies.owner.rules_fired[0].message = 'Nothing to see.'),
    '/explanation/policies/owner/rules_fired/0/message',
  ],
  [
    'policy_version is changed',
    ({ record }) => (record.answer.policy_version.owner = 'pol_lax'),
    '/record/answer/policy_version/owner',
  ],
  [
    'policy_version is null',
    ({ record }) => (record.answer.policy_version = null),
    '/record/answer/policy_version',
  ],
  ['the evidence names no policy', ({ record }) => delete record.evidence.policies, '/policies/0'],
  ['the evidence names no owner', ({ record }) => (record.evidence.policies.owner = null), '/policies/0'],
  [
    'a floor is lowered',
    ({ record }) => (record.evidence.policies.go_floor_hundredths = 70),
    '/record/evidence/policies',
  ],
  [
    'the caps without policies are loosened',
    ({ record }) => (record.evidence.policies.block_above = 600_000),
    '/record/evidence/policies',
  ],
  [
    'the partner is another',
    ({ record }) => (record.evidence.policies.partner = 'another'),
    '/record/evidence/policies/partner',
  ],
  ['the calendar was open', ({ record }) => (record.evidence.policies.calendar_open = true), '/record/'],
]

/** Puts another document in the place of the owner's, and its hash into the evidence. */
function swap({ policies, record }: Json, document: Json): void {
  policies[0].document = document
  record.evidence.policies.owner.sha256 = hashOfDocument(document)
}

test('what was changed together with every hash of the file is found, at its place', async () => {
  const { bundle } = await decided()
  const untouched = findingsOf(forgedCopy(bundle, () => undefined))
  assert.deepEqual(untouched, [], 'a proof that is pending is no change')
  for (const [what, forge, path] of forgeries) {
    const found = findingsOf(forgedCopy(bundle, forge))
    const leads = found.some((at) => at === path || at.startsWith(path.endsWith('/') ? path : `${path}/`))
    assert.ok(leads, `${what}: ${found.join()}`)
  }
})

test('of a repeat, the policies are those of its source', async () => {
  const [, repeat] = await decidedUnder({ owner, installation }, [gbNg(1000.08), gbNg(7)])
  const { bundle } = repeat ?? assert.fail()
  const attacks: readonly (readonly [forge: (bundle: Json) => void, path: string])[] = [
    [({ policies }) => policies.shift(), '/policies'],
    [({ policies }) => (policies[0].document = lax), '/policies/0/document'],
    [
      ({ source_record: source }) => source.evidence.policies.fired.shift(),
      '/source_record/evidence/policies/fired/0/rule_id',
    ],
    [
      ({ source_record: source }) => (source.evidence.policies.review_above = 60_000),
      '/source_record/evidence/policies',
    ],
    [
      ({ source_record: source }) => (source.answer.reasons.at(-1).message = 'Nothing.'),
      '/source_record/answer/reasons',
    ],
  ]
  for (const [forge, path] of attacks) {
    const found = findingsOf(forgedCopy(bundle, forge))
    assert.ok(
      found.some((at) => at.startsWith(path)),
      `${path}: ${found.join()}`,
    )
  }
})

test('a decision that is made up whole under a laxer policy is not the one in the log', async () => {
  const { bundle } = await decided()
  const [made] = await decidedUnder({ owner: lax, installation }, [gbNg(1000)])
  const forged: Json = { ...made?.bundle, proof: bundle.proof }
  assert.ok(findingsOf({ ...forged, integrity: forgedIntegrity(forged) }).includes('/proof/record/leaf'))
})

test('a policy that is missing or changed is why the decision was not made again', async () => {
  const { bundle } = await decided()
  const { notRecomputed } = verifyBundle(JSON.stringify(forgedCopy(bundle, ({ policies }) => policies.pop())))
  assert.equal(notRecomputed, 'a policy of the decision is missing or was changed')
})

test('whatever stands in the place of policies is a finding, and never an error', async () => {
  const { bundle } = await decided()
  const anything = fc.jsonValue({ maxDepth: 4 })
  const places: readonly ((bundle: Json, value: unknown) => void)[] = [
    (copy, value) => (copy.policies = value),
    (copy, value) => (copy.policies[0] = value),
    (copy, value) => (copy.policies[1].policy_id = value),
    (copy, value) => swap(copy, value),
    (copy, value) => (copy.record.evidence.policies = value),
    (copy, value) => (copy.record.evidence.policies.owner = value),
    (copy, value) => (copy.record.evidence.policies.fired = value),
    (copy, value) => (copy.record.evidence.policies.installation.sha256 = value),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...places), anything, (put, value) => {
      const forged = forgedCopy(bundle, (copy) => put(copy, value))
      assert.ok(findingsOf(forged).length > 0)
    }),
    { numRuns: 200 },
  )
})

test('policies at their limits, with every rule fired, go through CSV and verify', async () => {
  const message = '"'.repeat(300)
  const rule = (place: number) => ({ id: `r${place}`, when: 'true', then: 'NO-GO' as const, message })
  const full = { name: 'Full', rules: Array.from({ length: 100 }, (_, place) => rule(place)) }
  const [made] = await decidedUnder({ owner: full, installation: full }, [gbNg(1000)])
  const { bundle } = made ?? assert.fail()
  assert.equal((bundle.record['evidence'] as Json).policies.fired.length, 200)
  const csv = toCsv(bundle)
  assert.deepEqual(verifyBundle(csv).findings, [])
})
