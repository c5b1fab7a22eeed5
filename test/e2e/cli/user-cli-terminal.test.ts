/** The commands of users on a terminal: tables and colour, NO_COLOR, questions, and a key that is typed unseen. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { serveInProcess, type Finished, type ServedInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import {
  configIn,
  fairwayOf,
  homeIn,
  onTerminal,
  type AtTerminal,
  type Fairway,
} from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url })
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

interface Scene {
  /** In this process, on whatever is called a terminal. */
  readonly fairway: Fairway
  /** A process on a real terminal. */
  readonly onRealTerminal: OnTerminal
  readonly key: string
  readonly folder: string
}

async function withTerminal(work: (scene: Scene) => Promise<void>): Promise<void> {
  const { key } = await issueByCli(database.url)
  await withFolder(async (folder) => {
    const environment = { ...homeIn(folder), FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key }
    await work({
      fairway: fairwayOf(folder, environment),
      onRealTerminal: (args, more = {}, options = {}) =>
        onTerminal(args, { ...environment, ...more }, options),
      key,
      folder,
    })
  })
}

const escape = '\u001b['

test('a decision is shown in colour with its signals, and the exit code is kept', () =>
  withTerminal(async ({ onRealTerminal }) => {
    const { code, stdout } = await onRealTerminal(['verify', 'GB-NG', '1000.01', '--currency', 'GBP'])
    assert.equal(code, 10)
    assert.ok(stdout.startsWith(`${escape}1m${escape}33mDEGRADED`), stdout)
    const text = stripVTControlCharacters(stdout)
    assert.match(text, /^DEGRADED {2}score 0\.76, confidence 0\.93\r\n/)
    assert.match(text, /Reasons {2}HIGH_FRAUD_SIGNAL: /)
    assert.match(text, /fraud_flags +ELEVATED +0\.300\r\n/)
    assert.match(text, /fairway explain SVC-\d{4}-\w+\r\n$/)
  }))

test('NO_COLOR and --no-color leave the text alone; --json is one value also here', () =>
  withTerminal(async ({ fairway }) => {
    const columns = 120
    const painted = await fairway(['verify', 'GB-NG', '1'], {}, { columns })
    assert.ok(painted.stdout.includes(escape))
    for (const { stdout } of [
      await fairway(['verify', 'GB-NG', '1'], { NO_COLOR: '1' }, { columns }),
      await fairway(['verify', 'GB-NG', '1', '--no-color'], {}, { columns }),
    ]) {
      assert.match(stdout, /^GO {2}score/)
      assert.ok(!stdout.includes(escape))
    }
    const { stdout } = await fairway(['verify', 'GB-NG', '1', '--json'], {}, { columns })
    assert.equal((JSON.parse(stdout) as { decision: string }).decision, 'GO')
  }))

test('where it is piped, FORCE_COLOR paints text and never JSON', () =>
  withTerminal(async ({ fairway }) => {
    const forced = { FORCE_COLOR: '1' }
    const text = await fairway(['health', '--no-json'], forced)
    assert.ok(text.stdout.includes(escape))
    const json = await fairway(['health'], forced)
    assert.ok(!json.stdout.includes(escape))
  }))

test('a table is no wider than the terminal', () =>
  withTerminal(async ({ fairway, onRealTerminal }) => {
    await fairway(['verify', 'GB-NG', '1000'])
    for (const [columns, show] of [
      [80, onRealTerminal],
      [80, fairway],
      [100, fairway],
    ] as const) {
      const { stdout } = await show(['history'], {}, { columns })
      const widths = stripVTControlCharacters(stdout)
        .split(/\r?\n/)
        .map((line) => line.length)
      assert.ok(Math.max(...widths) <= columns, stdout)
      assert.match(stdout, /SVC-\d{4}-\w{26}/)
    }
  }))

test('a hold says what to type to ask again', () =>
  withTerminal(async ({ fairway }) => {
    const { code, stdout } = await fairway(
      ['verify', 'GB-NG', '1000.09'],
      { NO_COLOR: '1' },
      { columns: 120 },
    )
    assert.equal(code, 75)
    assert.match(stdout, /^HOLD {2}no decision: do not pay now/)
    assert.match(stdout, /Retry: fairway verify GB-NG 1000\.09 --idempotency-key [\w-]{36}\n$/)
  }))

test('an override is asked about, and only yes means yes', () =>
  withTerminal(async ({ fairway, onRealTerminal }) => {
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
    const no = await onRealTerminal(args, {}, { answers: [['[y/N]', '\r']] })
    assert.equal(no.code, 1)
    assert.match(no.stdout, /This cannot be undone\. \[y\/N\][\s\S]*nothing was overridden/)
    const yes = await onRealTerminal(args, {}, { answers: [['[y/N]', 'y\r']] })
    assert.equal(yes.code, 0)
    assert.match(stripVTControlCharacters(yes.stdout), /Overridden: DEGRADED with EXECUTE/)
  }))

test('login asks, and shows nothing of the key that is typed', () =>
  withTerminal(async ({ onRealTerminal, key, folder }) => {
    const none = { FAIRWAY_API_KEY: '', FAIRWAY_URL: '' }
    const { code, stdout } = await onRealTerminal(['login'], none, {
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
  withTerminal(async ({ onRealTerminal, folder }) => {
    const { code } = await onRealTerminal(
      ['login'],
      { FAIRWAY_API_KEY: '' },
      { answers: [['Address', '\u0003']] },
    )
    assert.equal(code, 130)
    assert.ok(!existsSync(configIn(folder)))
  }))
