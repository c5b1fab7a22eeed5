/** A bundle that was changed is found out, wherever it was changed, and the place is named. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../../../src/app/audit/bundle.ts'
import { InvalidBundle, fromCsv, toCsv } from '../../../src/app/audit/csv-form.ts'
import { readVerifierKey, signerOf, verifierKey } from '../../../src/app/log/checkpoint.ts'
import { verifyBundle } from '../../../src/app/audit/verify.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'
import { withHarness } from '../../helpers/harness.ts'
import { override } from '../../helpers/webhooks.ts'

// eslint-disable-next-line typescript/no-explicit-any -- a bundle is looked into and changed freely
type Json = any

/** Of a plain decision, of an overridden one, and of one that a cooldown repeated; sealed, or exported before they were. */
async function bundles(isSealed = false): Promise<Json[]> {
  const made: Json[] = []
  await withHarness({ sealsByHand: true }, async (harness) => {
    const { key } = await harness.issue()
    const take = async (id: string): Promise<void> => {
      if (isSealed) await harness.seal()
      made.push((await harness.get(key, `/api/v1/audit/export/${id}`)).body)
    }
    const plain = await harness.verify(key, { corridor: 'GB-NG', amount: 1234.5, correlation_id: 'order 7' })
    await take(plain.body.request_id)
    const held = await harness.verify(key, { corridor: 'GB-NG', amount: 60_000 })
    await override(harness, key, held.body.request_id)
    await take(held.body.request_id)
    await harness.verify(key, { corridor: 'NG-GB', amount: 1.08 })
    const repeated = await harness.verify(key, { corridor: 'NG-GB', amount: 2 })
    await take(repeated.body.request_id)
  })
  return made
}

const copy = (bundle: Json): Json => structuredClone(bundle)
const findingsOf = (bundle: Json): string[] =>
  verifyBundle(JSON.stringify(bundle)).findings.map(({ path }) => path)

function* leavesOf(node: Json, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof node !== 'object' || node === null || Object.keys(node).length === 0) yield path
  else for (const name of Object.keys(node)) yield* leavesOf(node[name], [...path, name])
}

function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value}x`
  return typeof value === 'boolean' ? !value : 'something'
}

const parentOf = (bundle: Json, path: readonly (string | number)[]): Json =>
  path.slice(0, -1).reduce((node: Json, name) => node[name], bundle)

test('every single value that is changed is found, and the finding leads to it', async () => {
  for (const bundle of await bundles(true)) {
    assert.deepEqual(findingsOf(bundle), [])
    let count = 0
    for (const path of leavesOf(bundle)) {
      const forged = copy(bundle)
      const name = path.at(-1) ?? ''
      const parent = parentOf(forged, path)
      parent[name] = otherThan(parent[name])
      const pointer = `/${path.map((token) => String(token).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
      if (pointer === '/export_version') {
        assert.throws(() => findingsOf(forged), InvalidBundle)
        continue
      }
      const found = findingsOf(forged)
      assert.ok(found.length > 0, `${pointer} was changed unnoticed`)
      const leads = (at: string): boolean =>
        pointer === at ||
        (pointer.startsWith('/proof/') && at.startsWith('/proof/')) ||
        pointer.startsWith(`${at}/`) ||
        pointer === `/integrity/member_hashes/${at.replaceAll('/', '~1')}`
      const isHash = pointer.startsWith('/integrity/member_hashes/')
      assert.ok(
        found.some((at) => leads(at) || (isHash && at === '/integrity/member_hashes')),
        `${pointer}: ${found.join()}`,
      )
      count += 1
    }
    assert.ok(count > 150, `${count} values were tried`)
  }
})

test('every member that is taken away or added is found', async () => {
  const [bundle] = await bundles()
  for (const name of Object.keys(bundle.record)) {
    const forged = copy(bundle)
    delete forged.record[name]
    assert.ok(findingsOf(forged).includes(`/record/${name}`), name)
  }
  for (const name of ['explanation', 'timeline', 'human_override', 'source_record', 'exported_at', 'proof']) {
    const forged = copy(bundle)
    delete forged[name]
    assert.ok(findingsOf(forged).length > 0, name)
  }
  assert.ok(findingsOf({ ...bundle, approved_by: 'somebody' }).includes('/approved_by'))
  assert.ok(findingsOf({ ...bundle, record: { ...bundle.record, note: 'x' } }).includes('/record/note'))
})

/** As one would who knows how the hashes are made, and signs with a key of his own where he must. */
function rehashed(bundle: Json): Json {
  const { integrity: old, proof, ...evidence } = bundle
  const integrity = forgedIntegrity(evidence as Evidence)
  return { ...evidence, proof, integrity: integrity.bundle_hash === old.bundle_hash ? old : integrity }
}

test('a decision that was changed together with its hashes does not follow from its evidence', async () => {
  const [bundle] = await bundles()
  const forged = copy(bundle)
  forged.record.decision = 'NO-GO'
  assert.ok(findingsOf(rehashed(forged)).includes('/record/decision'), 'the answer still says GO')
  forged.record.answer.decision = 'NO-GO'
  forged.explanation.decision = 'NO-GO'
  assert.ok(findingsOf(rehashed(forged)).includes('/record/decision'), 'the evidence still says GO')
})

test('evidence that was changed together with its hashes does not add up', async () => {
  const [bundle] = await bundles()
  const forged = copy(bundle)
  forged.record.evidence.contributions[0] -= 1000
  assert.ok(findingsOf(rehashed(forged)).includes('/record/evidence/contributions/0'))
  const timed = copy(bundle)
  timed.timeline.total_duration_ms = 99
  assert.deepEqual(findingsOf(rehashed(timed)), ['/timeline/total_duration_ms'])
  const told = copy(bundle)
  told.explanation.factors[1].flagged = true
  assert.deepEqual(findingsOf(rehashed(told)), ['/explanation/factors/1/flagged'])
})

test('wording alone, under a hash that holds, is no change: another release may say it better', async () => {
  const [bundle] = await bundles()
  const reworded = copy(bundle)
  reworded.explanation.summary = 'Said in other words.'
  const verified = verifyBundle(JSON.stringify(rehashed(reworded)))
  assert.deepEqual(verified.findings, [])
  assert.deepEqual(
    verified.notices.map(({ path }) => path),
    ['/explanation/summary'],
    'but it is told',
  )
  assert.deepEqual(findingsOf(reworded), ['/explanation/summary'], 'unless the hash says that it was changed')
})

test('a record of another engine is checked by its hashes, and that it was not decided again is said', async () => {
  const [bundle] = await bundles()
  const older = copy(bundle)
  older.record.evidence.engine = '1.2.0'
  const verified = verifyBundle(JSON.stringify(rehashed(older)))
  assert.deepEqual(verified.findings, [])
  assert.match(verified.notRecomputed ?? '', /engine 1\.2\.0 decided/)
})

test('another record as the source of a cooldown is found', async () => {
  const [plain, , repeated] = await bundles()
  const forged = rehashed({ ...repeated, source_record: plain.record })
  assert.ok(findingsOf(forged).includes('/source_record'))
})

/** Each changes one thing, and mends every hash. */
const forgeries: readonly (readonly [what: string, forge: (bundle: Json) => void, path: string])[] = [
  ['the amount', ({ record }) => (record.amount = 51_000), '/record/answer'],
  ['the currency', ({ record }) => (record.currency = 'JPY'), '/record/answer'],
  ['the confidence', ({ record }) => (record.confidence = 0.99), '/record/confidence'],
  ['its reason codes', ({ record }) => (record.reason_codes = ['HEALTHY_PARTNER']), '/record/reason_codes'],
  [
    'a contribution',
    ({ record }) => (record.signal_contributions[0].risk_value = 1),
    '/record/signal_contributions',
  ],
  ['a signal', ({ record }) => (record.answer.signals.network_healthy = false), '/record/answer/signals'],
  [
    'the action',
    ({ record }) => (record.answer.recommended_action = 'BLOCK'),
    '/record/answer/recommended_action',
  ],
  [
    'a reason',
    ({ record }) => record.answer.reasons.push({ code: 'NETWORK_DEGRADED', message: '' }),
    '/record/answer/reasons',
  ],
  [
    'the partner',
    ({ record }) => (record.answer.recommended_partner = 'another'),
    '/record/answer/recommended_partner',
  ],
  ['the gate', ({ record }) => (record.evidence.gate = 'block'), '/record/evidence/gate'],
  [
    'a reading',
    ({ record }) => (record.evidence.risk_thousandths[1] = 100),
    '/record/evidence/risk_thousandths/1',
  ],
  [
    'how far it is trusted',
    ({ record }) => (record.evidence.confidence_percent[2] = 71),
    '/record/evidence/confidence_percent/2',
  ],
  [
    'where its signals came from',
    ({ record }) => (record.evidence.source = 'live'),
    '/record/evidence/source',
  ],
  ['an addition', ({ record }) => (record.note = 'x'), '/record/note'],
  ['a member of its own', (bundle) => (bundle.approved_by = 'somebody'), '/approved_by'],
]

test('whatever was changed in a record together with its hashes does not follow', async () => {
  const [, held] = await bundles()
  for (const [what, forge, path] of forgeries) {
    const forged = copy(held)
    forge(forged)
    const found = findingsOf(rehashed(forged))
    assert.ok(
      found.some((at) => at.startsWith(path)),
      `${what}: ${found.join()}`,
    )
  }
})

test('an override that was changed together with its hashes is held against its decision', async () => {
  const [plain, held] = await bundles()
  const spoilt = (change: object): Json =>
    rehashed({ ...held, human_override: { ...held.human_override, ...change } })
  assert.deepEqual(findingsOf(spoilt({ request_id: plain.record.request_id })), [
    '/human_override/request_id',
  ])
  assert.deepEqual(findingsOf(spoilt({ original_decision: 'NO-GO' })), ['/human_override/original_decision'])
  assert.deepEqual(findingsOf(spoilt({ action: 'APPROVE' })), ['/human_override/action'])
  assert.deepEqual(findingsOf(spoilt({ more: 'x' })), ['/human_override'])
  assert.deepEqual(findingsOf(rehashed({ ...held, human_override: 'yes' })), ['/human_override'])
  const moved = { ...held.human_override, request_id: plain.record.request_id, original_decision: 'GO' }
  assert.deepEqual(findingsOf(rehashed({ ...plain, human_override: moved })), [
    '/human_override/original_decision',
  ])
})

test('what only the service can know changes the hash that is compared with it', async () => {
  const [, held] = await bundles()
  const hashes = (bundle: Json) => verifyBundle(JSON.stringify(bundle)).computed
  const before = hashes(held)
  const forged = rehashed({ ...held, human_override: { ...held.human_override, action: 'REJECT' } })
  assert.deepEqual(findingsOf(forged), [])
  assert.equal(hashes(forged).record_hash, before.record_hash)
  assert.notEqual(hashes(forged).bundle_hash, before.bundle_hash)
  const later = { ...held, exported_at: '2030-01-01T00:00:00.000Z' }
  assert.equal(hashes(later).bundle_hash, before.bundle_hash, 'when it was exported is no part of it')
  assert.deepEqual(findingsOf(later), ['/exported_at', '/integrity/signature'], 'but is signed')
})

test('what is made up, down to the last hash, is not in the log', async () => {
  const [plain, held] = await bundles(true)
  const forged = rehashed({ ...held, human_override: { ...held.human_override, action: 'REJECT' } })
  assert.deepEqual(findingsOf(forged), ['/proof/override/leaf', '/integrity/signature'])
  const borrowed = rehashed({ ...held, proof: plain.proof })
  assert.deepEqual(findingsOf(borrowed), ['/proof/record/leaf', '/proof/status'])
  const unsealed = rehashed({
    ...held,
    proof: { status: 'pending', record: null, override: null, checkpoint: null },
  })
  assert.deepEqual(findingsOf(unsealed), [], 'what was exported too early shows nothing')
  const { seal } = verifyBundle(JSON.stringify(held))
  assert.equal(seal?.checkpoint.size, 3)
  const key = readVerifierKey(seal?.verifierKey ?? '') ?? assert.fail('no key')
  assert.deepEqual(verifyBundle(JSON.stringify(held), key).findings, [])
  const asked = (bundle: Json) => verifyBundle(JSON.stringify(bundle), key).findings.map(({ path }) => path)
  assert.deepEqual(asked(unsealed), ['/proof'], 'and is not enough for who trusts a key')
  const pending = rehashed({ ...held, proof: { ...held.proof, override: null, status: 'pending' } })
  assert.deepEqual(
    asked(pending),
    ['/proof/override'],
    'nor is an override without its leaf, which anybody can write',
  )
  assert.equal(verifyBundle(JSON.stringify(pending)).seal?.isOverridePending, true)
  const plainKey = verifierKey(key.origin, signerOf(Buffer.alloc(32, 8)).publicKey)
  const misnamed = rehashed({
    ...held,
    proof: { ...held.proof, checkpoint: { ...held.proof.checkpoint, verifier_key: plainKey } },
  })
  assert.equal(verifyBundle(JSON.stringify(misnamed), key).seal?.verifierKey, seal?.verifierKey)
  const stranger = { origin: key.origin, publicKey: signerOf(Buffer.alloc(32, 8)).publicKey }
  const [finding] = verifyBundle(JSON.stringify(held), stranger).findings
  assert.match(finding?.message ?? '', /not signed by the trusted key/)
})

test('a name that stands twice is refused, since a person may read the other one', async () => {
  const [bundle] = await bundles()
  const text = JSON.stringify(bundle)
  for (const forged of [
    text.replace('"record":{', '"record":{"decision":"NO-GO",'),
    text.replace('{', '{"record":{"decision":"NO-GO"},'),
  ]) {
    assert.throws(() => verifyBundle(forged), { name: 'InvalidBundle', message: /repeats a member name/ })
  }
  const quoted = rehashed({ ...bundle, record: { ...bundle.record, correlation_id: 'a":"b":{"c\\":' } })
  assert.ok(findingsOf(quoted).length > 0, 'and a text that looks like names is none')
})

test('cells of a CSV are read strictly: what its type does not take is a change', async () => {
  const [bundle] = await bundles()
  const csv = toCsv(bundle)
  const rows: [from: string, to: string, path: string][] = [
    ['/changed_decision,boolean,false', '/changed_decision,boolean,yes', '/explanation/policy_gate'],
    [
      '/cooldown_source_request_id,null,',
      '/cooldown_source_request_id,null,nothing',
      '/record/cooldown_source_request_id',
    ],
    ['/human_override,null,', '/human_override,null,EXECUTE', '/human_override'],
    ['/penalty/amount,number,0', '/penalty/amount,number,', '/explanation/penalty/amount'],
    ['/record/amount,number,1234.5', '/record/amount,number,0x10', '/record/amount'],
  ]
  for (const [from, to, path] of rows) {
    assert.ok(csv.includes(from), from)
    const { findings } = verifyBundle(csv.replace(`${from}\n`, `${to}\n`))
    assert.ok(
      findings.some((finding) => finding.path.startsWith(path)),
      `${to}: ${findings.map((one) => one.path).join()}`,
    )
  }
  const saved = csv
    .replaceAll(',boolean,false', ',boolean,FALSE')
    .replaceAll(',boolean,true', ',boolean,TRUE')
  assert.deepEqual(verifyBundle(saved).findings, [], 'a spreadsheet writes truth in capitals')
  // A cell may have several lines; a row begins with a path.
  const [head = '', ...lines] = csv.trimEnd().split(/\n(?=\/)/)
  assert.deepEqual(verifyBundle([head, ...lines.toReversed()].join('\n')).findings, [], 'rows in any order')
  const wide = csv.replace('/record/currency,string,GBP', '/record/currency,string,GBP,approved')
  assert.throws(() => verifyBundle(wide), /more than three columns in row \d+/)
})

test('a bundle goes through CSV and back without loss, and a changed cell is found', async () => {
  for (const bundle of await bundles()) {
    const csv = toCsv(bundle)
    assert.deepEqual(fromCsv(csv), bundle)
    const changed = csv.replace('/record/currency,string,GBP', '/record/currency,string,NGN')
    assert.notEqual(changed, csv)
    assert.deepEqual(
      verifyBundle(changed).findings.map(({ path }) => path),
      ['/record/currency'],
    )
  }
})

test('texts that a spreadsheet would run, quotes and lines survive CSV', () => {
  const value = { a: ['=1+1', "'=x", '-5', 'a,"b"\nc', '', ' '], b: {}, c: [], d: null, 'e/f~g': { h: -0.5 } }
  assert.deepEqual(fromCsv(toCsv(value)), value)
})

test('what is no bundle is refused in words', () => {
  const rows: [string, RegExp][] = [
    ['', /neither JSON nor CSV/],
    ['hello', /neither JSON nor CSV/],
    ['{', /is not valid JSON/],
    ['{}', /record or integrity is missing/],
    ['{"record":{},"integrity":{}}', /its hashes are missing/],
    [
      '{"export_version":9,"record":{},"integrity":{"record_hash":"","member_hashes":{}}}',
      /export version 9/,
    ],
    ['path,type,value\n/a,strange,1\n', /row 2/],
    ['{"record":{"amount":1e400},"integrity":{}}', /invalid value at \/record\/amount$/],
    ['{"record":{"a":"\\ud800"},"integrity":{}}', /invalid value at \/record\/a$/],
    [`{"record":${'['.repeat(5_000)}${']'.repeat(5_000)},"integrity":{}}`, /nested deeper/],
    ['path,type,value\n/a,constructor,1\n', /row 2/],
    ['path,type,value\n/a,number,1\n/a,number,2\n', /repeats a path in row 3/],
    ['path,type,value\n/a,number,1\n/a/b,number,2\n', /members under the same path, in row 3/],
    ['path,type,value\n"/a,number\n', /is not valid CSV/],
  ]
  for (const [text, message] of rows)
    assert.throws(() => verifyBundle(text), { name: 'InvalidBundle', message })
})

test('a hostile file cannot reach what is not its own', () => {
  const csv =
    'path,type,value\n/__proto__/polluted,string,yes\n/record/a,number,1\n/integrity/record_hash,string,x\n/integrity/member_hashes/a,string,x\n'
  assert.ok(verifyBundle(csv).findings.length > 0)
  assert.equal(({} as Json).polluted, undefined)
  const { findings } = verifyBundle(
    '{"record":{"answer":{},"evidence":[]},"integrity":{"record_hash":"x","member_hashes":{}},"__proto__":{"polluted":1}}',
  )
  assert.ok(findings.length > 0)
  assert.equal(({} as Json).polluted, undefined)
})

test('no file makes it work without end', async () => {
  const [bundle] = await bundles()
  const loose = copy(bundle)
  loose.record.evidence.review_above = 2 ** 33
  loose.record.evidence.block_above = 2 ** 33
  assert.ok(findingsOf(rehashed(loose)).includes('/record/evidence'))
  const tabs = `path,type,value\n/record/a,string,"${'\t'.repeat(100_000)}"\n`
  assert.throws(() => verifyBundle(tabs), InvalidBundle)
  const deep = `path,type,value\n${'/a'.repeat(1_000)},string,x\n`
  assert.throws(() => verifyBundle(deep), /nested deeper/)
})
