/** Posts each NO-GO to a Slack channel: receives Fairway's webhook and answers it once Slack has taken the message. */

import { createServer, type IncomingMessage } from 'node:http'
import { verifyWebhook, WebhookVerificationError, type DecisionEvent } from '@fairway/client'

const fairwaySecret = setting('FAIRWAY_WEBHOOK_SECRET', 'the secret from the registration of the webhook')
const slackUrl = setting('SLACK_WEBHOOK_URL', 'the URL of the incoming webhook: whoever has it can post')
// With a user in it, fetch would repeat all of it in its error.
if (!URL.canParse(slackUrl) || new URL(slackUrl).username !== '')
  throw new Error('SLACK_WEBHOOK_URL is not a URL, or has a user in it')
const port = Number(process.env['PORT'] ?? 9000)

/** Fairway waits 5 seconds for the answer. */
const slackMsMax = 4_000
const bodyBytesMax = 65_536
const handledMax = 10_000
const pauseSecondsUsual = 60
const pauseSecondsMax = 3_600

/** Events by id: repeats share one message. In memory, so a repeat after a restart is posted again. */
const handled = new Map<string, Promise<void>>()
/** Slack has asked for quiet until then; Fairway repeats the event later. */
let quietUntilMs = 0

function setting(name: string, meaning: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name} to ${meaning}`)
  return value
}

/** Text for mrkdwn: one line, that cannot mention anybody, link anywhere, or end the code that it stands in. */
const escaped = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', "'")
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

function messageOf({ data }: DecisionEvent): object {
  const payment = escaped(`${data.corridor} ${data.amount ?? 'no amount'} ${data.currency}`)
  const facts = {
    Payment: payment,
    Reference: data.correlation_id ?? 'none',
    Reasons: data.reason_codes.join(', '),
    'Next step': data.recommended_action,
    Mode: data.mode,
    Decision: data.request_id,
  }
  // `verbatim`: Slack makes no links of addresses and names in the text.
  const fields = Object.entries(facts).map(([name, value]) => ({
    type: 'mrkdwn',
    text: `*${name}*\n\`${escaped(value)}\``,
    verbatim: true,
  }))
  return {
    text: `NO-GO: ${payment}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Fairway: NO-GO' } },
      { type: 'section', fields },
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

async function postToSlack(message: object): Promise<void> {
  if (Date.now() < quietUntilMs) throw new Error('Slack has asked for a pause')
  const answer = await fetch(slackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    redirect: 'error',
    signal: AbortSignal.timeout(slackMsMax),
  })
  const text = await answer.text()
  if (answer.status === 429) {
    const seconds = Number(answer.headers.get('retry-after') ?? pauseSecondsUsual)
    quietUntilMs = Date.now() + (seconds <= pauseSecondsMax ? seconds : pauseSecondsUsual) * 1_000
  }
  if (answer.status !== 200) throw new Error(`Slack answered ${answer.status} ${text.slice(0, 100)}`)
}

/** Posts once for each event id; after a failure the next attempt may post again. */
function handle(event: DecisionEvent): Promise<void> {
  const before = handled.get(event.event_id)
  if (before !== undefined) return before
  const posted = postToSlack(messageOf(event)).catch((error: unknown) => {
    handled.delete(event.event_id)
    throw error
  })
  handled.set(event.event_id, posted)
  const [oldest] = handled.keys()
  if (handled.size > handledMax && oldest !== undefined) handled.delete(oldest)
  return posted
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new WebhookVerificationError('unreadable', 'The body is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function receive(request: IncomingMessage): Promise<[status: number, text: string]> {
  try {
    const event = await verifyWebhook(await bodyOf(request), request.headers, fairwaySecret)
    if (event.event !== 'payment.decision.created' || event.data.decision !== 'NO-GO') return [204, '']
    await handle(event)
    console.log(`posted ${event.event_id} ${event.data.request_id}`)
    return [204, '']
  } catch (error) {
    const { message, cause } = error as Error
    console.error(`not posted: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`)
    return error instanceof WebhookVerificationError
      ? [400, message]
      : [502, 'not posted: Fairway repeats it']
  }
}

const server = createServer((request, response) => {
  void receive(request).then(([status, text]) => response.writeHead(status).end(text))
})
server.listen(port, '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${port}`))
