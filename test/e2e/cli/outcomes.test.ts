/** `fairway outcomes import` against a server: every row is checked before any is recorded, and a second run is safe. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { FairwayClient } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import {
  serveInProcess,
  startInProcess,
  type Finished,
  type ServedInProcess,
} from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { fairwayOf, homeIn, nowhere, type Fairway } from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_LIMIT_VERIFY: '100000/60' })
})

after(async () => {
  await server.stop()
  await database.drop()
})

interface Scene {
  readonly fairway: Fairway
  readonly client: FairwayClient
  readonly settings: Readonly<Record<string, string>>
  /** The path of a file with this content. */
  readonly file: (name: string, content: string) => string
}

async function withKey(work: (scene: Scene) => Promise<void>): Promise<void> {
  const { key: apiKey } = await issueByCli(database.url)
  await withFolder(async (folder) => {
    const settings = { ...homeIn(folder), FAIRWAY_URL: server.url, FAIRWAY_API_KEY: apiKey }
    await work({
      fairway: fairwayOf(folder, settings),
      client: new FairwayClient({ baseUrl: server.url, apiKey }),
      settings,
      file(name, content) {
        const path = join(folder, name)
        writeFileSync(path, content)
        return path
      },
    })
  })
}

/** The ids of new decisions, whose correlation ids are `pay-1`, `pay-2` and so on. */
async function decide(client: FairwayClient, count: number): Promise<string[]> {
  const payments = Array.from({ length: count }, (_, place) => ({
    corridor: 'GB-NG',
    amount: 1 + place,
    correlation_id: `pay-${place + 1}`,
  }))
  const results = await Promise.all(payments.map((payment) => client.verify(payment)))
  return results.map((result) => (result.held ? assert.fail(result.message) : result.request_id))
}

interface Result {
  readonly file: string
  readonly dry_run: boolean
  readonly rows: number
  readonly recorded: number
  readonly unchanged: number
  readonly faults: readonly { row: number; line: number | null; column: string | null; message: string }[]
  readonly warnings: readonly string[]
}

function resultOf({ stdout, stderr, code }: Finished, expectedCode = 0): Result {
  assert.equal(code, expectedCode, stderr)
  assert.match(stdout, /^[^\n]+\n$/, 'one value on one line')
  return JSON.parse(stdout) as Result
}

const csvOf = (ids: readonly string[]): string =>
  `request_id,outcome\n${ids.map((id) => `${id},COMPLETED\n`).join('')}`

const endedOf = async (client: FairwayClient): Promise<number> => (await client.calibration()).with_outcome

test('a file of several requests is checked, then recorded whole, and a second run changes nothing', () =>
  withKey(async ({ fairway, client, file }) => {
    const path = file('outcomes.csv', csvOf(await decide(client, 501)))
    const whole = { file: 'outcomes.csv', rows: 501, faults: [], warnings: [] }
    const checked = resultOf(await fairway(['outcomes', 'import', path, '--check']))
    assert.deepEqual(checked, { ...whole, dry_run: true, recorded: 501, unchanged: 0 })
    assert.equal(await endedOf(client), 0)
    const shown = await fairway(['outcomes', 'import', path], { NO_COLOR: '1' }, { columns: 100 })
    assert.deepEqual([shown.code, shown.stdout], [0, 'Recorded 501 outcomes of outcomes.csv.\n'])
    assert.match(shown.stderr, /100% \| 501 of 501 rows checked[\s\S]*100% \| 501 of 501 rows recorded/)
    assert.equal(await endedOf(client), 501)
    const again = await fairway(['outcomes', 'import', path, '--no-json'])
    assert.equal(
      again.stdout,
      'Recorded 0 outcomes of outcomes.csv; 501 reported before, unchanged.\n',
      again.stderr,
    )
  }))

test('every fault has its row and line in the file, whoever finds it, and then nothing is recorded', () =>
  withKey(async ({ fairway, client, file }) => {
    const ids = await decide(client, 503)
    await client.reportOutcome(ids[501] ?? '', { outcome: 'FAILED' })
    const lines = ids.map((id) => `${id},,COMPLETED`)
    lines[1] = `${ids[1]},,LOST`
    lines[2] = ',pay-unknown,COMPLETED'
    lines[3] = `,pay-1,COMPLETED`
    lines[502] = `${ids[0]},,FAILED`
    lines.push(',,COMPLETED')
    // A blank row is no row, but a line.
    const path = file('bad.csv', `request_id,correlation_id,outcome\n\n${lines.join('\n')}\n`)
    const outcomes = 'COMPLETED, FAILED, DELAYED, REJECTED, PENDING'
    const faults = [
      [2, 4, 'outcome', `must be one of ${outcomes}`],
      [3, 5, 'correlation_id', 'is not that of one of your decisions'],
      [4, 6, 'correlation_id', 'is of the same decision as row 1'],
      [502, 504, 'outcome', 'is already reported as FAILED'],
      [503, 505, 'request_id', 'repeats the request_id of row 1'],
      [504, 506, 'request_id', 'is required, or a correlation_id instead'],
    ] as const
    const result = resultOf(await fairway(['outcomes', 'import', path]), 1)
    assert.deepEqual(
      result.faults.map(({ row, line, column, message }) => [row, line, column, message]),
      faults,
    )
    assert.deepEqual([result.rows, result.recorded, result.unchanged], [504, 0, 0])
    const shown = await fairway(['outcomes', 'import', path, '--no-json'])
    assert.deepEqual([shown.code, shown.stderr], [1, ''])
    assert.deepEqual(shown.stdout.trimEnd().split('\n'), [
      'bad.csv has 6 faults; nothing was recorded:',
      ...faults.map(([row, line, column, message]) => `  row ${row}, line ${line}, ${column}: ${message}`),
    ])
    assert.equal(await endedOf(client), 1)
  }))

test('two rows of one decision are a fault also in two requests and under two ids', () =>
  withKey(async ({ fairway, client, file }) => {
    const ids = await decide(client, 501)
    const rows = ids.slice(1).map((id) => ({ request_id: id, outcome: 'COMPLETED' }))
    const path = file('twice.json', JSON.stringify([...rows, { correlation_id: 'pay-2', outcome: 'FAILED' }]))
    assert.deepEqual(resultOf(await fairway(['outcomes', 'import', path]), 1).faults, [
      { row: 501, line: null, column: 'correlation_id', message: 'is of the same decision as row 1' },
    ])
    assert.equal(await endedOf(client), 0)
  }))

test('JSON is a list or an object with one, on standard input too, and ignored members are named', () =>
  withKey(async ({ fairway, client, file }) => {
    const [first = '', second = ''] = await decide(client, 2)
    const occurred_at = new Date().toISOString()
    const rows = [{ request_id: first, outcome: 'FAILED', occurred_at, partner: null, note: 'late' }]
    const list = resultOf(await fairway(['outcomes', 'import', file('list.json', JSON.stringify(rows))]))
    assert.deepEqual([list.recorded, list.warnings], [1, ['Ignored members: "note".']])
    const input = `\ufeff${JSON.stringify({ outcomes: [...rows, { request_id: second, outcome: 'PENDING' }] })}`
    const piped = resultOf(await fairway(['outcomes', 'import', '-'], {}, { input }))
    assert.deepEqual([piped.file, piped.recorded, piped.unchanged], ['standard input', 1, 1])
    const csv = file('late.csv', `Outcome,request_id,paid by\nCOMPLETED,${second},Ada\n`)
    const late = await fairway(['outcomes', 'import', csv, '--no-json'])
    assert.equal(late.stdout, 'Recorded 1 outcome of late.csv.\n')
    assert.equal(late.stderr, 'fairway: Ignored columns: "paid by".\n')
    const { outcome } = await client.audit(first)
    assert.deepEqual([outcome?.outcome, outcome?.occurred_at], ['FAILED', occurred_at])
  }))

test('an unreadable file is one clear line, and nothing is sent', () =>
  withKey(async ({ fairway, file }) => {
    const unsent = { FAIRWAY_URL: await nowhere() }
    const cases: [string, string, RegExp][] = [
      ['empty.csv', '', /^fairway: empty\.csv: the file is empty: a header row is needed\n$/],
      ['none.csv', 'request_id,outcome\n', /^fairway: none\.csv: the file has no rows\n$/],
      ['none.json', '[]', /^fairway: none\.json: the file has no rows\n$/],
      ['columns.csv', 'id,outcome\n1,FAILED\n', /the file has no column named request_id or correlation_id/],
      [
        'misspelt.csv',
        'request_id,outcom\n1,FAILED\n',
        /line 1: the file has a column that must be named outcome/,
      ],
      ['quote.csv', 'request_id,outcome\n"SVC-1,FAILED\n', /quote\.csv, line 2: the file has a quote that/],
      ['cut.json', '[{"outcome":', /^fairway: cut\.json: the file is not valid JSON: /],
      ['other.json', '{"rows": []}', /the file has no list of outcomes: expected/],
      [
        'twice.json',
        '[{"outcome":"FAILED","outcome":"PENDING"}]',
        /has the member \/0\/outcome more than once/,
      ],
      [
        'long.csv',
        `request_id,outcome\n${'a,FAILED\n'.repeat(200_001)}`,
        /has more than 200,000 rows: split it/,
      ],
    ]
    for (const [name, content, message] of cases) {
      const { code, stdout, stderr } = await fairway(
        ['outcomes', 'import', file(name, content), '--no-json'],
        unsent,
      )
      assert.deepEqual([code, stdout], [1, ''], name)
      assert.match(stderr, message)
    }
    const missing = await fairway(['outcomes', 'import', 'nowhere.csv', '--no-json'], unsent)
    assert.match(missing.stderr, /^fairway: cannot read nowhere\.csv: there is no such file\n$/)
  }))

/** Passes requests on to the server. `isAnswered` runs once the server has answered; if false, the answer is lost. */
async function withFront(
  isAnswered: (request: IncomingMessage) => boolean | Promise<boolean>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const front = createServer((request, response) => {
    void (async () => {
      const { authorization = '', 'content-type': type = '' } = request.headers
      const answer = await checkedFetch(`${server.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { authorization, 'content-type': type },
        body: await textOf(request),
      })
      const body = await answer.text()
      if (!(await isAnswered(request))) return request.socket.destroy()
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
    })()
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
  } finally {
    front.closeAllConnections()
    await new Promise((resolve) => front.close(resolve))
  }
}

test('Ctrl-C after a lost answer says how far it came, and the next run finishes the file', () =>
  withKey(async ({ fairway, client, settings, file }) => {
    const path = file('outcomes.csv', csvOf(await decide(client, 1001)))
    let recordings = 0
    const isAnswered = ({ url = '' }: IncomingMessage): boolean => {
      if (url.includes('dry_run')) return true
      recordings += 1
      if (recordings === 2) setImmediate(() => command.signal('SIGINT'))
      return recordings < 2
    }
    let command: ReturnType<typeof startInProcess>
    await withFront(isAnswered, async (url) => {
      command = startInProcess(['outcomes', 'import', path], { ...settings, FAIRWAY_URL: url })
      await command.said(
        /fairway: stopped; 500 of 1,001 rows are recorded\. Run the command again: recorded rows stay unchanged\n/,
      )
      assert.equal(await command.stop('SIGINT'), 130)
    })
    assert.equal(await endedOf(client), 1000, 'the answer was lost, not the report')
    const { recorded, unchanged } = resultOf(await fairway(['outcomes', 'import', path]))
    assert.deepEqual([recorded, unchanged], [1, 1000])
  }))

test('an outcome that somebody else reports after the check stops the import at its row', () =>
  withKey(async ({ client, settings, file, fairway }) => {
    const ids = await decide(client, 501)
    const path = file('outcomes.csv', csvOf(ids))
    let recordings = 0
    const isAnswered = async ({ url = '' }: IncomingMessage): Promise<boolean> => {
      if (!url.includes('dry_run')) recordings += 1
      if (recordings === 1) await client.reportOutcome(ids[500] ?? '', { outcome: 'FAILED' })
      return true
    }
    await withFront(isAnswered, async (url) => {
      const { stdout, code } = await fairway(['outcomes', 'import', path, '--no-json'], {
        ...settings,
        FAIRWAY_URL: url,
      })
      assert.equal(code, 1)
      assert.equal(
        stdout,
        `outcomes.csv has 1 fault; 500 of 501 rows were recorded before:
  row 501, line 502, outcome: is already reported as FAILED
`,
      )
    })
  }))
