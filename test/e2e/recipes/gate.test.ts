/** The recipes for Express and Fastify: a route whose handler runs only for a payout that Fairway allows. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FairwayClient } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withScript } from '../../helpers/peers/scripted.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { serveInProcess, type ServedInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { nowhere } from '../../helpers/process/user.ts'
import { recipeProject, startRecipe, type RunningRecipe } from '../../helpers/recipes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
const payment = { corridor: 'GB-NG', amount: 1000, currency: 'GBP', payee: 'GB33BUKB20201555555555' }

let database: FreshDatabase
let server: ServedInProcess
let project: string

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({ DATABASE_URL: database.url, FAIRWAY_COOLDOWN_S: '0' })
  const files = ['payout-gate.ts', 'payout-express.ts', 'payout-fastify.ts']
  project = await recipeProject(folder, files, ['express', 'fastify'])
})

after(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

interface Route {
  readonly pay: (key: string | null, body: unknown) => Promise<Answer>
  readonly recipe: RunningRecipe
  /** Ends the recipe, and returns the lines of its handler: one for each payout that was sent. */
  readonly sent: () => Promise<string[]>
  readonly client: FairwayClient
}

/** The recipe as a process, with a key of its own, which is in nothing that it says. */
async function withRoute(
  program: string,
  work: (route: Route) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { key: apiKey } = await issueByCli(database.url)
  const port = await freePort()
  const recipe = startRecipe(project, [program], {
    FAIRWAY_URL: server.url,
    FAIRWAY_API_KEY: apiKey,
    PORT: String(port),
    ...settings,
  })
  try {
    await recipe.said(/Listening/)
    await work({
      recipe,
      client: new FairwayClient({ baseUrl: server.url, apiKey }),
      sent: async () => (await recipe.stop()).stdout.match(/^sent .*$/gm) ?? [],
      async pay(key, body) {
        const response = await fetch(`http://127.0.0.1:${port}/payouts`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key === null ? {} : { 'idempotency-key': key }),
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
        const { status, headers } = response
        return { status, headers, body: (await response.json()) as Record<string, unknown> }
      },
    })
  } finally {
    await recipe.stop()
  }
  assert.ok(!recipe.output().includes(apiKey.slice(8)), 'the key was shown')
}

/** One guarantee, of both recipes. */
function testBoth(guarantee: string, work: (program: string) => Promise<void>): void {
  for (const program of ['payout-express.ts', 'payout-fastify.ts'])
    test(`${program}: ${guarantee}`, () => work(program))
}

testBoth(
  'a payout that Fairway allows is sent with the values it was asked about, and keeps the request id',
  (program) =>
    withRoute(program, async ({ pay, sent, client }) => {
      const { status, body } = await pay('order-1', { ...payment, amount: 250.5 })
      assert.equal(status, 201)
      const id = String(body['request_id'])
      assert.deepEqual(body, { ...payment, amount: 250.5, request_id: id, status: 'sent' })
      const { decision, amount, currency } = await client.audit(id)
      assert.deepEqual([decision, amount, currency], ['GO', 250.5, 'GBP'])
      const asked = await client.verify(
        { corridor: 'GB-NG', amount: 250.5, currency: 'GBP' },
        { idempotencyKey: 'order-1' },
      )
      assert.ok(!asked.held && asked.request_id === id, 'the key is that of the request')
      assert.deepEqual(await sent(), [`sent 250.5 GBP allowed by ${id}`])
    }),
)

testBoth(
  'a port that is in use ends it with an error, and it does not say that it listens',
  async (program) => {
    const port = new URL(server.url).port
    const recipe = startRecipe(project, [program], {
      FAIRWAY_URL: server.url,
      FAIRWAY_API_KEY: 'pk_test',
      PORT: port,
    })
    const { code } = await recipe.ended
    assert.notEqual(code, 0)
    assert.match(recipe.output(), /EADDRINUSE/)
    assert.doesNotMatch(recipe.output(), /Listening/)
  },
)

testBoth('warnings of an answer are named on standard error', (program) =>
  withRoute(program, async ({ pay, recipe }) => {
    const { status, body } = await pay('order-1', { ...payment, corridor: 'GB-QQ' })
    assert.deepEqual([status, body['decision']], [409, 'DEGRADED'])
    const line = `fairway: ${String(body['request_id'])}: ISO 3166 has not assigned the country code QQ.`
    assert.ok(recipe.output().includes(line), recipe.output())
  }),
)

testBoth('any other decision is a 409 with the decision, and the handler does not run', (program) =>
  withRoute(program, async ({ pay, sent }) => {
    const cases = [
      [1000.01, 'DEGRADED', 'BLOCK'],
      [1000.07, 'GO', 'CONFIRM_PAYEE'],
      [60_000, 'DEGRADED', 'MANUAL_APPROVAL'],
      [1000.08, 'NO-GO', 'BLOCK'],
    ] as const
    for (const [amount, decision, action] of cases) {
      const { status, body } = await pay(`order-${amount}`, { ...payment, amount })
      assert.deepEqual([status, body['decision'], body['recommended_action']], [409, decision, action])
      assert.match(String(body['request_id']), /^SVC-/)
      assert.ok(Array.isArray(body['reason_codes']))
    }
    assert.deepEqual(await sent(), [])
  }),
)

testBoth(
  'no answer is a 503 with Retry-After: a hold, no server, a refused key, an answer that is none',
  async (program) => {
    await withRoute(program, async ({ pay, sent }) => {
      const { status, headers } = await pay('order-1', { ...payment, amount: 1000.09 })
      assert.deepEqual([status, headers.get('retry-after'), await sent()], [503, '120', []])
    })
    const none = async ({ pay, sent }: Route): Promise<void> => {
      const { status, headers, body } = await pay('order-1', payment)
      assert.deepEqual([status, headers.get('retry-after'), await sent()], [503, '30', []])
      assert.match(String(body['message']), /same Idempotency-Key/)
    }
    await withRoute(program, none, { FAIRWAY_URL: await nowhere() })
    await withRoute(program, none, { FAIRWAY_API_KEY: `pk_test_${'a'.repeat(32)}` })
    await withScript([{ status: 200, text: '<p>a proxy</p>' }], ({ url }) =>
      withRoute(program, none, { FAIRWAY_URL: url }),
    )
  },
)

testBoth(
  'a repeated request, also at the same time, is sent once and answered with the same payout',
  (program) =>
    withRoute(program, async ({ pay, sent }) => {
      const both = await Promise.all([pay('order-1', payment), pay('order-1', payment)])
      assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 201]))
      const again = await pay('order-1', payment)
      assert.deepEqual([again.status, again.body['status']], [200, 'sent'])
      assert.equal(new Set([...both, again].map(({ body }) => body['request_id'])).size, 1)
      const other = await pay('order-1', { ...payment, amount: 2000 })
      const otherPayee = await pay('order-1', { ...payment, payee: 'somebody else' })
      assert.deepEqual([other.status, otherPayee.status], [409, 409])
      assert.equal((await sent()).length, 1)
    }),
)

testBoth('a rail that fails leaves the payout as sending, and a repeat does not send it again', (program) =>
  withRoute(program, async ({ pay, sent }) => {
    const lost = { ...payment, payee: 'unreachable' }
    const first = await pay('order-1', lost)
    assert.deepEqual([first.status, first.body], [500, { message: 'unknown: look before you repeat' }])
    const again = await pay('order-1', lost)
    assert.deepEqual([again.status, again.body['status'], await sent()], [200, 'sending', []])
  }),
)

testBoth('a key that was used before a restart for another payout is a 409', (program) =>
  withRoute(program, async ({ pay, sent, client }) => {
    await client.verify({ corridor: 'GB-NG', amount: 10, currency: 'GBP' }, { idempotencyKey: 'order-1' })
    assert.equal((await pay('order-1', payment)).status, 409)
    assert.deepEqual(await sent(), [])
  }),
)

testBoth('a request that is no payout is refused, and Fairway is not asked', (program) =>
  withRoute(program, async ({ pay, sent, client }) => {
    const { payee: _payee, ...withoutPayee } = payment
    const bad: [string | null, unknown][] = [
      [null, payment],
      ['k'.repeat(256), payment],
      ['order-1', { ...payment, amount: '1000' }],
      ['order-1', { ...payment, amount: 0 }],
      ['order-1', { ...payment, amount: -1 }],
      ['order-1', { ...payment, corridor: 'Britain to Nigeria' }],
      ['order-1', { ...payment, currency: 7 }],
      ['order-1', withoutPayee],
      ['order-1', []],
      ['order-1', '{'],
    ]
    for (const [key, body] of bad) {
      const { status, body: answer } = await pay(key, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.equal(typeof answer['message'], 'string')
    }
    const unknown = await pay('order-1', { ...payment, currency: 'XXQ' })
    assert.equal(unknown.status, 422, 'Fairway knows no such currency')
    assert.deepEqual(await sent(), [])
    for await (const record of client.verifications()) assert.fail(record.request_id)
  }),
)

test('a GO that has expired is not sent', async () => {
  await withRoute('payout-express.ts', async ({ pay, sent, client }) => {
    const asked = await client.verify(
      { corridor: 'GB-NG', amount: 1000, currency: 'GBP' },
      { idempotencyKey: 'order-1' },
    )
    assert.ok(!asked.held)
    // The same answer, as it comes under this key after its time.
    await withScript(
      [{ status: 200, body: { ...asked, valid_until: '2026-01-01T00:00:00.000Z' } }],
      ({ url }) =>
        withRoute(
          'payout-express.ts',
          async (late) => {
            const { status, body } = await late.pay('order-1', payment)
            assert.equal(status, 409)
            assert.match(String(body['message']), /expired: use a new Idempotency-Key/)
            assert.deepEqual(await late.sent(), [])
          },
          { FAIRWAY_URL: url },
        ),
    )
    assert.equal((await pay('order-1', payment)).status, 201, 'in its time it is sent')
    assert.equal((await sent()).length, 1)
  })
})

test('without a key in the environment the program says so and ends', async () => {
  const { code, stderr } = await startRecipe(project, ['payout-express.ts'], {}).ended
  assert.equal(code, 1)
  assert.match(stderr, /Set FAIRWAY_API_KEY to a key with the scope decision:read/)
})
