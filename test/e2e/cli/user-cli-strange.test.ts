/** The commands of users where something else than Fairway answers, or Fairway says what it should not: never a GO, never a lost key, never a secret. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withFolder } from '../../helpers/folder.ts'
import type { Finished } from '../../helpers/process/in-process.ts'
import { answering, configIn, fairwayOf, nowhere, type Fairway } from '../../helpers/process/user.ts'

const key = 'svc-sandbox-0123456789abcdefghjkmnpqrstvwxyz012345'

interface Told {
  readonly decision?: string
  readonly message?: string
  readonly idempotency_key?: string
  readonly error?: { readonly message: string }
}

function json({ stdout, stderr }: Finished): Told {
  assert.match(stdout, /^[^\n]+\n$/, `one value on one line: ${stderr}`)
  return JSON.parse(stdout) as Told
}

/** A user whose server answers everything alike. */
async function withAnswer(
  [status, body, headers = {}]: readonly [number, string, Readonly<Record<string, string>>?],
  work: (fairway: Fairway, url: string, folder: string) => Promise<void>,
): Promise<void> {
  await withFolder((folder) =>
    answering(status, headers, body, (url) =>
      work(fairwayOf(folder, { FAIRWAY_URL: url, FAIRWAY_API_KEY: key }), url, folder),
    ),
  )
}

const override = ['override', 'SVC-1', '--action', 'HOLD', '--reason', 'A', '--justification', 'b']

const verdict = {
  decision: 'GO',
  request_id: 'SVC-1',
  corridor: 'GB-NG',
  score: 0.9,
  confidence: 0.9,
  reasons: [],
  probe_details: {},
  mode: 'shadow',
  recommended_action: 'PROCEED',
  recommended_partner: null,
  validation_note: 'Simulated.',
}
const without = (name: string): string => JSON.stringify({ ...verdict, [name]: undefined })

test('a success that is no answer of ours is a hold, with the key to ask again', async () => {
  const answers = [
    [200, '<html>Welcome</html>'],
    [200, ''],
    [201, JSON.stringify(verdict)],
    [204, ''],
    [200, '{"decision":"YES"}'],
    [200, '{"decision":"GO"}'],
    [200, without('request_id')],
    [200, JSON.stringify({ ...verdict, request_id: '' })],
    [200, without('score')],
    [200, without('corridor')],
    [200, JSON.stringify({ ...verdict, score: '0.9' })],
    [200, JSON.stringify({ ...verdict, probe_details: { fraud_flags: null } })],
  ] as const
  for (const answer of answers) {
    await withAnswer(answer, async (fairway) => {
      const held = await fairway(['verify', 'GB-NG', '1', '--idempotency-key', 'payment 7'])
      assert.equal(held.code, 75, answer[1])
      assert.deepEqual([json(held).decision, json(held).idempotency_key], ['HOLD', 'payment 7'], answer[1])
      const text = await fairway(['verify', 'GB-NG', '1', '--no-json'])
      assert.deepEqual([text.code, text.stdout.slice(0, 4)], [75, 'HOLD'], answer[1])
    })
  }
})

test('a redirect is told with the option that mends it', () =>
  withAnswer([302, '', { location: 'https://127.0.0.1/' }], async (fairway) => {
    const held = await fairway(['verify', 'GB-NG', '1'], {}, { asProcess: true })
    assert.equal(held.code, 75)
    assert.match(String(json(held).message), /set the final URL with --url\.$/)
    const { code, stdout, stderr } = await fairway(['history'])
    assert.equal(code, 1)
    for (const said of [stdout, stderr]) {
      assert.match(said, /with --url/)
      assert.doesNotMatch(said, /baseUrl/)
    }
  }))

test('of an override that is not clearly answered it is said that nothing is known', async () => {
  const made = { override_id: 'OVR-1', request_id: 'SVC-1' }
  const answers = [
    [200, '{}'],
    [200, JSON.stringify({ ...made, request_id: 'SVC-2' })],
    [200, JSON.stringify({ ...made, override_id: 7 })],
    [200, '<html>'],
    [201, ''],
    [500, ''],
  ] as const
  for (const answer of answers) {
    await withAnswer(answer, async (fairway, url) => {
      const lost = await fairway([...override, '--yes', '--url', url])
      assert.equal(lost.code, 75, answer[1])
      assert.match(
        String(json(lost).error?.message),
        new RegExp(
          `unknown whether the override was recorded. To check, run: fairway audit SVC-1 --url ${url}`,
        ),
      )
    })
  }
})

test('an override for which nobody can be asked needs --yes, and nothing is sent without', () =>
  withFolder((folder) =>
    answering(200, {}, '{}', async (url, seen) => {
      const refused = await fairwayOf(folder, { FAIRWAY_URL: url, FAIRWAY_API_KEY: key })(override)
      assert.deepEqual([refused.code, seen()], [1, 0])
      assert.match(refused.stderr, /^fairway: an override is permanent .*use --yes/)
      json(refused)
    }),
  ))

const readers: readonly (readonly string[])[] = [
  ['explain', 'SVC-1'],
  ['audit', 'SVC-1'],
  ['audit', 'SVC-1', '--export', 'evidence.json'],
  ['audit', 'SVC-1', '--export', 'evidence.csv'],
  ['compare', 'GB-NG', '1'],
  ['compare', 'GB-NG', '1', '--partners', 'a,b'],
  ['corridors'],
  ['corridors', 'GB-NG'],
]

test('every other command says that it is no answer of ours, and nothing of it is kept', async () => {
  // A list, too, so that history gets as far as its records.
  for (const [body, commands] of [
    ['{"corridors":{}}', readers],
    ['[{}]', [['history']]],
    ['[null]', [['history', '--no-json']]],
    [
      JSON.stringify({ ...verdict, reason_codes: [], signal_contributions: [{}] }),
      [['audit', 'SVC-1', '--no-json']],
    ],
  ] as const) {
    await withAnswer([200, body], async (fairway, url, folder) => {
      for (const args of commands) {
        const { code, stderr } = await fairway(args, {}, { cwd: folder })
        assert.equal(code, 1, args.join(' '))
        assert.match(
          stderr,
          new RegExp(`^fairway: (Unexpected response:|The response is not CSV\\.) .* Address: ${url}\\.\n$`),
        )
      }
      assert.ok(!existsSync(join(folder, 'evidence.json')) && !existsSync(join(folder, 'evidence.csv')))
      const login = await fairway(['login'], { FAIRWAY_API_KEY: '' }, { input: `${key}\n` })
      assert.equal(login.code, 1)
      assert.ok(!existsSync(configIn(folder)), 'a key that nobody has checked')
    })
  }
})

test('pages that lead in a circle are not walked for ever', () =>
  withAnswer([200, '[{"request_id":"1"}]', { link: '<?cursor=1>; rel="next"' }], async (fairway) => {
    const { code, stderr } = await fairway(['history', '--all'])
    assert.equal(code, 1)
    assert.match(stderr, /the next page is the current page/)
  }))

test('a refusal by somebody else says nothing of the key', () =>
  withAnswer([401, '<html>'], async (fairway, url) => {
    const { code, stderr } = await fairway(['history'])
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`Address: ${url}`))
    assert.doesNotMatch(stderr, /was not accepted|login/)
  }))

test('a server that sends the key back, or text that a terminal obeys, is not repeated', () =>
  withAnswer(
    [
      422,
      JSON.stringify({ code: 'INVALID_REQUEST', message: `Bearer ${key} \u001b[31m\u007f\u009b is bad` }),
    ],
    async (fairway) => {
      for (const args of [
        ['history'],
        ['history', '--no-json'],
        ['verify', 'GB-NG', '1'],
        ['corridors', '--json'],
      ]) {
        const { stdout, stderr } = await fairway(args)
        assert.match(`${stdout}${stderr}`, /Bearer \[secret\]/)
        assert.ok(!`${stdout}${stderr}`.includes(key))
        // Neither as they are, nor as what JSON leaves of them; line ends are ours.
        assert.doesNotMatch(`${stdout}${stderr}`, /[^\P{Cc}\n]/u)
      }
      const mistyped = await fairway(['verify', 'GB-NG', '\u001b[31mx\u009b'])
      assert.equal(mistyped.code, 1)
      assert.match(mistyped.stderr, /plain number/)
      assert.doesNotMatch(mistyped.stderr, /[^\P{Cc}\n]/u)
    },
  ))

test('a hold and a decision name the address that was given with the command', () =>
  withFolder(async (folder) => {
    const url = await nowhere()
    const args = ['verify', 'GB-NG', '0.0000001', '--correlation-id', 'c', '--url', url]
    const fairway = fairwayOf(folder, { FAIRWAY_API_KEY: key, NO_COLOR: '1' })
    const { stdout } = await fairway(args, {}, { columns: 200 })
    assert.match(
      stdout,
      new RegExp(
        `Retry: fairway verify GB-NG 0\\.0000001 --correlation-id c --idempotency-key [\\w-]{36} --url ${url}\n$`,
      ),
    )
    await answering(200, {}, JSON.stringify(verdict), async (there) => {
      const decided = await fairway(['verify', 'GB-NG', '1', '--no-json', '--url', there])
      assert.equal(decided.code, 0, decided.stderr)
      assert.match(decided.stdout, new RegExp(`fairway explain SVC-1 --url ${there}\n$`))
    })
  }))

test('an export tells how to check it, as a shell takes it', () =>
  withAnswer([200, '{"record":{},"integrity":{}}'], async (fairway, _url, folder) => {
    const { stdout } = await fairway(
      ['audit', 'SVC-1', '--export', 'my ev.json', '--no-json'],
      {},
      { cwd: folder },
    )
    assert.match(stdout, /Check it offline: fairway audit verify 'my ev\.json'\n$/)
    assert.ok(readFileSync(join(folder, 'my ev.json'), 'utf8').startsWith('{'))
  }))

test('a logout that fails is one JSON value, too', () =>
  withFolder(async (folder) => {
    // A folder in the place of the file: it can neither be read nor removed.
    mkdirSync(configIn(folder), { recursive: true })
    const failed = await fairwayOf(folder, {})(['logout'])
    assert.equal(failed.code, 1)
    assert.match(String(json(failed).error?.message), /cannot (?:read|remove)/)
  }))
