/** `fairway assess`, as a user runs it: real files, a real Ctrl-C. */

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { examplePayments } from '../../../scripts/generate-example.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { finished, issueByCli, run, start } from '../../helpers/process/process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const example = join(root, 'examples', 'payments.csv')

test('the example is what its script makes: two hundred payments with outcomes', () => {
  assert.equal(readFileSync(example, 'utf8'), examplePayments())
  assert.equal(examplePayments().trimEnd().split('\n').length, 201)
})

test('the example is assessed as the server assesses it, into a folder named after it', async () => {
  await withFolder(async (folder) => {
    const { code, stdout, stderr } = await run(['assess', example], {}, { cwd: folder })
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '')
    const out = join(folder, 'payments-assessment')
    assert.deepEqual(readdirSync(out).toSorted(), ['assessments.csv', 'report.html', 'summary.json'])
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))
    assert.match(
      stdout,
      new RegExp(`200 rows of payments\\.csv assessed in \\d+\\.\\d s \\([\\d,]+ rows/s\\)`),
    )
    assert.match(
      stdout,
      new RegExp(`NO-GO +${summary.summary.no_go} +${summary.summary.no_go_pct.toFixed(1)}%`),
    )
    assert.match(
      stdout,
      new RegExp(`${summary.execution_uncertainty_score} of 100, ${summary.execution_uncertainty_band}`),
    )
    assert.match(stdout, /payments-assessment\/report\.html/)

    const database = await freshDatabase('sqlite')
    const server = await serveInProcess({ DATABASE_URL: database.url })
    try {
      const { key } = await issueByCli(database.url)
      const answer = await checkedFetch(`${server.url}/api/v1/batch-assess`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', accept: 'text/csv' },
        body: readFileSync(example),
      })
      assert.equal(answer.status, 200)
      assert.equal(await answer.text(), readFileSync(join(out, 'assessments.csv'), 'utf8'))
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})

test('standard input is taken as CSV or JSON, and --json prints one value and nothing else', async () => {
  await withFolder(async (folder) => {
    for (const input of [
      'corridor\nGB-NG\n',
      '{"transactions":[{"corridor":"GB-NG"}]}',
      ' [{"corridor":"gb-ng"}]',
    ]) {
      const args = ['assess', '-', '--out', 'made', '--name', 'A name', '--json']
      const { code, stdout, stderr } = await runInProcess(args, {}, { cwd: folder, input })
      assert.equal(code, 0, stderr)
      assert.equal(stderr, '')
      const value = JSON.parse(stdout)
      assert.equal(value.summary.total_assessed, 1)
      assert.equal(value.report_name, 'A name')
      assert.equal(value.source, 'standard input')
      assert.equal(value.out, 'made')
    }
  })
})

test('rejected rows are told by a line and by the exit code, unknown columns and countries by a warning', async () => {
  await withFolder(async (folder) => {
    const input = 'corridor,amount,note\nGB-QQ,1,x\nGB-NG,-1,x\n'
    const { code, stdout, stderr } = await runInProcess(
      ['assess', '-', '--out', 'o'],
      {},
      { cwd: folder, input },
    )
    assert.equal(code, 65)
    assert.match(stdout, /o\/rejected\.csv/)
    assert.equal(
      stderr,
      [
        'fairway: Ignored columns: "note".',
        'fairway: Country codes that ISO 3166 has not assigned: "QQ".',
        'fairway: 1 of 2 rows were rejected: see o/rejected.csv\n',
      ].join('\n'),
    )
    const all = await runInProcess(
      ['assess', '-', '--out', 'p'],
      {},
      { cwd: folder, input: 'corridor\nnowhere\n' },
    )
    assert.equal(all.code, 65)
    assert.equal(all.stderr, 'fairway: the only row was rejected: see p/rejected.csv\n')
  })
})

test('the policy caps of the operator act', async () => {
  await withFolder(async (folder) => {
    const input = 'corridor,amount,currency\nNG-GB,150,NGN\n'
    const args = ['assess', '-', '--json']
    const strict = await runInProcess(args, { FAIRWAY_POLICY_CAPS: 'NGN=100/200' }, { cwd: folder, input })
    const plain = await runInProcess(args, {}, { cwd: folder, input })
    assert.equal(JSON.parse(strict.stdout).summary.degraded, 1)
    assert.equal(JSON.parse(plain.stdout).summary.go, 1)
  })
})

/** Resolves when something changes in a folder. */
async function changed(folder: string): Promise<void> {
  const watcher = watch(folder)
  await once(watcher, 'change')
  watcher.close()
}

const badFiles: readonly (readonly [name: string, content: string | Buffer, line: RegExp])[] = [
  ['empty.csv', '', /the file is empty/],
  ['header.csv', 'corridor,amount\n', /the file has no rows/],
  ['without.csv', 'id,amount\na,1\n', /has no column named corridor/],
  ['semicolons.csv', 'corridor;amount\nGB-NG;1\n', /separate the columns with commas/],
  ['repeated.csv', 'corridor,Corridor\nGB-NG,GB-NG\n', /has the column corridor more than once/],
  ['unclosed.csv', 'corridor,id\nGB-NG,a\nGB-NG,"b\nGB-NG,c\n', /unclosed\.csv, line 3: .* never closed/],
  [
    'junk.csv',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]),
    /is not text in UTF-8/,
  ],
  ['excel.csv', Buffer.from('PK\u0003\u0004stuff'), /is a spreadsheet or an archive/],
  ['wide.csv', Buffer.from('\ufeffcorridor\nGB-NG\n', 'utf16le'), /is in UTF-16/],
  [
    'late.csv',
    Buffer.concat([Buffer.from('corridor\nGB-NG\n'), Buffer.from([0xff, 0x0a])]),
    /line 3: .* UTF-8/,
  ],
  ['broken.json', '{"transactions":[{"corridor":"GB-NG"},\n{"corridor":}]}', /line 2: .* not valid JSON/],
  ['other.json', '{"rows":[]}', /has no list of transactions/],
  ['none.json', '{"transactions":[]}', /has no rows/],
]

test('a file that cannot be read gets one clear line, exit code 1, and leaves nothing behind', async () => {
  await withFolder(async (folder) => {
    await mkdir(join(folder, 'a-folder.csv'))
    for (const [name, content] of badFiles) writeFileSync(join(folder, name), content)
    const cases: readonly (readonly [string, RegExp])[] = [
      ...badFiles.map(([name, , line]) => [name, line] as const),
      ['missing.csv', /cannot read missing\.csv: there is no such file/],
      ['a-folder.csv', /cannot read a-folder\.csv: it is a folder/],
    ]
    const before = readdirSync(folder).toSorted()
    const results = await Promise.all(
      cases.map(([name]) => runInProcess(['assess', name, '--out', `out-${name}`], {}, { cwd: folder })),
    )
    for (const [place, { code, stdout, stderr }] of results.entries()) {
      const [name, line] = cases[place] ?? assert.fail()
      assert.equal(code, 1, name)
      assert.equal(stdout, '', name)
      assert.match(stderr, /^fairway: [^\n]+\n$/, name)
      assert.match(stderr, line, name)
    }
    assert.deepEqual(readdirSync(folder).toSorted(), before)
  })
})

test('a report never overwrites the file that it is made from, nor what is not a folder', async () => {
  await withFolder(async (folder) => {
    const input = join(folder, 'assessments.csv')
    writeFileSync(input, 'corridor\nGB-NG\n')
    const own = await runInProcess(['assess', 'assessments.csv', '--out', '.'], {}, { cwd: folder })
    assert.equal(own.code, 1)
    assert.match(own.stderr, /cannot write to \.: it would overwrite the input/)
    const file = await runInProcess(
      ['assess', 'assessments.csv', '--out', 'assessments.csv'],
      {},
      { cwd: folder },
    )
    assert.equal(file.code, 1)
    assert.match(file.stderr, /^fairway: cannot write to assessments\.csv: [^\n]+\n$/)
    assert.equal(readFileSync(input, 'utf8'), 'corridor\nGB-NG\n')
  })
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} in the middle leaves no broken output behind`, async () => {
    await withFolder(async (folder) => {
      const child = start(['assess', '-', '--out', 'out'], {}, { cwd: folder, stdin: 'pipe' })
      const ended = finished(child)
      const made = changed(folder)
      child.stdin?.on('error', () => {})
      child.stdin?.write('corridor,id\n')
      await made
      const writing = changed(join(folder, 'out'))
      // The input stays open, so that the command is surely at work when it is stopped.
      child.stdin?.write('GB-NG,payment\n'.repeat(50_000))
      await writing
      child.kill(signal)
      const { signal: by, stdout, stderr } = await ended
      assert.equal(by, signal)
      assert.equal(stdout, '')
      assert.equal(stderr, 'fairway: stopped: nothing was written\n')
      assert.deepEqual(readdirSync(folder), [])
    })
  })
}

// Other systems have another `script`, or none.
const skip = process.platform === 'linux' ? false : 'needs the script of util-linux'

test('on a terminal, a progress bar tells how far, how fast and how long still', { skip }, async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'many.csv'), `corridor,id\n${'GB-NG,payment\n'.repeat(60_000)}`)
    const command = `${process.execPath} ${join(root, 'src', 'main.ts')} assess many.csv`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { code, stdout } = await finished(child)
    assert.equal(code, 0)
    const frames = [...stdout.matchAll(/(\d+)% \| (\d+ s|\?) left \| ([\d,]+) rows \| ([\d,]+) rows\/s/g)]
    assert.ok(
      frames.some(([, , left, rows, rate]) => left !== '?' && rows !== '0' && rate !== '0'),
      'a frame tells how far it has come',
    )
    assert.match(stdout, /60,000 rows of many\.csv assessed/)
    assert.ok(existsSync(join(folder, 'many-assessment', 'report.html')))
  })
})

test('Ctrl-C on a terminal clears the line of the bar, which never hid the cursor', { skip }, async () => {
  await withFolder(async (folder) => {
    const command = `${process.execPath} ${join(root, 'src', 'main.ts')} assess pipe --out out`
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const ended = finished(child)
    const writer = openSync(join(folder, 'pipe'), 'r+')
    let shown = ''
    while (!shown.includes('rows/s')) shown += String((await once(child.stdout, 'data'))[0])
    // The terminal itself turns this key into the signal.
    child.stdin.write('\u0003')
    const { stdout } = await ended
    closeSync(writer)
    assert.ok(!stdout.includes('\u001b[?25l'), 'the cursor is hidden')
    assert.ok(stdout.endsWith('\r\u001b[Kfairway: stopped: nothing was written\r\n'), stdout)
    assert.deepEqual(readdirSync(folder), ['pipe'])
  })
})
