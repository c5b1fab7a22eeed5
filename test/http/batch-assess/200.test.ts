/** POST /api/v1/batch-assess: what a good batch of JSON gets. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import { withHarness, type Harness } from '../../helpers/harness.ts'
import { assertFigures } from '../../helpers/calibration.ts'
import { anyBatch, rowsCurve, sumsOf } from '../../helpers/payments.ts'
import { post, rowCounts } from '../../helpers/post.ts'

const url = '/api/v1/batch-assess'

async function assess(harness: Harness, key: string, transactions: readonly object[], more: object = {}) {
  const answer = await post(harness, url, { transactions, ...more }, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const sumsIn = ({
  summary,
  execution_uncertainty_score,
  execution_uncertainty_band,
}: ReturnType<typeof sumsOf>) => ({
  summary,
  execution_uncertainty_score,
  execution_uncertainty_band,
})

test('the report has the members of the contract, and each row those of an assessment', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const row = { id: 'pay-1', corridor: 'gb-ng', amount: 85_000, currency: 'GBP', actual_outcome: 'FAILED' }
    const more = { timestamp: '2026-02-01T10:00:00Z', rail: 'FPS', colour: 'ignored' }
    const report = await assess(harness, key, [{ ...row, ...more }], { report_name: 'March' })
    assert.match(report.report_id, /^rep_[0-9a-z]+$/)
    assert.equal(report.report_name, 'March')
    assert.equal(report.generated_at, '2026-03-01T12:00:00.000Z')
    assert.equal(report.model_version, 'v1.3')
    assert.equal(report.mode, 'shadow')
    assert.equal(report.transaction_count, 1)
    assert.match(report['_links'].csv, /format=csv/)
    assert.deepEqual(report.warnings, ['Ignored members: "colour".'])
    const verified = await harness.verify(key, { corridor: 'GB-NG', amount: 85_000 })
    assert.deepEqual(report.assessments, [
      {
        index: 0,
        transaction_id: 'pay-1',
        corridor: 'GB-NG',
        corridor_supported: true,
        amount: 85_000,
        currency: 'GBP',
        actual_outcome: 'FAILED',
        svc_decision: 'DEGRADED',
        svc_score: verified.body.score,
        svc_confidence: verified.body.confidence,
        svc_volatility: verified.body.volatility,
        policy_capped: true,
        alignment: true,
        improvement_opportunity: true,
        improvement_note:
          'Would have been held for review (DEGRADED: POLICY_CAP_APPLIED) before it was FAILED.',
        flags: ['POLICY_CAP_APPLIED'],
      },
    ])
  })
})

test('every row comes back as it was given, and every sum follows from the rows', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '1000/60' } }, async (harness) => {
    const { key } = await harness.issue()
    await fc.assert(
      fc.asyncProperty(anyBatch, async (rows) => {
        const report = await assess(harness, key, rows)
        assert.equal(report.transaction_count, rows.length)
        assert.deepEqual(sumsIn(report), sumsOf(report.assessments))
        assertFigures(report.calibration, rowsCurve(report.assessments))
        for (const [place, row] of rows.entries()) {
          const found = report.assessments[place]
          assert.deepEqual(
            [found.index, found.amount, found.currency, found.actual_outcome],
            [place, row.amount ?? null, row.currency ?? 'GBP', row.actual_outcome ?? null],
          )
          if (row.id !== undefined) assert.equal(found.transaction_id, row.id)
        }
      }),
      { numRuns: 40 },
    )
  })
})

test('a small batch, summed by hand', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const row = (amount: number, actual_outcome?: string): object => ({
      corridor: 'GB-NG',
      amount,
      ...(actual_outcome === undefined ? {} : { actual_outcome }),
    })
    const report = await assess(harness, key, [
      row(1000, 'COMPLETED'),
      row(1000, 'FAILED'),
      row(1000, 'PENDING'),
      row(1000),
      row(85_000, 'COMPLETED'),
      row(85_000, 'DELAYED'),
      row(600_000, 'REJECTED'),
    ])
    const { avg_score, avg_confidence, ...counted } = report.summary
    assert.deepEqual(counted, {
      total_assessed: 7,
      go: 4,
      degraded: 2,
      no_go: 1,
      go_pct: 57.1,
      degraded_pct: 28.6,
      no_go_pct: 14.3,
      alignment_pct: 60,
      flagged_pre_failure: 1,
      improvement_opportunities: 2,
      transactions_with_outcome: 5,
    })
    assert.ok(avg_score > 0 && avg_confidence > 0)
    // 14.3 * 3.5 + 28.6 is 78.65.
    assert.equal(report.execution_uncertainty_score, 79)
    assert.equal(report.execution_uncertainty_band, 'Critical')
  })
})

test('the EUS and its band at their ends: all GO, all DEGRADED, and the edges between', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const uncertainty = async (go: number, degraded: number): Promise<[number, string]> => {
      const rows = Array.from({ length: go + degraded }, (_, place) => ({
        corridor: 'GB-NG',
        amount: place < go ? 1000 : 85_000,
      }))
      const report = await assess(harness, key, rows)
      return [report.execution_uncertainty_score, report.execution_uncertainty_band]
    }
    assert.deepEqual(await uncertainty(1, 0), [0, 'Low'])
    assert.deepEqual(await uncertainty(80, 20), [20, 'Low'])
    assert.deepEqual(await uncertainty(79, 21), [21, 'Moderate'])
    assert.deepEqual(await uncertainty(65, 35), [35, 'Moderate'])
    assert.deepEqual(await uncertainty(64, 36), [36, 'High'])
    assert.deepEqual(await uncertainty(40, 60), [60, 'High'])
    assert.deepEqual(await uncertainty(39, 61), [61, 'Critical'])
    assert.deepEqual(await uncertainty(0, 1), [100, 'Critical'])
  })
})

test('without an outcome the alignment is null', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const rows = [{ corridor: 'GB-NG' }, { corridor: 'GB-NG', actual_outcome: 'PENDING' }]
    const { summary, assessments } = await assess(harness, key, rows)
    assert.equal(summary.alignment_pct, null)
    assert.equal(summary.transactions_with_outcome, 0)
    assert.deepEqual(
      assessments.map((row: { alignment: unknown }) => row.alignment),
      [null, null],
    )
  })
})

test('1 and 500 rows are taken', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const count of [1, 500]) {
      const report = await assess(
        harness,
        key,
        Array.from({ length: count }, () => ({ corridor: 'GB-NG' })),
      )
      assert.equal(report.assessments.length, count)
      const ids = report.assessments.map((row: { transaction_id: string }) => row.transaction_id)
      assert.equal(new Set(ids).size, count)
      assert.equal(ids.at(-1), `row-${count}`)
    }
  })
})

test('ids that are missing are assigned, and never one that another row has', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const rows = [{ id: 'row-2' }, {}, { id: 'row-4' }, {}, { id: 'row-4-2' }, {}]
    const report = await assess(
      harness,
      key,
      rows.map((row) => ({ corridor: 'GB-NG', ...row })),
    )
    assert.deepEqual(
      report.assessments.map((row: { transaction_id: string }) => row.transaction_id),
      ['row-2', 'row-2-2', 'row-4', 'row-4-3', 'row-4-2', 'row-6'],
    )
  })
})

test('flags are the reason codes but HEALTHY_PARTNER; unsupported corridors and caps are told', async () => {
  await withHarness({ settings: { FAIRWAY_POLICY_CAPS: 'NGN=100/200' } }, async (harness) => {
    const { key } = await harness.issue()
    const report = await assess(harness, key, [
      { corridor: 'GB-NG', amount: 1000 },
      { corridor: 'GB-NG', amount: 10, currency: 'USD' },
      { corridor: 'US-MX', amount: 10 },
      { corridor: 'US-MX', amount: 500_001 },
      { corridor: 'GB-NG', amount: 150, currency: 'NGN' },
    ])
    const told = report.assessments.map(
      (row: {
        flags: string[]
        policy_capped: boolean
        corridor_supported: boolean
        svc_decision: string
      }) => [row.flags, row.policy_capped, row.corridor_supported, row.svc_decision],
    )
    assert.deepEqual(told, [
      [[], false, true, 'GO'],
      [['OPERATION_INVALID'], false, true, 'GO'],
      [['CORRIDOR_UNSUPPORTED'], false, false, 'DEGRADED'],
      [['POLICY_CAP_APPLIED', 'CORRIDOR_UNSUPPORTED'], true, false, 'NO-GO'],
      [['POLICY_CAP_APPLIED'], true, true, 'DEGRADED'],
    ])
  })
})

test('the test amounts do not act', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const amounts = [1000, 1000.01, 1000.02, 1000.03, 1000.04, 1000.05, 1000.06, 1000.07, 1000.08, 1000.09]
    const report = await assess(
      harness,
      key,
      amounts.map((amount) => ({ corridor: 'GB-NG', amount })),
    )
    const scores = report.assessments.map((row: { svc_score: number }) => row.svc_score)
    assert.equal(new Set(scores).size, 1)
    assert.equal(report.summary.go, amounts.length)
  })
})

test('the same batch gets the same assessments, under an id of its own each time', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const rows = [{ corridor: 'NG-GB', amount: 70_000, actual_outcome: 'DELAYED' }]
    const first = await assess(harness, key, rows)
    harness.clock.advance(86_400_000)
    const second = await assess(harness, key, rows)
    assert.deepEqual(second.assessments, first.assessments)
    assert.notEqual(second.report_id, first.report_id)
    assert.notEqual(second.report_name, first.report_name, 'the name that is given has the day in it')
  })
})

test('nothing is stored, and no cooldown is set or read', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const report = await assess(harness, key, [{ corridor: 'GB-NG', amount: 600_000 }])
    assert.equal(report.summary.no_go, 1)
    assert.deepEqual(rowCounts(harness), before)
    assert.equal((await harness.get(null, '/api/health')).body.total_verifications, 0)
    assert.deepEqual((await harness.get(key, '/api/verifications')).body, [])
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })).body.decision, 'GO')
    assert.equal((await harness.verify(key, { corridor: 'GB-NG', amount: 600_000 })).body.decision, 'NO-GO')
    assert.equal((await assess(harness, key, [{ corridor: 'GB-NG', amount: 1000 }])).summary.go, 1)
  })
})

test('a live key gets the shadow world too, and is told so, also when it is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue({ prefix: 'pk_live_' })
    const good = await post(harness, url, { transactions: [{ corridor: 'GB-NG' }] }, { key })
    assert.equal(good.status, 200)
    assert.equal(good.body.mode, 'shadow')
    assert.equal(good.headers['x-svc-environment'], 'sandbox')
    const csv = await post(harness, `${url}?format=csv`, { transactions: [{ corridor: 'GB-NG' }] }, { key })
    assert.equal(csv.headers['x-svc-environment'], 'sandbox')
    const bad = await post(harness, url, { transactions: [] }, { key })
    assert.equal(bad.status, 400)
    assert.equal(bad.headers['x-svc-environment'], 'sandbox')
  })
})

test('members that nobody reads are named in a warning, and space around an id is not part of it', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const transactions = [
      { corridor: 'GB-NG', id: ' a ', amount: 5, sum: 600_000, rail: null },
      { corridor: 'GB-NG', outcome: 'FAILED' },
    ]
    const { status, body } = await post(harness, url, { transactions, report_name: '  ' }, { key })
    assert.equal(status, 200)
    assert.deepEqual(body.warnings, ['Ignored members: "sum", "outcome".'])
    assert.equal(body.assessments[0].transaction_id, 'a')
    assert.match(body.report_name, /^Batch assessment of /)
  })
})
