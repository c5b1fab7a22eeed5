/** `fairway people`: every command with its output and its mistakes, and a person at work with nothing but curl. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { engines, freshDatabase, type Engine } from '../../helpers/database/databases.ts'
import { rowsOf, withDirectDatabase } from '../../helpers/database/sql.ts'
import { runInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { issueByCli, run, serve, type Served } from '../../helpers/process/process.ts'
import { scratchFolder } from '../../helpers/scratch.ts'

const publicUrl = 'https://fairway.example'

interface Scene {
  readonly databaseUrl: string
  readonly ownerId: string
  readonly people: (...args: string[]) => Promise<Finished>
  /** The JSON that a command prints. */
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly json: (...args: string[]) => Promise<any>
}

async function withScene(
  engine: Engine,
  work: (scene: Scene) => Promise<void>,
  settings: Readonly<Record<string, string>> = { FAIRWAY_PUBLIC_URL: publicUrl },
): Promise<void> {
  const database = await freshDatabase(engine)
  const environment = { DATABASE_URL: database.url, ...settings }
  const people = (...args: string[]): Promise<Finished> => runInProcess(['people', ...args], environment)
  try {
    const { owner_id: ownerId } = await issueByCli(database.url)
    await work({
      databaseUrl: database.url,
      ownerId,
      people,
      async json(...args) {
        const { code, stdout, stderr } = await people(...args, '--json')
        assert.equal(code, 0, stderr)
        return JSON.parse(stdout)
      },
    })
  } finally {
    await database.drop()
  }
}

const member = (ownerId: string): string[] => ['--role', 'viewer', '--for-owner', ownerId]

for (const engine of engines) {
  test(`${engine}: people are invited, listed, given roles, signed out and removed, each as JSON and as one act`, async () => {
    await withScene(engine, async ({ json, ownerId, databaseUrl }) => {
      assert.deepEqual(await json('list'), [])
      const invited = await json(
        'invite',
        'Ada@example.com',
        '--role',
        'approver,viewer',
        '--for-owner',
        ownerId,
      )
      const { person_id: id, link, expires_at: expiresAt, ...rest } = invited
      assert.deepEqual(rest, { email: 'Ada@example.com', roles: ['viewer', 'approver'], owner_id: ownerId })
      assert.match(id, /^prs_[0-9a-z]{16}$/)
      assert.match(link, /^https:\/\/fairway\.example\/invitation#[A-Za-z0-9_-]{43}$/)
      const inThreeDays = Date.now() + 3 * 86_400_000
      assert.ok(Math.abs(Date.parse(expiresAt) - inThreeDays) < 3_600_000)
      const admin = await json('invite', 'root@example.com', '--role', 'admin')
      assert.deepEqual([admin.owner_id, admin.roles], [null, ['admin']])

      const again = await json('invite', 'ada@EXAMPLE.com', '--reset')
      assert.equal(again.person_id, id)
      assert.notEqual(again.link, link)
      assert.deepEqual(await json('role', 'ada@example.com', 'reviewer'), {
        person_id: id,
        roles: ['reviewer'],
      })
      assert.deepEqual(await json('end-sessions', id), { person_id: id, ended: 0 })
      assert.deepEqual(await json('remove', 'ada@example.com'), { person_id: id })
      const [ada, root] = await json('list')
      const { created_at: createdAt, removed_at: removedAt, ...listed } = ada
      assert.deepEqual(listed, {
        person_id: id,
        email: 'Ada@example.com',
        name: 'Ada@example.com',
        roles: ['reviewer'],
        owner_id: ownerId,
        status: 'removed',
        issuer: null,
        sessions: 0,
        last_sign_in_at: null,
      })
      assert.ok(Date.parse(removedAt) >= Date.parse(createdAt))
      assert.deepEqual([root.status, root.owner_id, root.removed_at], ['invited', null, null])
      const acts = await rowsOf(
        databaseUrl,
        "SELECT kind, subject, made_by FROM acts WHERE kind LIKE 'person.%'",
      )
      assert.ok(acts.every(({ made_by: by }) => String(by) !== ''))
      assert.deepEqual(
        acts
          .filter(({ subject }) => subject === id)
          .map(({ kind }) => String(kind))
          .toSorted(),
        ['person.changed', 'person.invited', 'person.removed', 'person.reset'],
      )
    })
  })
}

test('each command says in words what it did, with what to do next', async () => {
  await withScene('sqlite', async ({ people, ownerId }) => {
    const said = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await people(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout
    }
    assert.equal(
      await said('list'),
      'No people yet: fairway people invite EMAIL --role ROLE --for-owner OWNER_ID\n',
    )
    assert.match(
      await said('invite', 'ada@example.com', ...member(ownerId)),
      new RegExp(
        [
          '^Link     https://fairway\\.example/invitation#[\\w-]{43}',
          'Person   ada@example\\.com \\(prs_[0-9a-z]{16}\\)',
          'Roles    viewer',
          `Owner    ${ownerId}`,
          'Expires  \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z',
          'Hand the link over by a way that you trust: it works once, and is not shown again\\.\n$',
        ].join('\n'),
      ),
    )
    assert.match(
      await said('invite', 'root@example.com', '--role', 'admin'),
      /\nOwner    all: serves the installation\n/,
    )
    assert.match(
      await said('invite', 'ada@example.com', '--reset'),
      /^Link     https:\/\/fairway\.example\/invitation#/,
    )
    assert.equal(
      await said('role', 'ada@example.com', 'policy_author,reviewer'),
      'ada@example.com has the roles reviewer, policy_author.\n',
    )
    const table = await said('list')
    assert.match(table, /^PERSON +EMAIL +NAME +ROLES +OWNER +STATUS +SESSIONS +LAST SIGN-IN\n/)
    assert.match(
      table,
      new RegExp(
        `\nprs_\\w+ +ada@example\\.com +ada@example\\.com +reviewer, policy_author +${ownerId} +invited +0 +never\n`,
      ),
    )
    assert.match(table, /\nprs_\w+ +root@example\.com +root@example\.com +admin +all +invited +0 +never\n/)
    assert.equal(await said('end-sessions', 'ada@example.com'), 'Ended 0 sessions of ada@example.com.\n')
    assert.equal(
      await said('remove', 'ada@example.com'),
      'Removed ada@example.com. What they did stays recorded.\n',
    )
    const [id] =
      /prs_\w+/.exec((await said('list')).split('\n').find((line) => / removed /.test(line)) ?? '') ?? []
    assert.equal(
      await said('restore', id ?? ''),
      'Restored ada@example.com. A link for a new password: fairway people invite EMAIL --reset\n',
    )
    assert.doesNotMatch(await said('list'), / removed /)
  })
})

test('without FAIRWAY_PUBLIC_URL a link is for this machine, on the port of the service, and says so', async () => {
  const check = async (settings: Readonly<Record<string, string>>, port: string): Promise<void> => {
    await withScene(
      'sqlite',
      async ({ people, ownerId }) => {
        const { stdout } = await people('invite', 'ada@example.com', ...member(ownerId))
        assert.match(stdout, new RegExp(`^Link     http://localhost:${port}/invitation#`))
        assert.match(
          stdout,
          /\nThe link works on this machine\. Set FAIRWAY_PUBLIC_URL for people on others\.\n$/,
        )
      },
      settings,
    )
  }
  await check({}, '8080')
  await check({ PORT: '4567' }, '4567')
})

interface Known {
  readonly ownerId: string
  /** A person who was removed. */
  readonly gone: string
  /** An admin of the installation. */
  readonly root: string
}

const knownRoles = /Expected one or more of viewer, reviewer, approver, policy_author, admin\./

const badInvitations = ({ ownerId, gone }: Known): readonly (readonly [readonly string[], RegExp])[] => {
  const forOwner = ['--for-owner', ownerId]
  const newcomer = ['invite', 'new@example.com']
  return [
    [['invite', 'not an address', ...member(ownerId)], /"not an address" is not an email address/],
    [[...newcomer, ...forOwner], /name the role: --role viewer\|reviewer\|approver\|policy_author\|admin/],
    [[...newcomer, '--role', 'owner', ...forOwner], knownRoles],
    [[...newcomer, '--role', 'viewer,Admin', ...forOwner], knownRoles],
    [[...newcomer, '--role', '', ...forOwner], /Expected/],
    [[...newcomer, '--role', 'viewer'], /name the owner: --for-owner OWNER_ID; only an admin of the install/],
    [[...newcomer, ...member('own_none')], /there is no such owner: fairway keys list --json shows every/],
    [[...newcomer, '--role', 'admin', '--for-owner', ''], /there is no such owner/],
    [['invite', 'ADA@example.com', ...member(ownerId)], /has an account already: --reset prints a new link/],
    [[...newcomer, '--reset'], /unknown person "new@example\.com": run fairway people list/],
    [['invite', 'gone@example.com', '--reset'], /unknown person "gone@example\.com"/],
    [['invite', gone, '--reset'], /signs in at the identity provider, or was removed/],
  ]
}

const badChanges = ({ gone, root }: Known): readonly (readonly [readonly string[], RegExp])[] => [
  [['role', 'nobody@example.com', 'viewer'], /unknown person "nobody@example\.com": run fairway people list/],
  [['role', 'ada@example.com', 'owner'], knownRoles],
  [['role', 'ada@example.com', ''], /Expected/],
  [['role', gone, 'viewer'], /this person was removed: fairway people restore brings a person back/],
  [
    ['role', root, 'viewer'],
    /only an admin has no owner: remove the person and invite again with --for-owner/,
  ],
  [['role', 'ada@example.com'], /missing required argument 'role'/],
  [['end-sessions', 'nobody@example.com'], /unknown person/],
  [['remove', 'nobody@example.com'], /unknown person/],
  [['remove', gone], /prs_\w+ was removed before/],
  [['restore', root], /is not removed, or the email address has another account by now/],
  [['restore', 'prs_none'], /unknown person "prs_none"/],
  [['promote', root], /unknown command/],
]

test('a mistake is one clear line, and nothing is changed by it', async () => {
  await withScene('sqlite', async ({ people, json, ownerId }) => {
    await json('invite', 'ada@example.com', ...member(ownerId))
    const { person_id: gone } = await json('invite', 'gone@example.com', ...member(ownerId))
    await json('remove', gone)
    const { person_id: root } = await json('invite', 'root@example.com', '--role', 'admin')
    const before = JSON.stringify(await json('list'))
    const known = { ownerId, gone, root }
    for (const [args, message] of [...badInvitations(known), ...badChanges(known)]) {
      const { code, stdout, stderr } = await people(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, message, args.join(' '))
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack')
    }
    assert.equal(JSON.stringify(await json('list')), before)
  })
})

test('a person of the identity provider is listed, keeps roles and password there, and is told from a local one', async () => {
  await withScene('sqlite', async ({ people, json, ownerId, databaseUrl }) => {
    const { person_id: local } = await json('invite', 'ada@example.com', ...member(ownerId))
    const provided = 'prs_provided'
    await withDirectDatabase(databaseUrl, ({ run: sql }) =>
      sql(`INSERT INTO people SELECT '${provided}', owner_id, email, email_key, 'Ada', roles, 'https://id.example',
        'subject', NULL, created_at_ms + 1, changed_at_ms, NULL FROM people`),
    )
    const [, listed] = await json('list')
    assert.deepEqual(
      [listed.person_id, listed.status, listed.issuer],
      [provided, 'provider', 'https://id.example'],
    )
    const again = ['invite', 'ADA@example.com', ...member(ownerId)]
    const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
      [['role', 'ada@example.com', 'viewer'], new RegExp(`give one of their ids: ${local}, ${provided}\n$`)],
      [['remove', 'ada@example.com'], /several people have this email address/],
      [again, /signs in at the identity provider: a second account would be a second principal/],
      [['role', provided, 'admin'], /the identity provider gives this person the roles: change them there/],
      [['invite', provided, '--reset'], /prs_provided signs in at the identity provider, or was removed/],
    ]
    for (const [args, message] of mistakes) {
      const { code, stdout, stderr } = await people(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(stderr, message)
    }
    assert.deepEqual(await json('remove', provided), { person_id: provided })
    assert.deepEqual(await json('role', 'ada@example.com', 'admin'), { person_id: local, roles: ['admin'] })
  })
})

test('--reset keeps the roles and the owner, so that naming others with it is a mistake', async () => {
  await withScene('sqlite', async ({ people, json, ownerId }) => {
    await json('invite', 'ada@example.com', ...member(ownerId))
    for (const more of [
      ['--role', 'admin'],
      ['--for-owner', ownerId],
    ]) {
      const { code, stdout } = await people('invite', 'ada@example.com', '--reset', ...more)
      assert.deepEqual([code, stdout], [1, ''], more.join(' '))
    }
  })
})

const execute = promisify(execFile)

interface Curled {
  readonly status: number
  // eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly body: any
}

type Curl = (path: string, ...args: string[]) => Promise<Curled>

/** The real curl, with a jar of cookies as a browser has one. */
const curlOf =
  ({ url }: Served, jar: string): Curl =>
  async (path, ...args) => {
    const common = ['-sS', '--max-time', '60', '-b', jar, '-c', jar, '-w', '\n%{http_code}']
    const { stdout } = await execute('curl', [...common, ...args, `${url}${path}`])
    const at = stdout.lastIndexOf('\n')
    return { status: Number(stdout.slice(at + 1)), body: JSON.parse(stdout.slice(0, at)) }
  }

const hasCurl = await execute('curl', ['--version']).then(
  () => true,
  () => false,
)

const jsonOf = (body: object): string[] => [
  '-H',
  'content-type: application/json',
  '-d',
  JSON.stringify(body),
]
const from = (site: string): string[] => ['-H', `origin: ${site}`]

/** The token of an invitation for the site of the server. */
async function invitedByCli({ url }: Served, databaseUrl: string): Promise<string> {
  const { owner_id: ownerId } = await issueByCli(databaseUrl)
  const args = ['people', 'invite', 'ada@example.com', '--role', 'approver', '--for-owner', ownerId, '--json']
  const settings = { DATABASE_URL: databaseUrl, FAIRWAY_PUBLIC_URL: url }
  const { code, stdout, stderr } = await run(args, settings)
  assert.equal(code, 0, stderr)
  const [origin, token = ''] = (JSON.parse(stdout) as { link: string }).link.split('/invitation#')
  assert.equal(origin, url)
  return token
}

async function acceptByCurl(curl: Curl, own: string[], token: string): Promise<void> {
  const shown = await curl('/auth/invitation', ...own, ...jsonOf({ token }))
  assert.equal(shown.body.email, 'ada@example.com')
  const account = jsonOf({ token, name: 'Ada Example', password: 'correct horse battery' })
  const accepted = await curl('/auth/password', ...own, ...account)
  assert.deepEqual([accepted.status, accepted.body.name], [200, 'Ada Example'])
  assert.equal((await curl('/auth/password', ...own, ...account)).status, 422, 'once')
}

async function workByCurl(curl: Curl, own: string[], site: string): Promise<void> {
  const payment = jsonOf({ corridor: 'GB-NG', amount: 100 })
  const decided = await curl('/api/v1/verify', ...own, ...payment)
  assert.deepEqual([decided.status, decided.body.mode], [200, 'shadow'])
  for (const other of ['http://evil.example', 'null', `${site}.evil.example`])
    assert.equal((await curl('/api/v1/verify', ...from(other), ...payment)).status, 403, other)
  assert.equal((await curl('/api/v1/verify', ...payment)).status, 403, 'without an origin')
  const { body: history } = await curl('/api/verifications')
  assert.deepEqual(
    history.map(({ request_id: id }: { request_id: string }) => id),
    [decided.body.request_id],
  )
  assert.equal((await curl('/auth/logout', ...from('http://evil.example'), '-X', 'POST')).status, 403)
  assert.equal((await curl('/api/v1/me')).status, 200, 'still signed in')
}

test(
  'with curl alone a person accepts an invitation, verifies, is refused from another site, and signs out',
  { skip: hasCurl ? false : 'curl is not installed' },
  async () => {
    const database = await freshDatabase('sqlite')
    const folder = scratchFolder('fairway-curl-')
    const server = await serve({ DATABASE_URL: database.url })
    try {
      const token = await invitedByCli(server, database.url)
      const jar = join(folder, 'cookies.txt')
      writeFileSync(jar, '')
      const curl = curlOf(server, jar)
      const own = from(server.url)
      await acceptByCurl(curl, own, token)
      const cookie = /^#HttpOnly_\S+\tFALSE\t\/\tFALSE\t\d+\tfairway-session\t[\w-]{43}$/m
      const kept = readFileSync(jar, 'utf8')
      assert.match(kept, cookie)
      await workByCurl(curl, own, server.url)
      assert.equal((await curl('/auth/logout', ...own, '-X', 'POST')).status, 200)
      assert.doesNotMatch(readFileSync(jar, 'utf8'), /fairway-session/)
      writeFileSync(jar, kept)
      assert.equal((await curl('/api/v1/me')).status, 401, 'the old cookie is worth nothing')
    } finally {
      await server.stop()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
