/** A receiver of webhooks with Express: checks each event, then acts on it once. */

import express from 'express'
import { verifyWebhook, WebhookVerificationError } from '@fairway/client'

const secret = process.env['FAIRWAY_WEBHOOK_SECRET'] ?? ''
const port = Number(process.env['PORT'] ?? 9000)
if (secret === '') throw new Error('FAIRWAY_WEBHOOK_SECRET is needed: registration gave it')

/** Deliveries come at least once. A real receiver keeps these in its database, in the transaction of what it does. */
const seen = new Set<string>()

const app = express()

// The signature is over the bytes as they came, so they are not parsed before it is checked.
app.post('/hooks/fairway', express.raw({ type: () => true }), async (request, response) => {
  try {
    const body: unknown = request.body
    const event = await verifyWebhook(Buffer.isBuffer(body) ? body : '', request.headers, secret)
    if (!seen.has(event.event_id)) {
      seen.add(event.event_id)
      process.stdout.write(`${event.event} ${event.event_id}\n`)
    }
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    process.stdout.write(`refused: ${error.fault}\n`)
    response.status(400).send(error.message)
  }
})

app.listen(port, '127.0.0.1', () => {
  process.stdout.write(`listening at http://127.0.0.1:${port}/hooks/fairway\n`)
})
