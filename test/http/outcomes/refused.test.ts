/** POST /api/v1/outcomes: one bad row refuses all of them, every fault is reported at once, and nothing is recorded. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import { outcomesUrl, report, reportAll } from '../../helpers/outcomes.ts'
import { post, postCsv } from '../../helpers/post.ts'

interface RowError {
  readonly path: string
  readonly message: string
  readonly row?: number
  readonly column?: string
  readonly line?: number
}

type Fault = readonly [row: number | undefined, column: string | null, message: string]

const faultsIn = ({ body }: Answer): Fault[] =>
  (body.errors as RowError[]).map(({ row, column, message }) => [row, column ?? null, message])

const unknown = 'is not that of one of your decisions'

async function decided({ verify }: Harness, key: string, correlation?: string): Promise<string> {
  const more = correlation === undefined ? {} : { correlation_id: correlation }
  const { status, body, text } = await verify(key, { corridor: 'GB-NG', amount: 100, ...more })
  assert.equal(status, 200, text)
  return String(body.request_id)
}

/** The stored outcomes and the entries of the journal. */
async function recorded({ databaseUrl }: Harness): Promise<unknown[]> {
  return [
    await rowsOf(databaseUrl, 'SELECT request_id, is_final FROM outcomes ORDER BY request_id, is_final'),
    await rowsOf(databaseUrl, 'SELECT entries FROM journal_queue'),
  ]
}

/** Refused with these faults, and nothing is recorded. */
async function assertRefused(
  harness: Harness,
  sending: () => Promise<Answer>,
  expected: readonly Fault[],
): Promise<Answer> {
  const before = await recorded(harness)
  const answer = await sending()
  assert.deepEqual(faultsIn(answer), expected, answer.text)
  assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'])
  assert.deepEqual(await recorded(harness), before)
  return answer
}

for (const engine of engines) {
  test(`every fault of every row is reported at once, also where rows cannot be read at all (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      const [good, ended] = [await decided(harness, key, 'order-1'), await decided(harness, key)]
      const foreign = await decided(harness, stranger.key, 'order-9')
      const twice = [await decided(harness, key, 'twice'), await decided(harness, key, 'twice')]
      await report(harness, key, ended, { outcome: 'FAILED' })
      const rows = [
        { request_id: good, outcome: 'COMPLETED' },
        { request_id: ended, outcome: 'COMPLETED' },
        7,
        { request_id: good, correlation_id: 'order-2', outcome: 'LOST', occurred_at: 'soon', partner: '' },
        { outcome: 'FAILED' },
        { request_id: foreign, outcome: 'FAILED' },
        { correlation_id: 'order-9', outcome: 'FAILED' },
        { correlation_id: 'twice', outcome: 'FAILED' },
        { correlation_id: 'order-1', outcome: 'FAILED' },
        { request_id: 'SVC-2026-NOTHING', outcome: 'FAILED', Outcome: 'FAILED' },
        { request_id: 'nonsense', outcome: 'FAILED' },
        { request_id: 5 },
      ]
      const outcomeRule = 'must be one of COMPLETED, FAILED, DELAYED, REJECTED, PENDING'
      const answer = await assertRefused(harness, () => reportAll(harness, key, rows), [
        [2, 'outcome', 'is already reported as FAILED'],
        [3, null, 'must be an object'],
        [4, 'request_id', 'repeats the request_id of row 1'],
        [4, 'outcome', outcomeRule],
        [4, 'partner', 'must not be empty'],
        [4, 'occurred_at', 'must be an ISO 8601 date or date-time, like 2026-03-01T09:30:00Z'],
        [5, 'request_id', 'is required, or a correlation_id instead'],
        [6, 'request_id', unknown],
        [7, 'correlation_id', unknown],
        [
          8,
          'correlation_id',
          `is that of several decisions; give the request_id of one: ${twice.toReversed().join(', ')}`,
        ],
        [9, 'correlation_id', 'is of the same decision as row 1'],
        [10, 'outcome', 'must be named outcome, not Outcome'],
        [11, 'request_id', unknown],
        [12, 'request_id', 'must be a string'],
        [12, 'outcome', 'is required'],
      ])
      const [first] = answer.body.errors as RowError[]
      assert.equal(first?.path, '/outcomes/1/outcome')
    })
  })

  test(`faults of a CSV have the line of their row (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const id = await decided(harness, key)
      const csv = [
        'note,request_id,outcome',
        `"two`,
        `lines",${id},FAILED`,
        'x,nothing,FAILED',
        '',
        `x,${id},LOST`,
        'x,,FAILED',
      ].join('\n')
      const answer = await assertRefused(harness, () => postCsv(harness, outcomesUrl, csv, { key }), [
        [2, 'request_id', unknown],
        [3, 'request_id', 'repeats the request_id of row 1'],
        [3, 'outcome', 'must be one of COMPLETED, FAILED, DELAYED, REJECTED, PENDING'],
        [4, 'request_id', 'is required, or a correlation_id instead'],
      ])
      const lines = (answer.body.errors as RowError[]).map(({ line }) => line)
      assert.deepEqual(lines, [4, 6, 6, 7])
    })
  })

  test(`two rows of one decision are refused, whichever ids name it, each with one fault (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const id = await decided(harness, key, 'order-1')
      const byRequest = { request_id: id, outcome: 'FAILED' }
      const byCorrelation = { correlation_id: 'order-1', outcome: 'FAILED' }
      const send = (rows: readonly object[]) => () => reportAll(harness, key, rows)
      await assertRefused(harness, send([byRequest, byRequest]), [
        [2, 'request_id', 'repeats the request_id of row 1'],
      ])
      await assertRefused(harness, send([byCorrelation, byRequest, byCorrelation]), [
        [2, 'request_id', 'is of the same decision as row 1'],
        [3, 'correlation_id', 'is of the same decision as row 1'],
      ])
    })
  })

  test(`a correlation id is meant with its spaces, so that no other payment takes its outcome (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const [spaced, plain] = [
        await decided(harness, key, ' order 1 '),
        await decided(harness, key, 'order 1'),
      ]
      for (const [correlation, id] of [
        [' order 1 ', spaced],
        ['order 1', plain],
      ]) {
        const answer = await reportAll(harness, key, [{ correlation_id: correlation, outcome: 'FAILED' }])
        assert.deepEqual(answer.body.request_ids, [id])
      }
      await assertRefused(
        harness,
        () => reportAll(harness, key, [{ correlation_id: 'order 1 ', outcome: 'FAILED' }]),
        [[1, 'correlation_id', unknown]],
      )
    })
  })

  test(`another time or partner of the same outcome is refused by its own name (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const row = { request_id: await decided(harness, key), outcome: 'FAILED', partner: 'sim-any' }
      assert.equal((await reportAll(harness, key, [row])).status, 200)
      for (const [more, column, before] of [
        [{ occurred_at: '2026-03-01T12:00:00Z' }, 'occurred_at', 'not given'],
        [{ partner: 'sim-other' }, 'partner', 'sim-any'],
      ] as const) {
        const answer = await reportAll(harness, key, [{ ...row, ...more }])
        assert.deepEqual(
          [answer.status, faultsIn(answer)],
          [409, [[1, column, `is already reported as ${before}`]]],
        )
      }
    })
  })

  test(`both ids must be of one decision, and an erased correlation id is of none (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const [first, second] = [await decided(harness, key, 'order-1'), await decided(harness, key)]
      const send = (row: object) => () => reportAll(harness, key, [{ outcome: 'FAILED', ...row }])
      const isNotThat: Fault = [1, 'correlation_id', 'is not that of the decision']
      await assertRefused(harness, send({ request_id: first, correlation_id: 'order-2' }), [isNotThat])
      await assertRefused(harness, send({ request_id: second, correlation_id: 'order-1' }), [isNotThat])
      await withDirectDatabase(harness.databaseUrl, ({ run }) => run('DELETE FROM personal_texts'))
      await assertRefused(harness, send({ correlation_id: 'order-1' }), [[1, 'correlation_id', unknown]])
      await assertRefused(harness, send({ request_id: first, correlation_id: 'order-1' }), [isNotThat])
      assert.equal((await send({ request_id: first })()).status, 200)
    })
  })

  test(`a correlation id of another owner's decision too is no less one's own (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const stranger = await harness.issue()
      await decided(harness, stranger.key, 'order-1')
      const id = await decided(harness, key, 'order-1')
      const { status, body } = await reportAll(harness, key, [
        { correlation_id: 'order-1', outcome: 'COMPLETED' },
      ])
      assert.deepEqual([status, body.request_ids], [200, [id]])
    })
  })

  test(`rows that are only too late are 409, and with any other fault it is 400 (${engine})`, async () => {
    await withHarness({ engine }, async (harness) => {
      const { key } = await harness.issue()
      const ids = [await decided(harness, key), await decided(harness, key), await decided(harness, key)]
      const [first = '', second = '', third = ''] = ids
      await report(harness, key, first, { outcome: 'FAILED' })
      await report(harness, key, second, { outcome: 'COMPLETED' })
      const before = await recorded(harness)
      const rows = ids.map((id) => ({ request_id: id, outcome: 'REJECTED' }))
      const late = await reportAll(harness, key, rows)
      assert.deepEqual([late.status, late.body.code], [409, 'OUTCOME_EXISTS'])
      assert.deepEqual(faultsIn(late), [
        [1, 'outcome', 'is already reported as FAILED'],
        [2, 'outcome', 'is already reported as COMPLETED'],
      ])
      const dry = await reportAll(harness, key, rows, '?dry_run=true')
      assert.deepEqual([dry.status, faultsIn(dry)], [409, faultsIn(late)])
      const mixed = await reportAll(harness, key, [...rows, { request_id: 'nothing', outcome: 'FAILED' }])
      assert.deepEqual([mixed.status, faultsIn(mixed).length], [400, 3])
      assert.deepEqual(await recorded(harness), before)
      assert.equal((await reportAll(harness, key, [{ request_id: third, outcome: 'FAILED' }])).status, 200)
    })
  })
}

test('an outcome in the future, before the decision, or PENDING after the end is refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const [first, second] = [await decided(harness, key), await decided(harness, key)]
    await assertRefused(
      harness,
      () =>
        reportAll(harness, key, [
          { request_id: first, outcome: 'FAILED', occurred_at: '2026-03-01T12:05:01Z' },
          { request_id: second, outcome: 'FAILED', occurred_at: '2026-03-01T11:54:59Z' },
        ]),
      [
        [1, 'occurred_at', 'must not be in the future'],
        [2, 'occurred_at', 'must not be before the decision'],
      ],
    )
    const within = await reportAll(harness, key, [
      { request_id: first, outcome: 'FAILED', occurred_at: '2026-03-01T12:05:00Z' },
      { request_id: second, outcome: 'FAILED', occurred_at: '2026-03-01T11:55:00Z' },
    ])
    assert.equal(within.status, 200, within.text)
    const late = await reportAll(harness, key, [{ request_id: first, outcome: 'PENDING' }])
    assert.equal(late.status, 409)
  })
})

test('a body that cannot be read as rows is refused with what is wrong with it', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    for (const [type, body, path, message] of [
      ['application/json', '{', '', /^has a body that is not valid JSON$/],
      ['application/json', '{}', '/outcomes', /^is required$/],
      ['application/json', '{"outcomes":{}}', '/outcomes', /^must be an array$/],
      ['application/json', '', '', /^has an empty body/],
      ['text/csv', '', '', /./],
      ['text/csv', 'outcome\nFAILED\n', '', /request_id/],
      ['text/csv', 'request_id,outcome\n', '', /^has no rows; 1 to 500 are needed$/],
      ['text/csv', 'request_id,request_id,outcome\na,b,FAILED\n', '', /./],
    ] as const) {
      const answer = await post(harness, outcomesUrl, body, { key, headers: { 'content-type': type } })
      assert.equal(answer.status, 400, answer.text)
      const [error] = answer.body.errors as RowError[]
      assert.equal(error?.path, path, body)
      assert.match(error?.message ?? '', message, body)
    }
    const text = await post(harness, outcomesUrl, 'x', { key, headers: { 'content-type': 'text/plain' } })
    assert.equal(text.status, 415)
    const dry = await reportAll(harness, key, [{ request_id: 'x', outcome: 'FAILED' }], '?dry_run=yes')
    assert.deepEqual((dry.body.errors as RowError[])[0]?.path, '/dry_run')
  })
})

test('401 without a key, 403 without the scope, 405 for another method, 429 beyond the limit of batches', async () => {
  await withHarness({ settings: { FAIRWAY_LIMIT_BATCH: '2/60' } }, async (harness) => {
    const anonymous = await post(harness, outcomesUrl, { outcomes: [] })
    assert.equal(anonymous.status, 401)
    const reader = await harness.issue({ scopes: ['decision:read', 'policy:read'] })
    assert.equal((await reportAll(harness, reader.key, [])).status, 403)
    const { key } = await harness.issue({ scopes: ['outcome:write'] })
    const statuses: number[] = []
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await reportAll(harness, key, [])).status)
    assert.deepEqual(statuses, [400, 400, 429])
    const got = await harness.get(key, outcomesUrl)
    assert.deepEqual([got.status, got.headers['allow']], [405, 'POST'])
  })
})

test('a misspelt dry_run records nothing: unknown parameters are refused', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const row = { request_id: await decided(harness, key), outcome: 'FAILED' }
    const before = await recorded(harness)
    for (const query of ['dryrun=true', 'dry-run=true', 'DRY_RUN=true', 'dry_run=yes']) {
      const answer = await post(harness, `${outcomesUrl}?${query}`, { outcomes: [row] }, { key })
      assert.equal(answer.status, 400, query)
    }
    assert.deepEqual(await recorded(harness), before)
  })
})
