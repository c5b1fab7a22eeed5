/** Access from the first request to a live key: the command line beside a server. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { form } from '../../helpers/access.ts'
import { accepted, withCaptchaService } from '../../helpers/peers/captcha.ts'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import {
  runInProcess,
  serveInProcess,
  type Finished,
  type ServedInProcess,
} from '../../helpers/process/in-process.ts'
import { ask, issueByCli, run, serve } from '../../helpers/process/process.ts'

interface Scene {
  readonly server: ServedInProcess
  readonly fairway: (...args: string[]) => Promise<Finished>
  /** The same as a process of its own. */
  readonly fairwayProcess: (...args: string[]) => Promise<Finished>
  /** The JSON that a command prints. */
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly json: (...args: string[]) => Promise<any>
  readonly requestAccess: (more?: object) => Promise<{ id: string; key: string }>
  readonly get: (key: string, path: string) => Promise<Response>
}

async function withScene(
  engine: Engine,
  work: (scene: Scene) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const database = await freshDatabase(engine)
  const environment = { DATABASE_URL: database.url, FAIRWAY_LIMIT_ACCESS: '1000/60', ...settings }
  const server = await serveInProcess(environment)
  const fairway = (...args: string[]): Promise<Finished> => runInProcess(args, environment)
  try {
    await work({
      server,
      fairway,
      fairwayProcess: (...args) => run(args, environment),
      async json(...args) {
        const { code, stdout, stderr } = await fairway(...args, '--json')
        assert.equal(code, 0, stderr)
        return JSON.parse(stdout)
      },
      async requestAccess(more = {}) {
        const answer = await checkedFetch(`${server.url}/api/v1/request-access`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...form, ...more }),
        })
        const body = (await answer.json()) as { access_request_id: string; sandbox_key: string }
        assert.equal(answer.status, 200)
        return { id: body.access_request_id, key: body.sandbox_key }
      },
      get: (key, path) =>
        checkedFetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } }),
    })
  } finally {
    await server.stop()
    await database.drop()
  }
}

const settingsPath = '/api/v1/organisation/settings'

async function recordWith({ server }: Scene, key: string): Promise<string> {
  const answer = await ask(server.url, key, { corridor: 'GB-NG', amount: 100 })
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { request_id: string }).request_id
}

/** A running server learns of an end soon after it: asks without a pause until then. */
async function untilRefused({ get }: Scene, key: string): Promise<void> {
  while ((await get(key, settingsPath)).status !== 401);
}

for (const engine of engines) {
  test(`a request is listed, shown and approved; the live key is shown once, is a new owner's and ends after 90 days (${engine})`, async () => {
    await withScene(engine, async (scene) => {
      const { fairway, json, get, server } = scene
      const { id, key: sandbox } = await scene.requestAccess()
      const requestId = await recordWith(scene, sandbox)
      const [listed] = await json('access', 'list', '--status', 'received')
      assert.deepEqual(
        [listed.access_request_id, listed.name, listed.email, listed.reason, listed.status, listed.captcha],
        [id, form.name, form.email, form.reason, 'received', 'not_checked'],
      )
      assert.ok(Math.abs(Date.parse(listed.created_at) - Date.now()) < 3_600_000)

      const approved = await json('access', 'approve', id, '--note', 'Contract signed', '--by', 'Grace')
      const members = 'access_request_id key_id key type owner owner_id scopes created_at expires_at'
      assert.deepEqual(Object.keys(approved), members.split(' '))
      assert.equal(approved.access_request_id, id)
      assert.match(approved.owner_id, /^own_[0-9a-z]+$/)
      assert.match(approved.key, /^svc-live-[0-9a-z]{38}$/)
      assert.equal(approved.type, 'live')
      assert.deepEqual(approved.scopes, [])
      assert.equal(Date.parse(approved.expires_at) - Date.parse(approved.created_at), 90 * 86_400_000)

      const settings = (await (await get(approved.key, settingsPath)).json()) as { key: { type: string } }
      assert.equal(settings.key.type, 'live')
      assert.equal((await get(approved.key, `/api/v1/audit/${requestId}`)).status, 404, 'a new owner')
      assert.equal((await get(sandbox, `/api/v1/audit/${requestId}`)).status, 200, 'the sandbox key goes on')
      assert.equal((await ask(server.url, approved.key, { corridor: 'GB-NG' })).status, 503, 'live holds')

      for (const args of [
        ['access', 'list'],
        ['access', 'show', id],
        ['keys', 'list'],
      ]) {
        for (const more of [[], ['--json']]) {
          const { stdout, code } = await fairway(...args, ...more)
          assert.equal(code, 0)
          assert.ok(!stdout.includes(approved.key) && !stdout.includes(sandbox), 'a key is shown once')
        }
      }
      for (const verb of ['approve', 'reject']) {
        const { code, stdout, stderr } = await fairway('access', verb, id)
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, /^fairway: .* was already approved at .*Z by Grace; a decision is final\n$/)
      }
      const shown = await json('access', 'show', id)
      assert.deepEqual(
        [shown.status, shown.decided_by, shown.note, shown.live_key_id, shown.keys.length],
        ['approved', 'Grace', 'Contract signed', approved.key_id, 2],
      )
      assert.ok(!server.output().includes(approved.key.slice(9)))
    })
  })
}

// What differs between the engines, the tests of the store and of the use cases hold to both.
for (const engine of ['sqlite'] as const) {
  test(`an approval that names a key keeps its owner, records, scopes and limit, and that key ends within the overlap (${engine})`, async () => {
    await withScene(engine, async (scene) => {
      const { json, get } = scene
      const narrow = ['--scopes', 'decision:read,audit:read', '--limit-verify', '77/60']
      const issued = await json('keys', 'issue', '--type', 'test', '--owner', 'Old name', ...narrow)
      const requestId = await recordWith(scene, issued.key)
      const first = await scene.requestAccess()
      const before = Date.now()
      const kept = await json('access', 'approve', first.id, '--replaces', issued.key_id)
      assert.equal(kept.replaces, issued.key_id)
      assert.equal(kept.owner, 'Old name')
      assert.deepEqual(kept.scopes, ['decision:read', 'audit:read'])
      const endsAtMs = Date.parse(kept.replaced_key_ends_at)
      assert.ok(endsAtMs >= before + 86_400_000 && endsAtMs <= Date.now() + 86_400_000, '24 hours')
      assert.equal((await get(kept.key, `/api/v1/audit/${requestId}`)).status, 200, 'the records are kept')
      assert.equal((await get(issued.key, settingsPath)).status, 200, 'the old key has its overlap')
      const keys = (await json('keys', 'list')) as Record<string, unknown>[]
      const old = keys.find((key) => key['key_id'] === issued.key_id)
      assert.deepEqual([old?.['expires_at'], old?.['expires_soon']], [kept.replaced_key_ends_at, true])
      const live = keys.find((key) => key['key_id'] === kept.key_id)
      assert.deepEqual([live?.['limit_verify'], live?.['prefix']], ['77/60', 'svc-live-'])

      const second = await scene.requestAccess()
      const narrower = ['--scopes', 'audit:read', '--limit-verify', '5/60', '--overlap', '0']
      const again = await json('access', 'approve', second.id, '--replaces', kept.key_id, ...narrower)
      assert.deepEqual(again.scopes, ['audit:read'])
      assert.equal((await get(again.key, `/api/v1/audit/${requestId}`)).status, 200)
      await untilRefused(scene, kept.key)

      // One that has ended is reissued just so, and stays as it is.
      const third = await scene.requestAccess()
      const reissued = await json('access', 'approve', third.id, '--replaces', kept.key_id)
      assert.equal((await get(reissued.key, `/api/v1/audit/${requestId}`)).status, 200)
      assert.equal((await get(kept.key, settingsPath)).status, 401)
    })
  })

  test(`a live or sandbox key that is rotated keeps its prefix, owner, scopes and limit (${engine})`, async () => {
    await withScene(engine, async (scene) => {
      const { json, get } = scene
      const { id, key } = await scene.requestAccess()
      const requestId = await recordWith(scene, key)
      const live = await json('access', 'approve', id, '--scopes', 'audit:read', '--limit-verify', '9/60')
      const { sandbox_key_id: sandboxId } = await json('access', 'show', id)
      const nextSandbox = await json('keys', 'rotate', sandboxId, '--overlap', '0')
      assert.match(nextSandbox.key, /^svc-sandbox-/)
      assert.equal(nextSandbox.expires_at, null)
      assert.equal((await get(nextSandbox.key, `/api/v1/audit/${requestId}`)).status, 200)
      await untilRefused(scene, key)
      const nextLive = await json('keys', 'rotate', live.key_id)
      assert.match(nextLive.key, /^svc-live-/)
      assert.deepEqual([nextLive.owner, nextLive.scopes], [live.owner, ['audit:read']])
      assert.equal(Date.parse(nextLive.expires_at) - Date.parse(nextLive.created_at), 90 * 86_400_000)
      const keys = (await json('keys', 'list')) as Record<string, unknown>[]
      assert.equal(keys.find((one) => one['key_id'] === nextLive.key_id)?.['limit_verify'], '9/60')
    })
  })

  test(`a rejection leaves the sandbox key as it is, or ends it where the operator says so (${engine})`, async () => {
    await withScene(engine, async (scene) => {
      const { fairway, fairwayProcess, json, get } = scene
      const kept = await scene.requestAccess()
      const ended = await scene.requestAccess()
      const { code, stdout, stderr } = await fairwayProcess(
        'access',
        'reject',
        kept.id,
        '--note',
        'No answer',
      )
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /stays active; to revoke it, run: fairway keys revoke key_/)
      assert.equal((await get(kept.key, settingsPath)).status, 200)
      const told = await fairwayProcess(
        'access',
        'reject',
        ended.id,
        '--revoke-sandbox',
        '--by',
        'Grace',
        '--json',
      )
      const rejected = JSON.parse(told.stdout)
      assert.deepEqual(
        [rejected.access_request_id, rejected.status, rejected.decided_by, rejected.sandbox_key_revoked],
        [ended.id, 'rejected', 'Grace', true],
      )
      await untilRefused(scene, ended.key)
      assert.match((await fairway('access', 'approve', kept.id)).stderr, /was already rejected/)
      assert.deepEqual(await json('access', 'list', '--status', 'received'), [])
      const ids = ((await json('access', 'list')) as { access_request_id: string }[]).map(
        (one) => one.access_request_id,
      )
      assert.deepEqual(ids, [ended.id, kept.id], 'newest first')
    })
  })
}

test('a mistake is one clear line, and nothing is decided by it', async () => {
  await withScene('sqlite', async ({ fairway, json, requestAccess }) => {
    assert.equal((await fairway('access', 'list')).stdout, 'No matching requests.\n')
    const { id } = await requestAccess()
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['show', 'acr_none'], /unknown request "acr_none": run fairway access list/],
      [['approve', 'acr_none'], /unknown request "acr_none"/],
      [['reject', 'acr_none'], /unknown request "acr_none"/],
      [['approve', id, '--replaces', 'key_none'], /unknown key "key_none"/],
      [['approve', id, '--overlap', '60'], /--overlap requires --replaces/],
      [['approve', id, '--replaces', 'key_none', '--overlap', '86401'], /up to 86400/],
      [['approve', id, '--scopes', 'everything'], /Expected scopes from/],
      [['approve', id, '--limit-verify', 'many'], /COUNT\/SECONDS/],
      [['approve', id, '--note', ' '], /1 to 500/],
      [['list', '--status', 'open'], /received, approved, rejected/],
    ]
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await fairway('access', ...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, message)
    }
    assert.equal((await json('access', 'show', id)).status, 'received')
    assert.equal((await json('keys', 'list')).length, 1)
  })
})

test('what strangers write cannot move a terminal, and long texts are cut', async () => {
  await withScene('sqlite', async ({ fairway, requestAccess }) => {
    const name = 'Eve \u202egnp.exe\u2066'
    const reason = `${'long '.repeat(50)}\n\tsecond line\u2028third\u202e`
    const { id } = await requestAccess({ name, reason })
    await fairway('access', 'approve', id, '--by', 'G\u202erace', '--note', 'fine\u2066')
    for (const args of [
      ['access', 'list'],
      ['access', 'show', id],
      ['keys', 'list'],
    ]) {
      const { stdout } = await fairway(...args)
      // eslint-disable-next-line no-control-regex -- that there are none is the point
      assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202a-\u202e\u2066-\u2069]/)
    }
    const table = (await fairway('access', 'list')).stdout
    assert.match(table, /^ACCESS REQUEST ID\s+STATUS\s+CREATED\s+NAME\s+EMAIL\s+CAPTCHA\s+REASON\n/)
    assert.equal(table.trimEnd().split('\n').length, 2, 'one line each')
    assert.match(table, /…/)
    assert.match((await fairway('access', 'show', id)).stdout, /\n {11}second line third/)
    assert.match(
      (await fairway('access', 'reject', id)).stderr,
      /^[^\u202e]*by G race; a decision is final\n$/,
    )
  })
})

test('what was used is written down at the stop, and shown', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const server = await serve(environment)
  const { key } = await issueByCli(database.url)
  assert.equal((await ask(server.url, key, { corridor: 'GB-NG' })).status, 200)
  assert.equal(await server.stop(), 0)
  const listed = JSON.parse((await runInProcess(['keys', 'list', '--json'], environment)).stdout) as {
    created_at: string
    last_used_at: string
  }[]
  const [{ created_at: createdAt, last_used_at: usedAt } = assert.fail('no key')] = listed
  assert.ok(usedAt >= createdAt, `${usedAt} is not after ${createdAt}`)
  await database.drop()
})

test('a start without a captcha says so in the log, and one with it does not', async () => {
  const database = await freshDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const bare = await serveInProcess(environment)
  assert.match(bare.output(), /"level":"warn".*FAIRWAY_RECAPTCHA_SECRET is not set/)
  await bare.stop()
  await withCaptchaService(
    () => accepted,
    async ({ url, forms }) => {
      const guarded = { FAIRWAY_RECAPTCHA_SECRET: 'the-secret', FAIRWAY_RECAPTCHA_URL: url }
      await withScene(
        'sqlite',
        async ({ server, json, requestAccess }) => {
          const { id } = await requestAccess()
          assert.equal((await json('access', 'show', id)).captcha, 'verified')
          assert.doesNotMatch(server.output(), /FAIRWAY_RECAPTCHA_SECRET|the-secret/)
          assert.deepEqual(forms(), [
            { secret: 'the-secret', response: form.recaptcha_token, remoteip: '127.0.0.1' },
          ])
        },
        guarded,
      )
    },
  )
  await database.drop()
})
