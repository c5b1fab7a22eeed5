/** The recipe for a shell: a job that sends what Fairway allows, once, and holds everything else. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withScript } from '../../helpers/peers/scripted.ts'
import {
  inherited,
  serveInProcess,
  type Finished,
  type ServedInProcess,
} from '../../helpers/process/in-process.ts'
import { finished, issueByCli } from '../../helpers/process/process.ts'
import { homeIn, nowhere } from '../../helpers/process/user.ts'
import { folderWithFairway } from '../../helpers/recipes.ts'

const script = new URL('../../../examples/gate-payouts.sh', import.meta.url).pathname
const header = 'id,corridor,amount,currency,reference'

/** Appends what it was given to a file, one value a line. */
const sender = `#!/bin/sh
printf '%s\\n' "$PAYOUT_ID|$PAYOUT_CORRIDOR|$PAYOUT_AMOUNT|$PAYOUT_CURRENCY|$PAYOUT_REFERENCE|$PAYOUT_REQUEST_ID|\${FAIRWAY_API_KEY-no key}" >> sent.txt
`

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_COOLDOWN_S: '0' })
})

after(async () => {
  await server.stop()
  await database.drop()
})

interface Job {
  readonly folder: string
  readonly key: string
  readonly start: (more?: Readonly<Record<string, string>>) => ChildProcess
  readonly run: (more?: Readonly<Record<string, string>>) => Promise<Finished>
  readonly write: (...rows: readonly string[]) => void
  /** Each payout as the sender got it. */
  readonly sent: () => string[][]
  /** Id, reason and request id of the held ones. */
  readonly held: () => string[][]
}

/** A job in a folder of its own, with a key of its own. What it says is searched for the key. */
async function withJob(work: (job: Job) => Promise<void>): Promise<void> {
  const { key } = await issueByCli(database.url)
  await withFolder(async (folder) => {
    const bin = folderWithFairway(folder)
    const at = (name: string): string => join(folder, name)
    mkdirSync(at('state'))
    writeFileSync(at('send.sh'), sender)
    chmodSync(at('send.sh'), 0o755)
    const { PATH = '', ...rest } = inherited()
    const environment = {
      ...rest,
      ...homeIn(folder),
      PATH: `${bin}:${PATH}`,
      FAIRWAY_URL: server.url,
      FAIRWAY_API_KEY: key,
      SEND_PAYOUT: './send.sh',
      PAYOUT_STATE: at('state'),
    }
    const start = (more = {}): ChildProcess =>
      spawn(script, ['payouts.csv'], {
        cwd: folder,
        env: { ...environment, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
    await work({
      folder,
      key,
      start,
      async run(more) {
        const result = await finished(start(more))
        assert.ok(!`${result.stdout}${result.stderr}`.includes(key.slice(8)), 'the key was shown')
        return result
      },
      write: (...rows) => writeFileSync(at('payouts.csv'), `${[header, ...rows].join('\n')}\n`),
      sent: () => linesIn(at('sent.txt')).map((row) => row.split('|')),
      held: () =>
        linesIn(at('payouts.held.csv'))
          .slice(1)
          .map((row) => row.split(',').slice(1)),
    })
  })
}

const linesIn = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []

const columnOf = (rows: readonly (readonly string[])[], ...columns: readonly number[]): string[] =>
  rows.map((row) => columns.map((column) => row[column]).join(' '))

test('warnings of an answer are named on standard error', () =>
  withJob(async ({ run, write, held }) => {
    write('p-1,GB-QQ,1000,GBP,no such country', 'p-2,GB-NG,1000,GBP,a country')
    const { stderr } = await run()
    assert.match(stderr, /^warning: line 2 p-1 \{"code":"UNKNOWN_COUNTRY",.*"path":"\/corridor"\}$/m)
    assert.equal(stderr.match(/^warning:/gm)?.length, 1)
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 DEGRADED_TREAT_AS_NO_DATA'])
  }))

test('it sends on GO with PROCEED alone, holds the rest with reasons, and exits with 75', () =>
  withJob(async ({ run, write, sent, held, key, folder }) => {
    write(
      'p-1,GB-NG,1000,GBP,Invoice 1',
      'p-2,GB-NG,1000.01,GBP,fraud flag',
      'p-3,GB-NG,1000.07,GBP,a GO that asks for the payee',
      'p-4,GB-NG,1000.08,GBP,no go',
      'p-5,GB-NG,1000.09,GBP,no answer for this one',
      'p-6,GB-NG,250.50,GBP,the one after a hold',
      'p-7,GB-NG,1000,XXQ,no such currency',
    )
    const { code, stdout, stderr } = await run()
    assert.equal(code, 75, stderr)
    assert.deepEqual(columnOf(sent(), 0, 1, 2, 3, 4, 6), [
      'p-1 GB-NG 1000 GBP Invoice 1 no key',
      'p-6 GB-NG 250.50 GBP the one after a hold no key',
    ])
    assert.deepEqual(columnOf(held(), 0, 1), [
      'p-2 DEGRADED_BLOCK',
      'p-3 GO_CONFIRM_PAYEE',
      'p-4 NO-GO_BLOCK',
      'p-5 SIGNALS_UNAVAILABLE',
      'p-7 INVALID_REQUEST',
    ])
    assert.match(stderr, /held: line 3 p-2 DEGRADED_BLOCK/)
    const [id = ''] = columnOf(sent(), 5)
    assert.match(stdout, new RegExp(`sent: p-1 ${id}\n`))
    const record = await checkedFetch(`${server.url}/api/v1/audit/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const body = (await record.json()) as Record<string, unknown>
    assert.deepEqual([body['amount'], body['currency'], body['correlation_id']], [1000, 'GBP', 'p-1'])
    const kept = JSON.parse(readFileSync(join(folder, 'state/p-1/decision.json'), 'utf8')) as object
    assert.deepEqual('request_id' in kept && kept.request_id, id)
  }))

test('all sent is exit code 0, and a second run sends nothing again', () =>
  withJob(async ({ run, write, sent, held }) => {
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,2000,GBP,two')
    assert.equal((await run()).code, 0)
    const again = await run()
    assert.equal(again.code, 0)
    assert.match(again.stdout, /sent before: p-1\nsent before: p-2\n/)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2'])
    assert.deepEqual(held(), [])
  }))

test('without a server everything is held and nothing is sent, and the next run sends it', () =>
  withJob(async ({ run, write, sent, held }) => {
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,2000,GBP,two', 'p-3,GB-NG,3000,GBP,three')
    const away = await run({ FAIRWAY_URL: await nowhere() })
    assert.equal(away.code, 75)
    assert.deepEqual(sent(), [])
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 NO_ANSWER', 'p-2 NOT_ASKED', 'p-3 NOT_ASKED'])
    assert.equal((await run()).code, 0)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2', 'p-3'])
    assert.deepEqual(held(), [])
  }))

test('with a key that is not taken everything is held', () =>
  withJob(async ({ run, write, sent, held }) => {
    write('p-1,GB-NG,1000,GBP,one')
    const { code } = await run({ FAIRWAY_API_KEY: `pk_test_${'a'.repeat(32)}` })
    assert.equal(code, 75)
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 UNAUTHORIZED'])
    assert.deepEqual(sent(), [])
  }))

test('hostile values are passed on as they are, or held: they never run, and never become options', () =>
  withJob(async ({ run, write, sent, held, folder }) => {
    write(
      'p-1,GB-NG,1000,GBP,$(touch pwned) `touch pwned` ; touch pwned',
      'p-2,GB-NG,1000,GBP,"a ""quoted"" name, with a comma"',
      "p-3,GB-NG,1000,GBP,--help 'x' \\ * ~ $HOME",
      'p-4,GB-NG,1000,GBP,-rf',
      '--url=http://127.0.0.1:1,GB-NG,1000,GBP,x',
      '../p-5,GB-NG,1000,GBP,x',
      '..,GB-NG,1000,GBP,x',
      'p 6,GB-NG,1000,GBP,x',
      '$(touch pwned),GB-NG,1000,GBP,x',
      'p-7,--help,1000,GBP,x',
      'p-8,GB-NG,-1000,GBP,x',
      'p-9,GB-NG,$(touch pwned),GBP,x',
      'p-10,GB-NG,1e3,GBP,x',
      'p-11,GB-NG,0.00,GBP,x',
      'p-12,GB-NG,1000,GBP,one,two',
      'p-13,GB-NG,1000,GBP',
      'p-14,GB-NG,1000,GBP,"open" end',
    )
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(sent(), 0, 4), [
      'p-1 $(touch pwned) `touch pwned` ; touch pwned',
      'p-2 a "quoted" name, with a comma',
      "p-3 --help 'x' \\ * ~ $HOME",
      'p-4 -rf',
    ])
    assert.deepEqual(columnOf(held(), 0, 1), Array(13).fill(' INVALID_ROW'))
    assert.ok(!existsSync(join(folder, 'pwned')), 'a value was executed')
    assert.deepEqual(readdirSync(join(folder, 'state')).toSorted(), ['p-1', 'p-2', 'p-3', 'p-4'])
  }))

test('a value with a line break, which could hide a payout, refuses the file before anything is asked', () =>
  withJob(async ({ run, write, sent, folder }) => {
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,1000,GBP,"two', 'p-3,GB-NG,9000,GBP,"')
    const { code, stderr } = await run()
    assert.equal(code, 1)
    assert.match(stderr, /must not contain line breaks/)
    assert.deepEqual([sent(), existsSync(join(folder, 'payouts.held.csv'))], [[], false])
  }))

test('one id for two different payouts sends the first and holds the second', () =>
  withJob(async ({ run, write, sent, held }) => {
    write('p-1,GB-NG,1000,GBP,one', 'p-1,GB-NG,2000,GBP,two')
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(sent(), 0, 2), ['p-1 1000'])
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 ID_USED_FOR_ANOTHER_PAYOUT'])
  }))

test('an id whose earlier decision was for another amount is held', () =>
  withJob(async ({ run, write, held }) => {
    write('p-1,GB-NG,1000.01,GBP,one')
    await run()
    write('p-1,GB-NG,1000,GBP,one')
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 IDEMPOTENCY_CONFLICT'])
    assert.equal((await run({ PAYOUT_ROUND: '2' })).code, 0, 'a new round asks anew')
  }))

test('a job killed while it sends leaves the payout as unknown: no later run sends it again', () =>
  withJob(async ({ start, run, write, sent, held, folder }) => {
    // It says that it has begun, and then waits for ever.
    writeFileSync(join(folder, 'send.sh'), `${sender}echo "begun $PAYOUT_ID"\nexec sleep 1000\n`)
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,2000,GBP,two')
    const job = start()
    const ended = once(job, 'close')
    let said = ''
    while (!said.includes('begun p-1')) said += String((await once(job.stdout ?? job, 'data'))[0] as Buffer)
    process.kill(-(job.pid ?? assert.fail('it did not start')), 'SIGKILL')
    await ended
    writeFileSync(join(folder, 'send.sh'), sender)
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2'])
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 SEND_UNKNOWN'])
    // The rail has it not: the payout is released by hand.
    rmSync(join(folder, 'state/p-1'), { recursive: true })
    assert.equal((await run()).code, 0)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2', 'p-1'])
  }))

test('a sender that fails leaves the payout as unknown, and the job goes on with the next', () =>
  withJob(async ({ run, write, sent, held, folder }) => {
    writeFileSync(join(folder, 'send.sh'), `${sender}[ "$PAYOUT_ID" != p-1 ]\n`)
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,2000,GBP,two')
    assert.equal((await run()).code, 75)
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2'])
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 SEND_UNKNOWN'])
  }))

test('a job killed before it wrote what it sends leaves the payout as unknown', () =>
  withJob(async ({ run, write, sent, held, folder }) => {
    mkdirSync(join(folder, 'state/p-1'))
    write('p-1,GB-NG,1000,GBP,one')
    assert.equal((await run()).code, 75)
    assert.deepEqual([columnOf(held(), 0, 1), sent()], [['p-1 SEND_UNKNOWN'], []])
  }))

test('a payout that is sent and cannot be noted is held as unknown, and the exit code is not that of nothing done', () =>
  withJob(async ({ run, write, sent, held, folder }) => {
    writeFileSync(join(folder, 'send.sh'), `${sender}rm -r "$PAYOUT_STATE/$PAYOUT_ID"\n`)
    write('p-1,GB-NG,1000,GBP,one', 'p-2,GB-NG,2000,GBP,two')
    assert.equal((await run()).code, 75)
    assert.deepEqual(columnOf(sent(), 0), ['p-1', 'p-2'])
    assert.deepEqual(columnOf(held(), 0, 1), ['p-1 SEND_UNKNOWN', 'p-2 SEND_UNKNOWN'])
  }))

test('an answer that is not plainly one GO with PROCEED sends nothing', () =>
  withJob(async ({ run, write, sent, held, key }) => {
    const asked = await checkedFetch(`${server.url}/api/v1/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ corridor: 'GB-NG', amount: 1000, currency: 'GBP' }),
    })
    const go = (await asked.json()) as Readonly<Record<string, unknown>>
    const inner = { decision: 'GO', recommended_action: 'PROCEED', valid_until: '2999-01-01T00:00:00.000Z' }
    const cases = [
      [200, { ...go, decision: 'NO-GO' }, 'NO-GO_PROCEED'],
      [200, { ...go, decision: 'DEGRADED' }, 'DEGRADED_PROCEED'],
      [200, { inner, ...go, recommended_action: 'CONFIRM_PAYEE' }, 'UNCLEAR_ANSWER'],
      [200, { note: '","recommended_action":"PROCEED"', ...go, recommended_action: 'HOLD' }, 'GO_HOLD'],
      [200, { ...go, valid_until: undefined }, 'DECISION_EXPIRED'],
      [500, go, 'NO_ANSWER'],
      [503, go, 'NO_ANSWER'],
    ] as const
    write('p-1,GB-NG,1000,GBP,one')
    for (const [status, body, reason] of cases)
      await withScript(
        Array.from({ length: 10 }, () => ({ status, body })),
        async ({ url }) => {
          assert.equal((await run({ FAIRWAY_URL: url })).code, 75)
          assert.deepEqual([columnOf(held(), 0, 1), sent()], [[`p-1 ${reason}`], []])
        },
      )
    await withScript([{ status: 200, body: go }], async ({ url }) => {
      assert.equal((await run({ FAIRWAY_URL: url })).code, 0)
    })
    assert.deepEqual(columnOf(sent(), 0), ['p-1'])
  }))

test('two jobs on one file at once send each payout once', () =>
  withJob(async ({ run, write, sent }) => {
    write(...[1, 2, 3, 4].map((number) => `p-${number},GB-NG,${number}000,GBP,x`))
    await Promise.all([run(), run()])
    assert.deepEqual(columnOf(sent(), 0).toSorted(), ['p-1', 'p-2', 'p-3', 'p-4'])
  }))

test('a GO that has expired sends nothing, and a new round asks anew', () =>
  withJob(async ({ run, write, sent, held, folder }) => {
    write('p-1,GB-NG,1000,GBP,one')
    // The machine's clock, years later.
    writeFileSync(join(folder, 'bin/date'), '#!/bin/sh\necho 20990101000000\n')
    chmodSync(join(folder, 'bin/date'), 0o755)
    assert.equal((await run()).code, 75)
    assert.deepEqual([columnOf(held(), 0, 1), sent()], [['p-1 DECISION_EXPIRED'], []])
    rmSync(join(folder, 'bin/date'))
    assert.equal((await run({ PAYOUT_ROUND: '2' })).code, 0)
    assert.deepEqual(columnOf(sent(), 0), ['p-1'])
  }))

test('a missing state folder, a missing sender and a wrong header stop the job before anything is asked', () =>
  withJob(async ({ run, write, sent, folder }) => {
    write('p-1,GB-NG,1000,GBP,one')
    const cases = [
      [{ PAYOUT_STATE: join(folder, 'elsewhere') }, /absolute path of a folder that exists/],
      [{ PAYOUT_STATE: 'state' }, /absolute path of a folder that exists/],
      [{ SEND_PAYOUT: '' }, /set SEND_PAYOUT/],
      [{ SEND_PAYOUT: './absent.sh' }, /set SEND_PAYOUT/],
      [{ PAYOUT_ROUND: 'a b' }, /PAYOUT_ROUND may have/],
    ] as const
    for (const [settings, message] of cases) {
      const { code, stderr } = await run(settings)
      assert.equal(code, 1)
      assert.match(stderr, message)
    }
    writeFileSync(join(folder, 'payouts.csv'), 'id,amount\np-1,1000\n')
    const { code, stderr } = await run()
    assert.deepEqual([code, sent()], [1, []])
    assert.match(stderr, /first line of payouts.csv must be id,corridor,amount,currency,reference/)
  }))
