/** The recipe for Slack: each NO-GO is one message, and Fairway repeats what Slack did not take. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { FairwayClient } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import {
  withReceiver,
  type Reaction,
  type Received,
  type TestReceiver,
} from '../../helpers/peers/receiver.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { serveInProcess, type ServedInProcess } from '../../helpers/process/in-process.ts'
import { issueByCli } from '../../helpers/process/process.ts'
import { recipeProject, startRecipe, type RunningRecipe } from '../../helpers/recipes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fairway-test-'))
const noGo = { corridor: 'GB-NG', amount: 1000.08, currency: 'GBP' }
const ok = { status: 200, body: 'ok' }

let database: FreshDatabase
let server: ServedInProcess
let project: string

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serveInProcess({
    DATABASE_URL: database.url,
    FAIRWAY_COOLDOWN_S: '0',
    FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
    FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1',
  })
  project = await recipeProject(folder, ['slack-no-go.ts'], [])
})

after(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Channel {
  readonly client: FairwayClient
  readonly slack: TestReceiver
  readonly recipe: RunningRecipe
  readonly url: string
  readonly webhookId: string
  readonly secret: string
}

/** Fairway, the recipe and a server in the place of Slack. Neither URL of Slack nor secret is in what the recipe says. */
async function withChannel(
  work: (channel: Channel) => Promise<void>,
  answer: (request: Received) => Reaction = () => ok,
): Promise<void> {
  await withReceiver(async (slack) => {
    const { key: apiKey } = await issueByCli(database.url)
    const client = new FairwayClient({ baseUrl: server.url, apiKey })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const { webhook_id: webhookId, secret } = await client.registerWebhook({
      url,
      events: ['payment.decision.created'],
    })
    const recipe = startRecipe(project, ['slack-no-go.ts'], {
      FAIRWAY_WEBHOOK_SECRET: secret,
      SLACK_WEBHOOK_URL: `${slack.url}/T000/B000/secret-part`,
      PORT: String(port),
    })
    try {
      await recipe.said(/Listening/)
      await work({ client, slack, recipe, url, webhookId, secret })
    } finally {
      await recipe.stop()
    }
    assert.ok(
      !recipe.output().includes('secret-part') && !recipe.output().includes(secret),
      'a secret was shown',
    )
  }, answer)
}

/** An event as Fairway signs it, sent by hand. */
async function deliver({ url }: Channel, secret: string, id: string, event: object): Promise<number> {
  const body = JSON.stringify(event)
  const now = new Date()
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    body,
  })
  return status
}

const eventOf = (id: string, data: object): object => ({
  event: 'payment.decision.created',
  event_id: id,
  created_at: new Date().toISOString(),
  attempt: 1,
  data: {
    request_id: 'SVC-2026-X',
    decision: 'NO-GO',
    corridor: 'GB-NG',
    amount: 1,
    currency: 'GBP',
    reason_codes: ['HIGH_FRAUD_SIGNAL'],
    recommended_action: 'BLOCK',
    mode: 'shadow',
    ...data,
  },
})

test('a NO-GO is one message with its facts; a GO and a DEGRADED are none', () =>
  withChannel(async ({ client, slack, recipe, webhookId }) => {
    await client.verify({ corridor: 'GB-NG', amount: 1000, currency: 'GBP' })
    await client.verify({ corridor: 'GB-NG', amount: 1000.01, currency: 'GBP' })
    const answer = await client.verify({ ...noGo, correlation_id: 'order-7' })
    assert.ok(!answer.held && answer.decision === 'NO-GO')
    await recipe.said(new RegExp(`posted evt_\\S+ ${answer.request_id}`))
    for (let delivered = 0; delivered < 3;) {
      delivered = 0
      for await (const { status } of client.webhookDeliveries(webhookId))
        delivered += Number(status === 'delivered')
    }
    assert.equal(slack.requests.length, 1)
    const [{ json, headers, path } = assert.fail()] = slack.requests
    assert.deepEqual([path, headers['content-type']], ['/hook/T000/B000/secret-part', 'application/json'])
    assert.equal(json.text, 'NO-GO: GB-NG 1000.08 GBP')
    const [title, facts] = json.blocks
    assert.deepEqual(title, { type: 'header', text: { type: 'plain_text', text: 'Fairway: NO-GO' } })
    assert.deepEqual(
      facts.fields.map(({ text }: { text: string }) => text),
      [
        '*Payment*\n`GB-NG 1000.08 GBP`',
        '*Reference*\n`order-7`',
        `*Reasons*\n\`${answer.reason_codes.join(', ')}\``,
        '*Next step*\n`BLOCK`',
        '*Mode*\n`shadow`',
        `*Decision*\n\`${answer.request_id}\``,
      ],
    )
  }))

test('hostile text in a correlation id mentions nobody, links nowhere and does not leave its code', () =>
  withChannel(async ({ client, slack, recipe }) => {
    const hostile = '<!channel> <@U1> <https://evil.example|pay here> `*x*` &lt; https://evil.example @here'
    await client.verify({ ...noGo, correlation_id: hostile })
    await recipe.said(/posted/)
    const [{ json, body } = assert.fail()] = slack.requests
    assert.doesNotMatch(body.toString(), /[<>]/)
    const [, { fields }] = json.blocks
    assert.equal(
      fields[1].text,
      "*Reference*\n`&lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|pay here&gt; '*x*' &amp;lt; https://evil.example @here`",
    )
    for (const field of fields) assert.deepEqual([field.type, field.verbatim], ['mrkdwn', true])
    assert.deepEqual([json.unfurl_links, json.unfurl_media], [false, false])
  }))

test('what Slack does not take is not acknowledged, and Fairway sends it until Slack takes it', async () => {
  const answers: Reaction[] = [
    { status: 500, body: 'rollup_error' },
    { status: 404, body: 'no_service' },
  ]
  await withChannel(
    async ({ client, slack, recipe }) => {
      const answer = await client.verify(noGo)
      assert.ok(!answer.held)
      await recipe.said(/posted evt_/)
      assert.match(
        recipe.output(),
        /not posted: Slack answered 500 rollup_error\n[^]*404 no_service\n[^]*posted evt_/,
      )
      assert.equal(slack.requests.length, 3)
      const texts = new Set(slack.requests.map(({ body }) => body.toString()))
      assert.equal(texts.size, 1, 'the same message each time')
    },
    () => answers.shift() ?? ok,
  )
})

for (const retryAfter of ['3600', 'Wed, 21 Oct 2026 07:28:00 GMT'])
  test(`after a 429 with Retry-After ${retryAfter} Slack is left alone`, async () => {
    const answers: Reaction[] = [
      { status: 429, headers: { 'retry-after': retryAfter }, body: 'rate_limited' },
    ]
    await withChannel(
      async (channel) => {
        const { secret, slack, recipe } = channel
        assert.equal(await deliver(channel, secret, 'evt_1', eventOf('evt_1', {})), 502)
        assert.equal(await deliver(channel, secret, 'evt_1', eventOf('evt_1', {})), 502)
        await recipe.said(/Slack answered 429 rate_limited\nnot posted: Slack has asked for a pause/)
        assert.equal(slack.requests.length, 1)
      },
      () => answers.shift() ?? ok,
    )
  })

test('after the pause that Slack asked for the message is posted', async () => {
  const answers: Reaction[] = [{ status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' }]
  await withChannel(
    async ({ client, recipe }) => {
      await client.verify(noGo)
      await recipe.said(/429 rate_limited\n[^]*posted evt_/)
    },
    () => answers.shift() ?? ok,
  )
})

test('a repeat of an event is acknowledged and posted once, also while the first is under way', () =>
  withChannel(async (channel) => {
    const { secret, slack } = channel
    const send = (): Promise<number> => deliver(channel, secret, 'evt_1', eventOf('evt_1', {}))
    assert.deepEqual(await Promise.all([send(), send()]), [204, 204])
    assert.equal(await send(), 204)
    assert.equal(slack.requests.length, 1)
    assert.equal(await deliver(channel, secret, 'evt_2', eventOf('evt_2', {})), 204)
    assert.equal(slack.requests.length, 2)
  }))

test('what Fairway has not signed is refused, and other events are acknowledged without a message', () =>
  withChannel(async (channel) => {
    const { url, secret, slack, client, webhookId } = channel
    const forged = await deliver(channel, `whsec_${'A'.repeat(43)}=`, 'evt_1', eventOf('evt_1', {}))
    const bare = await fetch(url, { method: 'POST', body: JSON.stringify(eventOf('evt_1', {})) })
    const long = await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) }).then(
      ({ status }) => status,
      () => 400,
    )
    assert.deepEqual([forged, bare.status, long], [400, 400, 400])
    await client.testWebhook(webhookId)
    const other = { event: 'corridor.status.changed', event_id: 'evt_3', data: {} }
    assert.equal(await deliver(channel, secret, 'evt_3', other), 204)
    assert.equal(slack.requests.length, 0)
  }))

test('without its settings the program says which is missing; a bad URL is not shown', async () => {
  const secret = `whsec_${'A'.repeat(43)}=`
  const cases = [
    [{}, /Set FAIRWAY_WEBHOOK_SECRET to the secret from the registration/],
    [{ FAIRWAY_WEBHOOK_SECRET: secret }, /Set SLACK_WEBHOOK_URL to the URL/],
    [{ FAIRWAY_WEBHOOK_SECRET: secret, SLACK_WEBHOOK_URL: 'secret-part' }, /SLACK_WEBHOOK_URL is not a URL/],
    [
      { FAIRWAY_WEBHOOK_SECRET: secret, SLACK_WEBHOOK_URL: 'http://user@127.0.0.1/secret-part' },
      /SLACK_WEBHOOK_URL .*has a user in it/,
    ],
  ] as const
  for (const [settings, message] of cases) {
    const { code, stderr } = await startRecipe(project, ['slack-no-go.ts'], settings).ended
    assert.equal(code, 1)
    assert.match(stderr, message)
    assert.ok(!stderr.includes('secret-part') && !stderr.includes(secret))
  }
})
