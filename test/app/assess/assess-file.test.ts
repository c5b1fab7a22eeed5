/** A file of any length, read in any pieces by any number of hands, gives the one report that its rows call for. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from '../../helpers/fast-check.ts'
import { openOutput } from '../../../src/adapters/files.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import { batchCsv, createAssessBatch, readCsvBatch } from '../../../src/app/assess/assess-batch.ts'
import { createAssessChunk, type ChunkJob, type ChunkResult } from '../../../src/app/assess/assess-chunk.ts'
import { assessFile, type AssessedFile, type FileReport } from '../../../src/app/assess/assess-file.ts'
import type { WorkerPool } from '../../../src/app/ports/assess.ts'
import { standardPolicy } from '../../../src/core/decision/policy.ts'
import { ManualClock } from '../../helpers/clock.ts'
import { withFolder } from '../../helpers/folder.ts'
import { assertFigures } from '../../helpers/calibration.ts'
import { rowsCurve } from '../../helpers/payments.ts'
import { examplePayments } from '../../../scripts/generate-example.ts'

/** Hands that are done in another order than they began. */
function unevenCrew(size: number): WorkerPool<ChunkJob, ChunkResult> {
  const assessChunk = createAssessChunk(standardPolicy)
  let turn = 0
  return {
    size,
    async run(job) {
      turn += 1
      for (let waits = (turn * 7) % 5; waits > 0; waits -= 1) await Promise.resolve()
      return assessChunk(job)
    },
    close: () => Promise.resolve(),
  }
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Assessing {
  readonly pieceBytes?: number
  readonly crewSize?: number
  readonly name?: string | null
}

async function assessInto(
  folder: string,
  text: string | Uint8Array,
  { pieceBytes = 1_000, crewSize = 3, name = null }: Assessing = {},
): Promise<AssessedFile> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const output = await openOutput(folder, [], null)
  return assessFile(
    { clock: new ManualClock(), random: systemRandom, workerPool: unevenCrew(crewSize), output },
    {
      file: { name: 'rows', sizeBytes: bytes.length, id: '', pieces: piecesOf(bytes, pieceBytes) },
      format: null,
      reportName: name,
      onProgress: () => {},
    },
  )
}

function reportOf(assessed: AssessedFile): FileReport {
  return assessed.kind === 'reported' ? assessed.report : assert.fail(assessed.kind)
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

/** The same rows, judged as one batch over the other way. */
function batchOf(text: string) {
  const batch = readCsvBatch(Buffer.from(text))
  if (batch.kind !== 'rows') assert.fail(batch.kind)
  const assess = createAssessBatch({ clock: new ManualClock(), random: systemRandom, policy: standardPolicy })
  return assess({ ...batch, reportName: null }).report
}

test('the same rows give the same report, in whatever pieces and by however many hands', async () => {
  const text = examplePayments()
  const batch = batchOf(text)
  assertFigures(batch.calibration, rowsCurve(batch.assessments))
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 1, max: 5 }),
      (pieceBytes, crewSize) =>
        withFolder(async (folder) => {
          const report = reportOf(await assessInto(folder, text, { pieceBytes, crewSize }))
          assert.deepEqual(report.summary, batch.summary)
          assert.equal(report.execution_uncertainty_score, batch.execution_uncertainty_score)
          assert.deepEqual(report.calibration, batch.calibration)
          assert.equal(read(folder, 'assessments.csv'), batchCsv(batch))
          assert.deepEqual(JSON.parse(read(folder, 'summary.json')), report)
          assert.deepEqual(readdirSync(folder).toSorted(), ['assessments.csv', 'report.html', 'summary.json'])
        }),
    ),
    { numRuns: 25 },
  )
})

test('JSON and CSV of the same rows give the same assessments', async () => {
  const text = examplePayments()
  const records: Record<string, string>[] = parse(text, { columns: true })
  const transactions = records.map((record) => {
    const given = Object.entries(record).filter(([, value]) => value !== '')
    return Object.fromEntries(given.map(([name, value]) => [name, name === 'amount' ? Number(value) : value]))
  })
  await withFolder(async (folder) => {
    const json = JSON.stringify({ report_name: 'From JSON', transactions }, null, 2)
    const report = reportOf(await assessInto(folder, json))
    assert.equal(report.report_name, 'From JSON')
    assert.equal(read(folder, 'assessments.csv'), batchCsv(batchOf(text)))
    const bare = reportOf(await assessInto(folder, JSON.stringify(transactions), { name: 'Given' }))
    assert.equal(bare.report_name, 'Given')
    assert.deepEqual(bare.summary, report.summary)
  })
})

test('the breakdowns add up to the rows', async () => {
  await withFolder(async (folder) => {
    const report = reportOf(await assessInto(folder, examplePayments()))
    const sum = (named: readonly { go: number; degraded: number; no_go: number }[]): number =>
      named.reduce((total, { go, degraded, no_go: noGo }) => total + go + degraded + noGo, 0)
    for (const breakdown of [report.by_corridor, report.by_month, report.by_outcome]) {
      assert.equal(sum(breakdown), 200)
    }
    assert.equal(
      report.score_distribution.reduce((total, rows) => total + rows, 0),
      200,
    )
    const assessed: Record<string, string>[] = parse(read(folder, 'assessments.csv'), { columns: true })
    for (const { name, go } of report.by_corridor) {
      const own = assessed.filter((row) => row['corridor'] === name && row['svc_decision'] === 'GO')
      assert.equal(own.length, go, name)
    }
    for (const { code, rows } of report.reasons) {
      assert.equal(assessed.filter((row) => row['flags']?.split(' ').includes(code)).length, rows, code)
    }
  })
})

const spoilt = [
  'note,corridor,amount,id',
  '"two',
  'lines",GB-NG,10,a',
  'x,GB-NG,-1,b',
  'x,Atlantis-Nigeria,abc,c',
  '',
  'x,GB-NG',
  'x,GB-"NG,5,d',
  '=x,GB-NG,,e',
  'x,GB-NG,7,a',
].join('\n')

test('bad rows are set aside with row, line and reason, and the others are assessed', async () => {
  for (const pieceBytes of [1, 13, 4_096]) {
    await withFolder(async (folder) => {
      const report = reportOf(await assessInto(folder, spoilt, { pieceBytes }))
      assert.equal(report.rejected_rows, 4)
      assert.equal(report.transaction_count, 7)
      assert.deepEqual(report.warnings, ['Ignored columns: "note".'])
      const rejected: string[][] = parse(read(folder, 'rejected.csv'), { relax_column_count: true })
      assert.deepEqual(rejected[0], ['row', 'line', 'reason', 'note', 'corridor', 'amount', 'id'])
      assert.deepEqual(
        rejected.slice(1).map(([row, line, reason]) => [row, line, reason?.split(' ').slice(0, 2).join(' ')]),
        [
          ['2', '4', 'amount must'],
          ['3', '5', 'corridor must'],
          ['4', '7', 'the row'],
          ['5', '8', 'the row'],
        ],
      )
      assert.match(rejected[2]?.[2] ?? '', /corridor must .*; amount must be a plain number/)
      const assessed: Record<string, string>[] = parse(read(folder, 'assessments.csv'), { columns: true })
      // Repeated ids are not looked for in a file: that would need all of them in memory.
      assert.deepEqual(
        assessed.map((row) => [row['index'], row['transaction_id']]),
        [
          ['0', 'a'],
          ['5', 'e'],
          ['6', 'a'],
        ],
      )
    })
  }
})

test('rejected rows, once mended, can be assessed as they are', async () => {
  await withFolder(async (folder) => {
    await assessInto(folder, spoilt)
    const [head = [], ...rows]: string[][] = parse(read(folder, 'rejected.csv'), { relax_column_count: true })
    const mended = rows.map(([row, line, reason]) => [row, line, `"${reason}"`, 'x', 'GB-NG', '1', `m${row}`])
    const again = [head, ...mended].map((cells) => cells.join(',')).join('\n')
    const report = reportOf(await assessInto(folder, again))
    assert.equal(report.summary.total_assessed, 4)
    assert.ok(!existsSync(join(folder, 'rejected.csv')), 'the rejected rows of the earlier run are gone')
  })
})

test('where no row can be read, the rejected rows are all that is written', async () => {
  await withFolder(async (folder) => {
    const out = join(folder, 'out')
    const assessed = await assessInto(out, 'corridor\nnowhere\nneither\n')
    assert.deepEqual(assessed, { kind: 'all_rejected', rejectedRows: 2 })
    assert.deepEqual(readdirSync(out), ['rejected.csv'])
  })
})

test('a file that cannot be read to its end leaves nothing behind, not even an earlier report changed', async () => {
  await withFolder(async (folder) => {
    const out = join(folder, 'deep', 'out')
    const broken = `corridor,id\n${'GB-NG,a\n'.repeat(500)}GB-NG,"b\n`
    await assert.rejects(assessInto(out, broken), { name: 'InputFault', line: 502 })
    assert.deepEqual(readdirSync(folder), [])

    await assessInto(out, 'corridor\nGB-NG\n')
    const before = read(out, 'summary.json')
    await assert.rejects(assessInto(out, broken), { name: 'InputFault' })
    assert.equal(read(out, 'summary.json'), before)
    assert.deepEqual(readdirSync(out).toSorted(), ['assessments.csv', 'report.html', 'summary.json'])
  })
})

test('a row that is no object is set aside, whatever it is', async () => {
  await withFolder(async (folder) => {
    const report = reportOf(
      await assessInto(folder, '[7,null,[],"GB-NG",{"corridor":"GB-NG","amount":"5"},{"corridor":"GB-NG"}]'),
    )
    assert.equal(report.rejected_rows, 5)
    assert.equal(report.summary.total_assessed, 1)
    const rejected: string[][] = parse(read(folder, 'rejected.csv'), { relax_column_count: true })
    assert.deepEqual(rejected.at(-1)?.slice(2), [
      'amount must be a plain number, like 1234.56',
      '',
      'GB-NG',
      '5',
      '',
      '',
      '',
      '',
    ])
  })
})

test('an id comes back from the rejected rows as it was given, however often', async () => {
  await withFolder(async (folder) => {
    const ids = ['-ref-77', '=1+1', "'@x", 'a;-b', '+44', 'plain']
    await assessInto(folder, `id,corridor\n${ids.map((id) => `"${id}",nowhere`).join('\n')}\n`)
    const first = read(folder, 'rejected.csv')
    await assessInto(folder, first)
    assert.deepEqual(
      parse(read(folder, 'rejected.csv')),
      parse(first),
      'once more rejected, they are the same',
    )
    await assessInto(folder, first.replaceAll('nowhere', 'GB-NG'))
    const report: Record<string, string>[] = parse(read(folder, 'assessments.csv'), { columns: true })
    await assessInto(folder, `id,corridor\n${ids.map((id) => `"${id}",GB-NG`).join('\n')}\n`)
    const direct: Record<string, string>[] = parse(read(folder, 'assessments.csv'), { columns: true })
    assert.deepEqual(
      report.map((row) => row['transaction_id']),
      direct.map((row) => row['transaction_id']),
    )
  })
})

test('what a file is, is seen whatever its pieces', async () => {
  const texts = [
    '\n\n [{"corridor":"GB-NG"}]',
    '\ufeff{"transactions":[{"corridor":"GB-NG"}]}',
    '\ufeff\n corridor\nGB-NG\n',
    `${' '.repeat(300)}[{"corridor":"GB-NG"}]`,
  ]
  for (const text of texts) {
    for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
      await withFolder(async (folder) => {
        assert.equal(reportOf(await assessInto(folder, text, { pieceBytes })).summary.total_assessed, 1, text)
      })
    }
  }
})

test('a value nested deeper than any stack spoils its own row alone', async () => {
  await withFolder(async (folder) => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const text = `[{"corridor":"GB-NG"},{"corridor":${deep}},${deep},{"corridor":"GB-NG"}]`
    const report = reportOf(await assessInto(folder, text, { pieceBytes: 65_536 }))
    assert.deepEqual([report.summary.total_assessed, report.rejected_rows], [2, 2])
  })
})

test('members of JSON rows that nobody reads are named, and so is a name that cannot be one', async () => {
  await withFolder(async (folder) => {
    const rows = '[{"corridor":"GB-NG","Amount":5},{"corridor":"GB-NG","outcome":"FAILED"}]'
    const report = reportOf(
      await assessInto(folder, `{"report_name":"a\\u001bb","transactions":${rows}}`, { pieceBytes: 9 }),
    )
    assert.deepEqual(report.warnings, [
      'Ignored members: "outcome".',
      "Ignored the file's report_name: it must have 1 to 200 characters, none of them control characters.",
    ])
    assert.match(report.report_name, /^Batch assessment of /)
  })
})

test('a misspelt amount is never assessed as none: its row is rejected, and a misspelt column refuses the file', async () => {
  await withFolder(async (folder) => {
    const rows = '[{"corridor":"GB-NG","ammount":600000},{"corridor":"GB-NG","amount":5,"total":6}]'
    const report = reportOf(await assessInto(folder, rows))
    assert.deepEqual(
      [report.transaction_count, report.rejected_rows, report.warnings],
      [2, 1, ['Ignored members: "total".']],
    )
    const [, rejected = []] = parse(read(folder, 'rejected.csv'))
    assert.deepEqual(rejected.slice(2, 6), [
      'amount must be named amount, not ammount',
      '',
      'GB-NG',
      '600000',
    ])
    for (const name of ['ammount', 'value', 'Curency', 'actual outcome'])
      await assert.rejects(assessInto(join(folder, name), `corridor,${name}\nGB-NG,1\n`), {
        message: /^has a column that must be named (?:amount|currency|actual_outcome), not /,
        line: 1,
      })
  })
})

test('rows without a list around them are told what they lack', async () => {
  await withFolder(async (folder) => {
    const lines = '{"corridor":"GB-NG"}\n{"corridor":"GB-NG"}\n'
    await assert.rejects(assessInto(join(folder, 'o'), lines), { message: /put them into one list/, line: 2 })
  })
})

test('a run in which all is rejected leaves no earlier report beside it', async () => {
  await withFolder(async (folder) => {
    await assessInto(folder, 'corridor\nGB-NG\n')
    await assessInto(folder, 'corridor\nnowhere\n')
    assert.deepEqual(readdirSync(folder), ['rejected.csv'])
  })
})

test('rows that were mended badly keep what they hold', async () => {
  await withFolder(async (folder) => {
    const mended =
      'row,line,reason,corridor,amount\n1,2,amount must be,GB-NG,"12"34\nGB-NG,100\n9,9,x,nowhere,1\n'
    await assessInto(folder, mended)
    const [, ...rows]: string[][] = parse(read(folder, 'rejected.csv'), { relax_column_count: true })
    assert.deepEqual(
      rows.map((cells) => cells.slice(3)),
      [['1,2,amount must be,GB-NG,"12"34'], ['GB-NG', '100'], ['nowhere', '1']],
    )
  })
})

test('a row of unusual space is told as such', async () => {
  await withFolder(async (folder) => {
    await assessInto(folder, 'corridor,amount\nGB-NG,5\n\u00a0\n')
    assert.match(read(folder, 'rejected.csv'), /contains only unusual whitespace/)
  })
})

test('a file is read no faster than it is assessed, so that memory does not grow with it', async () => {
  await withFolder(async (folder) => {
    const size = 3
    let pulled = 0
    let running = 0
    let runningMost = 0
    let mayGoOn = (): void => {}
    const stalled = new Promise<void>((resolve) => (mayGoOn = resolve))
    const assessChunk = createAssessChunk(standardPolicy)
    const crew: WorkerPool<ChunkJob, ChunkResult> = {
      size,
      async run(job) {
        running += 1
        runningMost = Math.max(runningMost, running)
        await stalled
        running -= 1
        return assessChunk(job)
      },
      close: () => Promise.resolve(),
    }
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('corridor,id\n')
      for (; pulled < 500; pulled += 1) yield Buffer.from('GB-NG,payment\n'.repeat(100))
    }
    const output = await openOutput(folder, [], null)
    const deps = { clock: new ManualClock(), random: systemRandom, workerPool: crew, output }
    const file = { name: 'rows', sizeBytes: null, id: '', pieces: endless() }
    const working = assessFile(deps, { file, format: null, reportName: null, onProgress: () => {} })
    // Every turn that the reader could take, it takes; nobody assesses meanwhile.
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(pulled <= size + 3, `${pulled} pieces were read ahead`)
    mayGoOn()
    assert.equal(reportOf(await working).summary.total_assessed, 50_000)
    assert.ok(runningMost <= size + 2, `${runningMost} pieces were under way`)
  })
})
