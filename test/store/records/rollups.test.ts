/** What was counted is what is recorded: on both engines, whoever counts at once, and after an upgrade. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { summary as migration } from '../../../src/adapters/store/engine/schema/rollups/summary.ts'
import { rollupStatements } from '../../../src/adapters/store/records/rollups.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { followAll } from '../../../src/app/followers/catch-up.ts'
import type { CommitCommand, Verification } from '../../../src/app/ports/records.ts'
import type { Store } from '../../../src/app/ports/store.ts'
import type { SummaryQuery, Summed } from '../../../src/app/ports/records.ts'
import type { Corridor } from '../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../src/core/reference/currency.ts'
import { reasonCodes, type ReasonCode } from '../../../src/core/decision/reasons.ts'
import { formatRequestId, requestIdRandomBytes } from '../../../src/core/identity/request-id.ts'
import { count, measureNames, noMeasures, totalsOf } from '../../../src/core/time/rollup.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { widenToHours, stepMs, stepOf } from '../../../src/core/time/summary.ts'
import { engines, type Engine, type FreshDatabase } from '../../helpers/database/databases.ts'
import { assemble, withHarness, type Harness } from '../../helpers/harness.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'
import { copyRows, olderDatabase } from '../engine/older-schema.ts'
import { dayMs, hourMs } from '../../../src/core/time/durations.ts'

const firstMs = Date.UTC(2026, 2, 1)

interface Traits {
  readonly owner: string
  readonly afterMs: number
  readonly mode: 'shadow' | 'live'
  readonly corridor: string
  readonly verdict: Verdict
  readonly score: number
  readonly confidence: number
  readonly codes: CommitCommand['rollup']['reasonCodes']
  readonly latencyUs: number | null
  /** Of one whose latency was not measured: whether anything was. */
  readonly hasTimeline: boolean
  readonly isHit: boolean
}

/** Whether the schema before the rollups can have recorded this reason. */
const laterCodes = new Set<ReasonCode>(['BELOW_GO_THRESHOLD', 'POLICY_RULE_APPLIED', 'NO_PARTNER_AVAILABLE'])
const isEarly = (code: ReasonCode): boolean => !laterCodes.has(code)

/** Within ten days of one month, some at the edges of hours and days. */
const anyAfterMs = fc.oneof(
  fc.integer({ min: 0, max: 10 * dayMs - 1 }),
  fc.integer({ min: 1, max: 239 }).map((hour) => hour * hourMs),
  fc.integer({ min: 1, max: 9 }).map((day) => day * dayMs - 1),
)

const anyTraits: fc.Arbitrary<Traits> = fc.record({
  owner: fc.constantFrom('own_a', 'own_a', 'own_b'),
  afterMs: anyAfterMs,
  mode: fc.constantFrom('shadow', 'live'),
  corridor: fc.constantFrom('GB-NG', 'NG-GB', 'FR-DE'),
  verdict: fc.constantFrom('GO', 'DEGRADED', 'NO-GO'),
  score: fc.integer({ min: 0, max: 100 }),
  confidence: fc.integer({ min: 0, max: 100 }),
  codes: fc.subarray([...reasonCodes]),
  latencyUs: fc.option(fc.integer({ min: 0, max: 9_000_000 })),
  hasTimeline: fc.boolean(),
  isHit: fc.boolean(),
})

/** A record as verify keeps it, as far as anything counts it. */
function commandOf(traits: Traits): CommitCommand {
  const recordedAtMs = firstMs + traits.afterMs
  const requestId = formatRequestId(recordedAtMs, systemRandom.bytes(requestIdRandomBytes))
  const record: Verification = {
    requestId,
    ownerId: traits.owner,
    keyId: 'key_a',
    mode: traits.mode,
    corridor: traits.corridor as Corridor,
    verdict: traits.verdict,
    scoreHundredths: traits.score,
    confidenceHundredths: traits.confidence,
    amount: null,
    currency: 'GBP' as Currency,
    form: 2,
    correlationId: null,
    personalText: null,
    evaluatedAtMs: recordedAtMs,
    recordedAtMs,
    cooldownSourceId: traits.isHit ? requestId : null,
    answer: JSON.stringify({ reason_codes: traits.codes }),
    evidence: JSON.stringify(evidenceOf(traits)),
  }
  const rollup = { reasonCodes: traits.codes, latencyUs: traits.latencyUs }
  return { record, idempotency: null, block: null, rollup }
}

/** A moment that was not measured is null, or is not there at all. */
function evidenceOf({ latencyUs, hasTimeline }: Traits): object {
  if (latencyUs === null) return hasTimeline ? { timeline_us: [0, null] } : {}
  return { timeline_us: [0, 1, 2, 3, null, null, null, null, null, latencyUs] }
}

const noVerdicts = (): Record<Verdict, number> => ({ GO: 0, DEGRADED: 0, 'NO-GO': 0 })

/** One by one, over all that there is. */
function summedPlainly(
  commands: readonly CommitCommand[],
  ownerId: string,
  { range, step, corridor, mode, corridorsMax }: SummaryQuery,
): Summed {
  const picked = commands.filter(
    ({ record }) =>
      record.ownerId === ownerId &&
      record.recordedAtMs >= range.fromMs &&
      record.recordedAtMs < range.toMs &&
      (corridor === null || record.corridor === corridor) &&
      (mode === null || record.mode === mode),
  )
  const measures = noMeasures()
  for (const { record, rollup } of picked) {
    count(measures, { ...record, ...rollup, isCooldownHit: record.cooldownSourceId !== null })
  }
  const stepOfRecord = ({ record }: CommitCommand): number =>
    Math.floor(record.recordedAtMs / stepMs[step]) * stepMs[step]
  const byCorridor = [...Map.groupBy(picked, ({ record }) => record.corridor)]
    .map(([name, those]) => ({ corridor: name, ...decisionsOf(those) }))
    .toSorted((left, right) => right.total - left.total || (left.corridor < right.corridor ? -1 : 1))
  return {
    totals: totalsOf(measures),
    steps: new Map([...Map.groupBy(picked, stepOfRecord)].map(([atMs, those]) => [atMs, decisionsOf(those)])),
    corridors: byCorridor.slice(0, corridorsMax),
    corridorsTotal: byCorridor.length,
  }
}

function decisionsOf(commands: readonly CommitCommand[]) {
  const verdicts = noVerdicts()
  for (const { record } of commands) verdicts[record.verdict] += 1
  const scoreSum = commands.reduce((sum, { record }) => sum + record.scoreHundredths, 0)
  return { total: commands.length, scoreSum, verdicts }
}

const anyQuery: fc.Arbitrary<SummaryQuery> = fc
  .record({
    fromMs: anyAfterMs,
    lengthMs: fc.oneof(fc.integer({ min: 1, max: 3 * dayMs }), fc.integer({ min: 1, max: 12 * dayMs })),
    corridor: fc.option(fc.constantFrom('GB-NG' as Corridor, 'US-MX' as Corridor)),
    mode: fc.option(fc.constantFrom('shadow' as const, 'live' as const)),
    corridorsMax: fc.constantFrom(2, 50),
  })
  .map(({ fromMs, lengthMs, ...rest }) => {
    const range = widenToHours({ fromMs: firstMs + fromMs, toMs: firstMs + fromMs + lengthMs })
    return { range, step: stepOf(range), ...rest }
  })

const everything: SummaryQuery = {
  range: { fromMs: firstMs, toMs: firstMs + 31 * dayMs },
  step: 'day',
  corridor: null,
  mode: null,
  corridorsMax: 50,
}

const summary = ({ store }: { store: Store }, ownerId: string, query = everything): Promise<Summed> =>
  store.forOwner(ownerId).summarise(query)

/** These records as they were before decisions were counted. */
async function beforeRollups(engine: Engine, { databaseUrl, clock }: Harness): Promise<FreshDatabase> {
  const older = await olderDatabase(engine, migration.number - 1, clock.nowMs())
  await copyRows(databaseUrl, older.url, 'verifications')
  return older
}

/** Where the statement that counts what is there looks into the JSON of a record, as the engine plans it. */
async function parsesInUpgrade(engine: Engine, url: string): Promise<string[]> {
  const counting = migration[engine].find((sql) => sql.includes('timeline_us')) ?? assert.fail()
  const plan = await rowsOf(url, `EXPLAIN ${engine === 'sqlite' ? '' : '(VERBOSE) '}${counting}`)
  if (engine === 'sqlite')
    return plan.map(({ p4 }) => String(p4)).filter((called) => called.startsWith('json_'))
  // Above the scan an expression stands for its value: what the scan gives away was parsed there, once a record.
  const lines = plan.map((row) => String(row['QUERY PLAN']))
  const output = lines[lines.findIndex((line) => /Scan on \w+\.verifications_/.test(line)) + 1] ?? ''
  return [...output.matchAll(/(?:evidence|answer)\)?::jsonb/g)].map(([found]) => found)
}

async function storedColumns(engine: Engine, url: string): Promise<unknown[]> {
  const sql =
    engine === 'sqlite'
      ? "SELECT name FROM pragma_table_info('rollups') ORDER BY cid"
      : "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'rollups' ORDER BY ordinal_position"
  return (await rowsOf(url, sql)).map(({ name }) => name)
}

test('a batch writes a row for each hour and day that it has, each once, however its requests came', () => {
  const traits = fc.array(anyTraits, { minLength: 1, maxLength: 64 })
  fc.assert(
    fc.property(traits, (all) => {
      const width = 5 + measureNames.length
      const counted = all.map(commandOf).map(({ record, rollup }) => ({
        ...record,
        ...rollup,
        isCooldownHit: record.cooldownSourceId !== null,
      }))
      const values = rollupStatements(counted).flatMap((statement) => statement.values)
      const keys = Array.from({ length: values.length / width }, (_, row) =>
        values.slice(row * width, row * width + 5).join(' '),
      )
      const expected = all.flatMap(({ owner, afterMs, mode, corridor }) =>
        Object.entries({ hour: hourMs, day: dayMs }).map(([span, spanMs]) => {
          const startsAtMs = firstMs + afterMs - (afterMs % spanMs)
          return `${owner} ${span} ${startsAtMs} ${mode} ${corridor}`
        }),
      )
      assert.deepEqual(keys.toSorted(), [...new Set(expected)].toSorted())
    }),
  )
})

for (const engine of engines) {
  test(`${engine}: the table has a column for every measure, each reason code among them, and no other`, async () => {
    await withHarness({ engine }, async ({ databaseUrl }) => {
      const columns = await storedColumns(engine, databaseUrl)
      const key = ['owner_id', 'span', 'starts_at_ms', 'mode', 'corridor']
      assert.deepEqual(columns, [...key, ...measureNames])
    })
  })

  test(`${engine}: a summary is what a plain fold over all records gives, whatever was recorded and asked`, async () => {
    const worlds = fc.record({
      decisions: fc.array(anyTraits, { maxLength: 80 }),
      queries: fc.array(anyQuery, { minLength: 1, maxLength: 6 }),
    })
    await withHarness({ engine }, async (harness) => {
      let world = 0
      await fc.assert(
        fc.asyncProperty(worlds, async ({ decisions, queries }) => {
          // Owners of its own for each: what was recorded cannot be taken back.
          world += 1
          const commands = decisions.map((one) => commandOf({ ...one, owner: `${one.owner}_${world}` }))
          await Promise.all(commands.map((command) => harness.store.commit(command)))
          for (const owner of [`own_a_${world}`, `own_b_${world}`]) {
            for (const query of [everything, ...queries]) {
              assert.deepEqual(await summary(harness, owner, query), summedPlainly(commands, owner, query))
            }
          }
        }),
        { numRuns: 15 },
      )
    })
  })

  test(`${engine}: two instances that count at once lose nothing and do not stall each other`, async () => {
    await withHarness({ engine }, async (harness) => {
      const other = await harness.sibling()
      const traits = fc.sample(anyTraits, { seed: 7, numRuns: 400 })
      const commands = traits.map((one) =>
        commandOf({ ...one, owner: 'own_busy', afterMs: one.afterMs % dayMs }),
      )
      await Promise.all(
        commands.map(async (command, place) => {
          const instance = place % 2 === 0 ? harness : other
          await instance.store.commit(command)
          // Not as a reader, who waits two seconds at most: a busy machine may be slower.
          if (place % 20 < 2) await followAll(instance.store.journal)
        }),
      )
      await followAll(other.store.journal)
      assert.deepEqual(await summary(other, 'own_busy'), summedPlainly(commands, 'own_busy', everything))
      await other.close()
    })
  })

  test(`${engine}: a decision that was not written is not counted`, async () => {
    await withHarness({ engine }, async ({ store }) => {
      const [traits = assert.fail()] = fc.sample(anyTraits, { seed: 7, numRuns: 1 })
      const idempotency = { key: 'one', fingerprint: 'f' }
      const commands = Array.from({ length: 20 }, () => commandOf({ ...traits, owner: 'own_a' }))
      const claims = await Promise.all(commands.map((command) => store.commit({ ...command, idempotency })))
      assert.equal(claims.filter(({ kind }) => kind === 'fresh').length, 1)
      const [taken = assert.fail()] = commands
      const spoilt = commandOf({ ...traits, owner: 'own_a' })
      const twice = { ...spoilt, record: { ...spoilt.record, requestId: taken.record.requestId } }
      const ended = await Promise.allSettled(Array.from({ length: 5 }, () => store.commit(twice)))
      assert.ok(ended.filter(({ status }) => status === 'rejected').length >= 4)
      const records = await store.forOwner('own_a').list({ ...all, limit: 50 })
      assert.equal((await summary({ store }, 'own_a')).totals.total, records.length)
    })
  })

  test(`${engine}: the upgrade parses each JSON of a record once, however many columns look at it`, async () => {
    const older = await olderDatabase(engine, migration.number, firstMs)
    assert.equal((await parsesInUpgrade(engine, older.url)).length, 2)
    await older.drop()
  })

  test(`${engine}: a count beyond 32 bits is kept, and added to`, async () => {
    await withHarness({ engine }, async (harness) => {
      const [traits = assert.fail()] = fc.sample(anyTraits, { seed: 7, numRuns: 1 })
      const command = commandOf({ ...traits, owner: 'own_a', codes: ['HEALTHY_PARTNER'], latencyUs: 1 })
      await harness.store.commit(command)
      await harness.journal.passed('totals')
      const counts = measureNames.filter((name) => /^(?:score_\d|latency|reason)/.test(name))
      await withDirectDatabase(harness.databaseUrl, ({ run }) =>
        run(`UPDATE rollups SET ${counts.map((name) => `${name} = ${name} * 5000000000`).join(', ')}`),
      )
      const again = commandOf({ ...traits, owner: 'own_a', codes: ['HEALTHY_PARTNER'], latencyUs: 1 })
      await harness.store.commit(again)
      const { totals } = await summary(harness, 'own_a')
      for (const list of [totals.scores, totals.latencies, totals.reasons.map((reason) => reason.count)]) {
        assert.equal(Math.max(...list), 5_000_000_001)
      }
    })
  })

  test(`${engine}: what was recorded before anybody counted is counted by the upgrade, all of it and once`, async () => {
    await withHarness({ engine }, async (harness) => {
      const traits = fc.sample(anyTraits, { seed: 11, numRuns: 300 })
      const commands = traits.map((one) => commandOf({ ...one, codes: one.codes.filter(isEarly) }))
      await Promise.all(commands.map((command) => harness.store.commit(command)))
      const older = await beforeRollups(engine, harness)
      const upgraded = await assemble(older.url, harness.clock, { engine })
      try {
        const later = fc.sample(anyTraits, { seed: 12, numRuns: 100 }).map(commandOf)
        await Promise.all(later.map((command) => upgraded.store.commit(command)))
        const queries = fc.sample(anyQuery, { seed: 13, numRuns: 20 })
        for (const query of [everything, ...queries]) {
          for (const owner of ['own_a', 'own_b']) {
            const expected = summedPlainly([...commands, ...later], owner, query)
            assert.deepEqual(await summary(upgraded, owner, query), expected)
          }
        }
      } finally {
        await upgraded.close()
        await older.drop()
      }
    })
  })
}

const all = {
  before: null,
  verdict: null,
  corridor: null,
  correlationId: null,
  fromMs: null,
  toMs: null,
}
