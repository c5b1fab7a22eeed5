/** The commands of users against a server: answers, exit codes, files, and a key that is never shown. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { serveInProcess, type Finished, type ServedInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import {
  answering,
  configIn,
  fairwayOf,
  nowhere,
  writeConfig,
  type Fairway,
} from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: ServedInProcess

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_LIMIT_DEMO: '1000/60' })
})

after(async () => {
  await server.stop()
  await database.drop()
})

/** A user with a key and a home of their own, so that no test sees the cooldown or the history of another. What is said anywhere is searched for the key. */
async function withUser(
  work: (fairway: Fairway, key: string, folder: string) => Promise<void>,
  ...issue: string[]
): Promise<void> {
  const { key } = await issueByCli(database.url, ...issue)
  await withFolder(async (folder) => {
    const said: string[] = []
    const inner = fairwayOf(folder, { FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key })
    const fairway: Fairway = async (...asked) => {
      const finished = await inner(...asked)
      said.push(finished.stdout, finished.stderr)
      return finished
    }
    await work(fairway, key, folder)
    assert.ok(said.length > 0 && !said.join('').includes(key.slice(8)), 'the key was shown')
  })
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test names what it was answered
function json<Body = Record<string, unknown>>({ stdout }: Finished): Body {
  assert.match(stdout, /^[^\n]+\n$/, 'one value on one line')
  return JSON.parse(stdout) as Body
}

test('the exit code is the decision: 0 GO, 10 DEGRADED, 20 NO-GO, 75 hold', () =>
  withUser(async (fairway) => {
    const cases = [
      ['1000', 0, 'GO'],
      ['1000.01', 10, 'DEGRADED'],
      ['1000.09', 75, 'HOLD'],
      ['1000.08', 20, 'NO-GO'],
    ] as const
    for (const [amount, code, decision] of cases) {
      const finished = await fairway(
        ['verify', 'GB-NG', amount, '--currency', 'GBP'],
        {},
        { asProcess: true },
      )
      assert.equal(finished.code, code, amount)
      assert.equal(json(finished)['decision'], decision)
    }
  }))

test('a hold names the key to ask again with, and asking again with it decides once', () =>
  withUser(async (fairway) => {
    const held = json(await fairway(['verify', 'GB-NG', '1000.09', '--idempotency-key', 'payment 7']))
    assert.deepEqual(held, {
      decision: 'HOLD',
      code: 'SIGNALS_UNAVAILABLE',
      message: held['message'],
      request_id: held['request_id'],
      retry_after_seconds: 120,
      unavailable_signals: ['fx_volatility', 'network_healthy'],
      signals_without_feed: [],
      idempotency_key: 'payment 7',
    })
    const first = json(
      await fairway(['verify', 'GB-NG', '5', '--idempotency-key', 'payment 8', '--correlation-id', 'c']),
    )
    const again = json(
      await fairway(['verify', 'GB-NG', '5', '--idempotency-key', 'payment 8', '--correlation-id', 'c']),
    )
    assert.equal(again['request_id'], first['request_id'])
    assert.equal(again['correlation_id'], 'c')
    const other = await fairway(['verify', 'GB-NG', '6', '--idempotency-key', 'payment 8'])
    assert.equal(other.code, 1)
    assert.equal(json<{ error: { code: string } }>(other).error.code, 'IDEMPOTENCY_CONFLICT')
  }))

test('what is not clear is refused before anything is sent', () =>
  withUser(async (fairway) => {
    const cases = [
      [['verify', 'GB-NG', '1,00'], /plain number/],
      [['verify', 'GB-NG', 'abc'], /plain number/],
      [['verify', 'GB-NG', '1e3'], /plain number/],
      [['verify', 'GB-NG', '1234567890123456'], /at most 15 digits/],
      [['verify'], /missing required argument 'corridor'/],
      [['verify', 'GB-NG', '1', '--mode', 'maybe'], /one of shadow, live/],
      [['history', '--limit', '0'], /whole number/],
      [
        ['override', 'SVC-1', '--action', 'PAY', '--reason', 'A', '--justification', 'b'],
        /one of EXECUTE, HOLD, REJECT/,
      ],
      [['compare', 'GB-NG', '--partners', 'a', '--profiles'], /cannot be used with/],
      [['verify', 'GB-NG', '--currency', 'GBP'], /--currency requires an amount/],
      [['compare', 'GB-NG', '--currency', 'GBP'], /--currency requires an amount/],
      [['corridors', '--currency', 'GBP'], /--currency requires an amount/],
      [['audit', 'SVC-1', '--export', '-'], /Expected a file name; without --export the record is printed/],
    ] as const
    for (const [args, message] of cases) {
      // Nobody listens there: had anything been sent, it would have been a hold.
      const { code, stdout, stderr } = await fairway(args, { FAIRWAY_URL: await nowhere() })
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, message)
    }
  }))

test('a refusal is one clear line, and one JSON value with every field that is wrong', () =>
  withUser(async (fairway) => {
    const { code, stdout, stderr } = await fairway([
      'verify',
      'nowhere',
      '1',
      '--currency',
      'POUNDS',
      '--json',
    ])
    assert.equal(code, 1)
    const { error } = JSON.parse(stdout) as { error: { code: string; errors: unknown[]; request_id: string } }
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.ok(error.errors.length > 0 && error.request_id.startsWith('req_'))
    assert.match(stderr, /^fairway: .+\n$/)
  }))

test('a key that is refused is told by its source', () =>
  withUser(async (fairway, _key, folder) => {
    const bad = 'pk_test_0123456789abcdefghjkmnpqrstvwxyz012345'
    const environment = await fairway(['history'], { FAIRWAY_API_KEY: bad })
    assert.equal(environment.code, 1)
    assert.match(environment.stderr, /the key from FAIRWAY_API_KEY was not accepted/)
    const path = writeConfig(folder, JSON.stringify({ url: server.url, api_key: bad }))
    const file = await fairway(['history'], { FAIRWAY_API_KEY: '' })
    assert.match(file.stderr, new RegExp(`the key from ${path} was not accepted`))
    for (const { stdout, stderr } of [environment, file]) assert.ok(!`${stdout}${stderr}`.includes(bad))
  }))

test('a decision is explained, audited, exported, checked and overridden', () =>
  withUser(async (fairway, _key, folder) => {
    const made = json<{ request_id: string }>(await fairway(['verify', 'GB-NG', '1000.01']))
    const id = made.request_id
    const explained = json<{ factors: unknown[]; score: number }>(await fairway(['explain', id]))
    assert.equal(explained.factors.length, 7)
    const text = await fairway(['explain', id, '--no-json'])
    assert.match(text.stdout, /composite .* rounding = 0\.76/)
    assert.match(text.stdout, /fraud_flags +ELEVATED +0\.30 +0\.300 +0\.09000 +HIGH_FRAUD_SIGNAL/)

    for (const name of ['evidence.json', 'evidence.csv']) {
      const path = join(folder, name)
      assert.equal((await fairway(['audit', id, '--export', path], {}, { asProcess: true })).code, 0)
      const checked = await fairway(['audit', 'verify', path])
      assert.deepEqual([checked.code, checked.stdout.split('\n')[0]], [0, `INTACT: ${id}`], name)
      writeFileSync(path, 'mine')
      const refused = await fairway(['audit', id, '--export', path])
      assert.deepEqual([refused.code, readFileSync(path, 'utf8')], [1, 'mine'])
      assert.match(refused.stderr, /--force/)
      assert.equal((await fairway(['audit', id, '--export', path, '--force'])).code, 0)
      assert.notEqual(readFileSync(path, 'utf8'), 'mine')
    }

    const words = [
      '--action',
      'execute',
      '--reason',
      'PAYEE_CALLED',
      '--justification',
      'They confirmed.',
      '--yes',
    ]
    const override = json(await fairway(['override', id, ...words]))
    assert.equal(override['action'], 'EXECUTE')
    assert.deepEqual(json(await fairway(['override', id, ...words])), override, 'the first answer again')
    const second = await fairway(['override', id, ...words, '--action', 'reject'])
    assert.equal(json<{ error: { code: string } }>(second).error.code, 'OVERRIDE_EXISTS')
    const record = json<{ human_override: { action: string } }>(await fairway(['audit', id]))
    assert.equal(record.human_override.action, 'EXECUTE')
    assert.match((await fairway(['audit', id, '--no-json'])).stdout, /Override +EXECUTE for PAYEE_CALLED/)
  }))

test('history walks pages, filters, and is an array', () =>
  withUser(async (fairway) => {
    for (const amount of ['1', '2', '3.01']) await fairway(['verify', 'GB-NG', amount])
    const ids = (finished: Finished): string[] =>
      json<{ request_id: string }[]>(finished).map((one) => one.request_id)
    const all = ids(await fairway(['history', '--all'], {}, { asProcess: true }))
    assert.equal(all.length, 3)
    assert.deepEqual(ids(await fairway(['history', '--limit', '2'])), all.slice(0, 2))
    assert.deepEqual(ids(await fairway(['history', '--decision', 'degraded'])), all.slice(0, 1))
    assert.deepEqual(ids(await fairway(['history', '--corridor', 'NG-GB'])), [])
    assert.match((await fairway(['history', '--limit', '2', '--no-json'])).stdout, /More decisions exist/)
    assert.match((await fairway(['history', '--corridor', 'NG-GB', '--no-json'])).stdout, /No decisions/)
  }))

test('partners, profiles, corridors and health', () =>
  withUser(async (fairway) => {
    const ranking = json<{ ranked_partners: unknown[] }>(
      await fairway(['compare', 'GB-NG', '1000', '--partners', 'a,b']),
    )
    assert.equal(ranking.ranked_partners.length, 2)
    const profiles = json<{ profiles_compared: string[] }>(
      await fairway(['compare', 'GB-NG', '1000'], { FAIRWAY_API_KEY: '' }),
    )
    assert.deepEqual(profiles.profiles_compared, ['conservative', 'balanced', 'optimise_speed'])
    const corridors = json<{ corridor: string }[]>(await fairway(['corridors']))
    assert.deepEqual(
      corridors.map(({ corridor }) => corridor),
      ['GB-NG', 'NG-GB'],
    )
    const one = json<{ amount: number }>(await fairway(['corridors', 'NG-GB', '--amount', '7']))
    assert.equal(one.amount, 7)
    assert.match((await fairway(['corridors', '--no-json'])).stdout, /GB-NG +OPERATIONAL +CLEAR/)
    const health = json(await fairway(['health'], { FAIRWAY_API_KEY: '' }))
    assert.deepEqual([health['status'], health['url']], ['healthy', server.url])
  }))

test('a 503 ends every command at once: one request, exit code 75, whatever Retry-After says', () =>
  withUser(async (fairway) => {
    const body = JSON.stringify({ message: 'Not now.', code: 'STORE_UNAVAILABLE', request_id: 'req_1' })
    const commands = [
      ['verify', 'GB-NG', '1'],
      ['explain', 'SVC-1'],
      ['audit', 'SVC-1'],
      ['history', '--all'],
      ['corridors'],
      ['compare', 'GB-NG'],
      ['override', 'SVC-1', '--action', 'HOLD', '--reason', 'A', '--justification', 'b', '--yes'],
      ['health'],
      ['quickstart'],
    ]
    for (const args of commands) {
      await answering(
        503,
        { 'retry-after': '1', 'content-type': 'application/json' },
        body,
        async (url, seen) => {
          const finished = await fairway(args, { FAIRWAY_URL: url })
          assert.deepEqual([finished.code, seen()], [75, 1], args.join(' '))
          assert.match(finished.stderr, /^fairway: .*Not now\./)
          json(finished)
        },
      )
    }
  }))

test('a server that is not there, too busy or broken is a hold; something else that answers is a fault', () =>
  withUser(async (fairway) => {
    const gone = await fairway(['verify', 'GB-NG', '1'], { FAIRWAY_URL: await nowhere() })
    assert.equal(gone.code, 75)
    assert.equal(json(gone)['decision'], 'HOLD')
    assert.ok(String(json(gone)['idempotency_key']).length > 30)
    await answering(
      429,
      { 'retry-after': '60' },
      '{"code":"RATE_LIMITED","message":"Too many."}',
      async (url, seen) => {
        const limited = await fairway(['verify', 'GB-NG', '1'], { FAIRWAY_URL: url })
        assert.deepEqual([limited.code, json(limited)['retry_after_seconds'], seen()], [75, 60, 1])
      },
    )
    await answering(200, {}, '{"decision":"YES"}', async (url) => {
      assert.equal((await fairway(['history'], { FAIRWAY_URL: url })).code, 1)
      const health = await fairway(['health'], { FAIRWAY_URL: url })
      assert.equal(health.code, 75)
      assert.match(health.stderr, /is not Fairway/)
    })
  }))

test('login checks the key before it is stored, for its owner alone, and logout forgets it', () =>
  withUser(async (fairway, key, folder) => {
    const none = { FAIRWAY_API_KEY: '' }
    const path = configIn(folder)
    const refused = await fairway(['login'], none, { input: 'pk_test_wrong\n' })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /the key from this login was not accepted/)
    assert.ok(!existsSync(path))
    assert.match((await fairway(['login'], none, { input: '' })).stderr, /no key was entered/)

    const stored = await fairway(
      ['login', '--url', `${server.url}/`],
      { ...none, FAIRWAY_URL: '' },
      { input: `${key}\n`, asProcess: true },
    )
    assert.equal(stored.code, 0, stored.stderr)
    assert.deepEqual(json(stored)['scopes'], [
      'decision:read',
      'audit:read',
      'override:create',
      'webhook:manage',
      'outcome:write',
      'policy:read',
      'policy:write',
      'policy:approve',
      'review:read',
      'review:write',
      'review:approve',
    ])
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { url: server.url, api_key: key })
    assert.equal((await fairway(['history'], { ...none, FAIRWAY_URL: '' })).code, 0)

    const elsewhere = await fairway(['history', '--url', 'http://localhost:1234'], none)
    assert.equal(elsewhere.code, 1)
    assert.match(
      elsewhere.stderr,
      /is for http:\/\/127\.0\.0\.1:\d+ and is not sent to http:\/\/localhost:1234/,
    )

    assert.deepEqual(json(await fairway(['logout'], none)), { file: path, removed: true })
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { url: server.url })
    assert.match((await fairway(['history'], none)).stderr, /no API key/)
    assert.equal(json(await fairway(['logout'], none))['removed'], false)
  }))

test('a settings file that others may read is refused with the command that mends it, and a broken one by its path', () =>
  withUser(async (fairway, key, folder) => {
    const none = { FAIRWAY_API_KEY: '', FAIRWAY_URL: '' }
    const path = writeConfig(folder, JSON.stringify({ url: server.url, api_key: key }), 0o644)
    const open = await fairway(['history'], none)
    assert.deepEqual([open.code, open.stderr.includes(`chmod 600 ${path}`)], [1, true], open.stderr)
    writeConfig(folder, `{"api_key": "${key}"`)
    const broken = await fairway(['history'], none)
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, new RegExp(`^fairway: ${path} is invalid: [^\\n]*\\n$`))
  }))

test('a key that would go over http to another machine is warned of', () =>
  withUser(async (fairway) => {
    // A name that cannot exist: nothing leaves this machine.
    const { code, stderr } = await fairway(['history'], { FAIRWAY_URL: 'http://fairway.invalid' })
    assert.equal(code, 75)
    assert.match(stderr, /^fairway: warning: the key is sent to http:\/\/fairway\.invalid unencrypted/)
  }))

test('a login that the environment overrules says so', () =>
  withUser(async (fairway, key) => {
    const stored = await fairway(
      ['login', '--url', server.url],
      { FAIRWAY_URL: 'http://localhost:1' },
      { input: key },
    )
    assert.equal(stored.code, 0, stored.stderr)
    assert.match(
      stored.stderr,
      /^fairway: FAIRWAY_API_KEY is set and takes precedence over the stored settings/,
    )
    assert.match(stored.stderr, /\nfairway: FAIRWAY_URL is set and takes precedence over the stored settings/)
    const alone = await fairway(['login'], { FAIRWAY_API_KEY: '' }, { input: key })
    assert.deepEqual([alone.code, alone.stderr], [0, ''])
  }))

test('help for what is not there is refused', () =>
  withUser(async (fairway) => {
    const { code, stdout, stderr } = await fairway(['help', 'nonsense'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /unknown command 'nonsense'/)
    assert.match((await fairway(['help', 'verify'])).stdout, /^Usage: fairway verify/)
  }))

test('a key in the wrong place is not repeated', () =>
  withUser(async (fairway, key) => {
    for (const args of [
      [key],
      ['verify', 'GB-NG', key],
      ['verify', 'GB-NG', '1', `--${key}`],
      ['explain', key, key],
    ]) {
      const { code, stderr } = await fairway(args)
      assert.equal(code, 1)
      assert.match(stderr, /\[secret\]|too many arguments/)
    }
  }))
