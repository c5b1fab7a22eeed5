/** The commands of users on a real terminal: tables and colour, NO_COLOR, questions, and a key that is typed unseen. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { issueByCli, run, serve, type Finished, type Served } from '../../helpers/process/process.ts'
import { configIn, homeIn, onTerminal, type AtTerminal } from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: Served

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serve({ DATABASE_URL: database.url })
})

after(async () => {
  await server.stop()
  await database.drop()
})

type OnTerminal = (
  args: readonly string[],
  more?: Readonly<Record<string, string>>,
  options?: AtTerminal,
) => Promise<Finished>

async function withTerminal(
  work: (fairway: OnTerminal, key: string, folder: string) => Promise<void>,
): Promise<void> {
  const { key } = await issueByCli(database.url)
  await withFolder(async (folder) => {
    const environment = { ...homeIn(folder), FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key }
    await work(
      (args, more = {}, options = {}) => onTerminal(args, { ...environment, ...more }, options),
      key,
      folder,
    )
  })
}

const escape = '\u001b['

test('a decision is shown in colour with its signals, and the exit code is kept', () =>
  withTerminal(async (fairway) => {
    const { code, stdout } = await fairway(['verify', 'GB-NG', '1000.01', '--currency', 'GBP'])
    assert.equal(code, 10)
    assert.ok(stdout.startsWith(`${escape}1m${escape}33mDEGRADED`), stdout)
    const text = stripVTControlCharacters(stdout)
    assert.match(text, /^DEGRADED {2}score 0\.76, confidence 0\.93\r\n/)
    assert.match(text, /Reasons {2}HIGH_FRAUD_SIGNAL: /)
    assert.match(text, /fraud_flags +ELEVATED +0\.300\r\n/)
    assert.match(text, /fairway explain SVC-\d{4}-\w+\r\n$/)
  }))

test('NO_COLOR and --no-color leave the text alone; --json is one value also here', () =>
  withTerminal(async (fairway) => {
    for (const { stdout } of [
      await fairway(['verify', 'GB-NG', '1'], { NO_COLOR: '1' }),
      await fairway(['verify', 'GB-NG', '1', '--no-color']),
    ]) {
      assert.match(stdout, /^GO {2}score/)
      assert.ok(!stdout.includes(escape))
    }
    const { stdout } = await fairway(['verify', 'GB-NG', '1', '--json'])
    assert.equal((JSON.parse(stdout) as { decision: string }).decision, 'GO')
  }))

test('where it is piped, FORCE_COLOR paints text and never JSON', () =>
  withTerminal(async (_fairway, key, folder) => {
    const environment = { ...homeIn(folder), FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key, FORCE_COLOR: '1' }
    const text = await run(['health', '--no-json'], environment)
    assert.ok(text.stdout.includes(escape))
    const json = await run(['health'], environment)
    assert.ok(!json.stdout.includes(escape))
  }))

test('a table is no wider than the terminal', () =>
  withTerminal(async (fairway) => {
    await fairway(['verify', 'GB-NG', '1000'])
    for (const columns of [80, 100]) {
      const { stdout } = await fairway(['history'], {}, { columns })
      const widths = stripVTControlCharacters(stdout)
        .split('\r\n')
        .map((line) => line.length)
      assert.ok(Math.max(...widths) <= columns, stdout)
      assert.match(stdout, /SVC-\d{4}-\w{26}/)
    }
  }))

test('a hold says what to type to ask again', () =>
  withTerminal(async (fairway) => {
    const { code, stdout } = await fairway(['verify', 'GB-NG', '1000.09'], { NO_COLOR: '1' })
    assert.equal(code, 75)
    assert.match(stdout, /^HOLD {2}nothing could be decided/)
    assert.match(stdout, /Ask again: fairway verify GB-NG 1000\.09 --idempotency-key [\w-]{36}\r\n$/)
  }))

test('an override is asked about, and only yes means yes', () =>
  withTerminal(async (fairway) => {
    const verified = await fairway(['verify', 'GB-NG', '1000.01', '--json'])
    const { request_id: id } = JSON.parse(verified.stdout) as { request_id: string }
    const args = [
      'override',
      id,
      '--action',
      'EXECUTE',
      '--reason',
      'PAYEE_CALLED',
      '--justification',
      'Confirmed.',
    ]
    const no = await fairway(args, {}, { answers: [['[y/N]', '\r']] })
    assert.equal(no.code, 1)
    assert.match(no.stdout, /It cannot be taken back\. \[y\/N\][\s\S]*nothing was overridden/)
    const yes = await fairway(args, {}, { answers: [['[y/N]', 'y\r']] })
    assert.equal(yes.code, 0)
    assert.match(stripVTControlCharacters(yes.stdout), /Overridden: DEGRADED with EXECUTE/)
  }))

test('login asks, and shows nothing of the key that is typed', () =>
  withTerminal(async (fairway, key, folder) => {
    const none = { FAIRWAY_API_KEY: '', FAIRWAY_URL: '' }
    const { code, stdout } = await fairway(['login'], none, {
      answers: [
        ['Address', `${server.url}\r`],
        ['(not shown): ', `${key}\r`],
      ],
    })
    assert.equal(code, 0, stdout)
    assert.match(stdout, /Address of Fairway \[http:\/\/127\.0\.0\.1:8080\]: /)
    assert.match(stdout, /API key for .* \(not shown\): /)
    assert.equal(JSON.parse(readFileSync(configIn(folder), 'utf8')).api_key, key)
    assert.ok(!stdout.includes(key.slice(8)), 'the key was shown')
  }))

test('Ctrl-C at a question ends the command as a signal does, and stores nothing', () =>
  withTerminal(async (fairway, _key, folder) => {
    const { code } = await fairway(['login'], { FAIRWAY_API_KEY: '' }, { answers: [['Address', '\u0003']] })
    assert.equal(code, 130)
    assert.ok(!existsSync(configIn(folder)))
  }))
