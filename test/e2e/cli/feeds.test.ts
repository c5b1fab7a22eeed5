/** Live feeds with the example provider: checked, served, read again, and never a secret told. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { signalNames } from '../../../src/core/decision/signals.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run, serve } from '../../helpers/process/process.ts'

const example = (name: string): string => new URL(`../../../examples/feeds/${name}`, import.meta.url).pathname

/** The example, with the port of this provider, a deadline that a busy machine keeps, and whatever else is to differ. */
function exampleFile(change: (file: ExampleFile) => void = () => undefined): string {
  const text = readFileSync(example('feeds.json'), 'utf8').replaceAll('http://127.0.0.1:9100', origin)
  const file = JSON.parse(text) as ExampleFile
  file.deadline_ms = 20_000
  for (const feed of Object.values(file.signals)) if (feed['cache_ms'] !== undefined) feed['cache_ms'] = 0
  change(file)
  return JSON.stringify(file, null, 2)
}

interface ExampleFile {
  deadline_ms: number
  signals: Record<string, Record<string, unknown>>
}

/** The example provider as a process of its own. */
let provider: ChildProcess
let origin: string

before(async () => {
  provider = spawn(process.execPath, [example('provider.ts'), '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  while (!/http:\S+/.test(output)) output += String((await once(provider.stdout ?? provider, 'data'))[0])
  origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? assert.fail(output)
})

after(async () => {
  const ended = once(provider, 'close')
  provider.kill('SIGKILL')
  await ended
})

const misbehaving = new Set<string>()

async function misbehave(signal: string, fault: string): Promise<void> {
  const answer = await fetch(`${origin}/set?signal=${signal}&fault=${fault}`)
  assert.equal(answer.status, 200)
  misbehaving.add(signal)
}

afterEach(async () => {
  for (const signal of misbehaving) await misbehave(signal, 'none')
})

interface Row {
  readonly signal: string
  readonly source: string | null
  readonly value: unknown
  readonly risk_value: number | null
  readonly age_ms: number | null
  readonly latency_ms: number
  readonly error: string | null
}

test('feeds check of a world has a table for each corridor and partner, and says who is left out', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'world.json')
    const text = readFileSync(example('../world/world.json'), 'utf8')
    const world = text
      .replaceAll('http://127.0.0.1:9100', origin)
      .replace('"deadline_ms": 800', '"deadline_ms": 20000')
    writeFileSync(file, world.replaceAll('"cache_ms": 5000', '"cache_ms": 0'))
    const check = (...more: string[]) => runInProcess(['feeds', 'check', '--file', file, ...more])
    const all = await check('--json')
    const { checks } = JSON.parse(all.stdout) as { checks: { corridor: string; partner: string | null }[] }
    assert.deepEqual(
      checks.map(({ corridor, partner }) => `${corridor} ${partner ?? '-'}`),
      [
        'GB-KE example-acacia',
        'GB-KE example-baobab',
        'GB-KE example-cypress',
        'GB-NG example-baobab',
        'GB-NG example-date-palm',
        'NG-GB -',
      ],
    )
    const one = await check('--corridor', 'GB-KE', '--partner', 'example-baobab', '--amount', '50')
    assert.equal(one.code, 0, one.stderr)
    assert.match(one.stdout, /^50 GBP on GB-KE through example-baobab\n/)
    await misbehave('example-baobab/network', 'error')
    const broken = await check('--corridor', 'GB-KE')
    assert.equal(broken.code, 1)
    assert.match(
      broken.stderr,
      /1 of 7 signals cannot be read .* through example-baobab: verify leaves this partner out/,
    )
    const unknown = await check('--partner', 'nobody')
    assert.match(unknown.stderr, /nobody is not a partner of any corridor/)
  })
})

test('feeds check reads every feed of the example once and shows what it gives; a failing one is exit code 1', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, exampleFile())
    const checked = await run(['feeds', 'check', '--file', file])
    assert.deepEqual([checked.code, checked.stderr], [0, ''])
    const [gbNg = '', ngGb = '', ...end] = checked.stdout.trimEnd().split('\n\n')
    for (const [part, payment] of [
      [gbNg, '1,000 GBP on GB-NG'],
      [ngGb, '1,000 NGN on NG-GB'],
    ] as const) {
      const [title, heading = '', ...lines] = part.split('\n')
      assert.equal(title, payment)
      assert.match(heading, /^SIGNAL +SOURCE +VALUE +HEALTH +AGE +LATENCY +ERROR$/)
      assert.deepEqual(
        lines.map((line) => line.split(' ')[0]),
        signalNames,
      )
      for (const line of lines) {
        assert.match(
          line,
          /^\S+ +(?:http|fx-series|outcomes) +\S+ +[01]\.\d{3} +(?:-|[\d.]+ (?:ms|s|min|h)) +[\d.]+ ms +-$/,
        )
      }
    }
    assert.deepEqual(end, ['All 7 signals can be read: live verify can decide.'])

    await misbehave('liquidity', 'error')
    await misbehave('fraud', 'stale')
    const sick = await runInProcess(
      ['feeds', 'check', '--json', '--corridor', 'GB-NG', '--amount', '250000'],
      { FAIRWAY_LIVE_FEEDS: file },
    )
    assert.equal(sick.code, 1)
    assert.match(
      sick.stderr,
      /2 of 7 signals cannot be read for 250,000 GBP on GB-NG: live verify on GB-NG would return 503/,
    )
    const { corridor, amount, currency, feeds } = JSON.parse(sick.stdout) as {
      corridor: string
      amount: number
      currency: string
      feeds: Row[]
    }
    assert.deepEqual([corridor, amount, currency], ['GB-NG', 250_000, 'GBP'])
    assert.deepEqual(
      feeds.map(({ signal, error }) => [signal, error]),
      signalNames.map((signal) => [
        signal,
        signal === 'balance_sufficient' ? 'bad_status' : signal === 'fraud_flags' ? 'stale' : null,
      ]),
    )
    const { value, risk_value: risk, age_ms: age, latency_ms: latency } = feeds[1] ?? assert.fail()
    assert.deepEqual([value, risk], [0.991, 0.955])
    assert.ok(age !== null && age >= 0 && latency >= 0)
    assert.deepEqual([feeds[0]?.value, feeds[0]?.risk_value, feeds[0]?.age_ms], [null, null, null])
  })
})

test('feeds check tells every fault of a bad file with its line and field, and asks nobody', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(
      file,
      '{\n  "deadline_ms": 800,\n  "signals": {\n    "fraud_flags": { "source": "http", "value": "/v",\n      "url": "ftp://x" },\n    "cop_overridden": { "source": "?" }\n  }\n}\n',
    )
    const checked = await runInProcess(['feeds', 'check', '--file', file])
    assert.deepEqual([checked.code, checked.stdout], [1, ''])
    const lines = checked.stderr.trimEnd().split('\n')
    assert.equal(lines.length, 3)
    assert.match(
      lines[0] ?? '',
      /feeds\.json line 5: \/signals\/fraud_flags\/url must be an http or https URL$/,
    )
    assert.match(lines[1] ?? '', /feeds\.json line 6: \/signals\/cop_overridden\/source must be one of/)
    assert.match(lines[2] ?? '', /the feeds file has 2 errors/)
    const json = await runInProcess(['feeds', 'check', '--file', file, '--json'])
    assert.equal(json.code, 1)
    const told = JSON.parse(json.stdout) as { file: string; errors: string[] }
    assert.deepEqual([told.file, told.errors.length], [file, 2])

    const good = join(folder, 'good.json')
    writeFileSync(good, exampleFile())
    const rows: [args: string[], message: RegExp][] = [
      [[], /no feeds file: set FAIRWAY_LIVE_FEEDS or use --file/],
      [['--file', join(folder, 'none.json')], /there is no such file/],
      [['--file', good, '--corridor', 'US-JP'], /US-JP is not a corridor of this file: it has GB-NG, NG-GB/],
    ]
    const found = await Promise.all(rows.map(([args]) => runInProcess(['feeds', 'check', ...args])))
    for (const [place, [, message]] of rows.entries()) {
      assert.notEqual(found[place]?.code, 0)
      assert.match(found[place]?.stderr ?? '', message)
    }
  })
})

test('a service does not start on a feeds file that it cannot use: one clear line, and exit code 1', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, '{\n  "signals": {\n    "fraud_flags": { "source": "http" }\n  }\n}')
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`, PORT: '0' }
    const bad = await run(['serve'], { ...environment, FAIRWAY_LIVE_FEEDS: file })
    assert.equal(bad.code, 1)
    assert.match(bad.stderr, /feeds\.json is invalid: line 3: \/signals\/fraud_flags needs /)
    assert.equal(bad.stderr.trim().split('\n').length, 1, bad.stderr)
    const none = await runInProcess(['serve'], {
      ...environment,
      FAIRWAY_LIVE_FEEDS: join(folder, 'none.json'),
    })
    assert.equal(none.code, 1)
    assert.match(none.stderr, /there is no such file/)
    assert.equal(none.stderr.trim().split('\n').length, 1, none.stderr)
  })
})

test('a live payment is decided by the example provider, held when that misbehaves, and goes on after it', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, exampleFile())
    const databaseUrl = `sqlite:${join(folder, 'fairway.db')}`
    const { key } = await issueByCli(databaseUrl, '--type', 'live')
    const server = await serveInProcess({ DATABASE_URL: databaseUrl, FAIRWAY_LIVE_FEEDS: file })
    try {
      const verify = async (amount: number) => {
        const answer = await ask(server.url, key, { corridor: 'GB-NG', amount })
        return {
          status: answer.status,
          retry: answer.headers.get('retry-after'),
          body: (await answer.json()) as Body,
        }
      }
      const calm = await verify(1_000.01)
      assert.deepEqual([calm.status, calm.body.decision, calm.body.mode], [200, 'GO', 'live'])
      assert.equal(calm.body.recommended_partner, 'example-partner-one')
      assert.equal((await verify(600_000)).body.decision, 'NO-GO')
      await misbehave('payee', 'error')
      await misbehave('fraud', 'stale')
      const ng = { corridor: 'NG-GB', amount: 1 }
      const held = await ask(server.url, key, ng)
      const body = (await held.json()) as Body
      assert.deepEqual([held.status, held.headers.get('retry-after')], [503, '120'])
      assert.deepEqual(
        [body.code, body.unavailable_signals],
        ['SIGNALS_UNAVAILABLE', ['cop_overridden', 'fraud_flags']],
      )
      await misbehave('payee', 'none')
      await misbehave('fraud', 'none')
      assert.equal((await ask(server.url, key, ng)).status, 200)
      await misbehave('liquidity', 'slow')
      writeFileSync(
        file,
        exampleFile((one) => (one.deadline_ms = 4_000)),
      )
      server.signal('SIGHUP')
      await server.said(/feeds: reloaded/)
      const slow = await ask(server.url, key, ng)
      assert.deepEqual(
        [slow.status, ((await slow.json()) as Body).unavailable_signals],
        [503, ['balance_sufficient']],
      )
      // The reload is recorded as an act; if it never is, the test ends by its time limit.
      const reloads = (): Promise<unknown[]> =>
        rowsOf(databaseUrl, "SELECT act_id FROM acts WHERE kind = 'feeds.reloaded'")
      while ((await reloads()).length === 0) await ask(server.url, key, ng)
      assert.equal((await reloads()).length, 1)
    } finally {
      assert.equal(await server.stop(), 0)
    }
  })
})

interface Body {
  readonly decision?: string
  readonly mode?: string
  readonly recommended_partner?: string | null
  readonly code?: string
  readonly unavailable_signals?: string[]
}

test('SIGHUP takes a good file, keeps the old feeds for a bad one with a line that says why, and tells no secret', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    const secret = 'hunter2-of-the-provider'
    const withSecret = (flags: number) => (one: ExampleFile) => {
      const headers = { authorization: 'Bearer ${PROVIDER_TOKEN}' }
      one.signals['network_healthy'] = { ...one.signals['network_healthy'], headers }
      one.signals['fraud_flags'] = { source: 'constant', value: flags }
    }
    writeFileSync(file, exampleFile(withSecret(0)))
    const databaseUrl = `sqlite:${join(folder, 'fairway.db')}`
    const { key } = await issueByCli(databaseUrl, '--type', 'live')
    const environment = {
      DATABASE_URL: databaseUrl,
      FAIRWAY_LIVE_FEEDS: file,
      PROVIDER_TOKEN: secret,
      LOG_LEVEL: 'debug',
    }
    const server = await serve(environment)
    const decision = async (amount: number): Promise<unknown> =>
      ((await (await ask(server.url, key, { corridor: 'GB-NG', amount })).json()) as Body).decision
    try {
      assert.equal(await decision(1), 'GO')
      writeFileSync(file, exampleFile(withSecret(1)))
      server.child.kill('SIGHUP')
      await server.said(/feeds: reloaded/)
      assert.equal(await decision(2), 'DEGRADED')
      writeFileSync(file, exampleFile(withSecret(0)).replace('"source": "constant"', '"source": "nowhere"'))
      server.child.kill('SIGHUP')
      await server.said(
        /feeds: reload refused, the current feeds stay: line \d+: \/signals\/fraud_flags\/source must be one of/,
      )
      assert.equal(await decision(3), 'DEGRADED')
      await misbehave('network', 'error')
      assert.equal(await decision(4), undefined)
      const checked = await runInProcess(['feeds', 'check', '--file', file], environment)
      const sick = await runInProcess(['feeds', 'check', '--file', file, '--json'], {
        ...environment,
        PROVIDER_TOKEN: '',
      })
      const all = [server.output(), checked.stdout, checked.stderr, sick.stdout, sick.stderr].join('\n')
      assert.ok(all.length > 500)
      assert.ok(!all.includes(secret), 'the secret was told')
    } finally {
      assert.equal(await server.stop(), 0)
    }
    assert.ok(!server.output().includes(secret), 'the secret was told')
  })
})

test('a service asks its feeds before anybody does, so that readiness tells how they are', async () => {
  await withFolder(async (folder) => {
    await misbehave('payee', 'error')
    const file = join(folder, 'feeds.json')
    writeFileSync(file, exampleFile())
    const server = await serveInProcess({
      DATABASE_URL: `sqlite:${join(folder, 'fairway.db')}`,
      FAIRWAY_LIVE_FEEDS: file,
    })
    try {
      await server.said(/"signal":"cop_overridden","fault":"bad_status"/)
      const answer = await checkedFetch(`${server.url}/api/v1/readiness`)
      const { checklist } = (await answer.json()) as { checklist: { item: string; detail: string }[] }
      const { detail } = checklist.find(({ item }) => item === 'live_feeds') ?? assert.fail('no such item')
      assert.match(
        detail,
        /^2 of 2 live corridors have a feed for each of the 7 signals; failing: .*cop_overridden \(bad_status/,
      )
    } finally {
      await server.stop()
    }
  })
})

test('feeds check reads the outcomes of the owner whose key is named, and feeds schema prints the form', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'feeds.json')
    writeFileSync(file, exampleFile())
    const DATABASE_URL = `sqlite:${join(folder, 'fairway.db')}`
    const { key_id: keyId } = await issueByCli(DATABASE_URL, '--type', 'live')
    const checked = await runInProcess(
      ['feeds', 'check', '--file', file, '--corridor', 'GB-NG', '--key', keyId, '--json'],
      { DATABASE_URL },
    )
    assert.equal(checked.code, 0, checked.stderr)
    const { feeds } = JSON.parse(checked.stdout) as { feeds: { signal: string; value: unknown }[] }
    assert.equal(feeds.find(({ signal }) => signal === 'historical_failure_rate')?.value, 0.02)
    const unknown = await runInProcess(['feeds', 'check', '--file', file, '--key', 'key_no'], {
      DATABASE_URL,
    })
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /unknown key "key_no"/)
  })
  const { code, stdout } = await runInProcess(['feeds', 'schema'])
  assert.equal(code, 0)
  const schema = JSON.parse(stdout) as { properties: { signals: { properties: object } } }
  assert.deepEqual(Object.keys(schema.properties.signals.properties), signalNames)
})
