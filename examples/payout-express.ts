/** Gates POST /payouts with Express: the handler runs only for a payout that Fairway allows. Needs payout-gate.ts. */

import express, { type NextFunction, type Request, type Response } from 'express'
import { gate, type KeptPayout } from './payout-gate.ts'

const port = Number(process.env['PORT'] ?? 9000)
const app = express()

/** Ends the request, or leaves the payout in `response.locals` for the handler. */
async function gatePayout(
  request: Request,
  response: Response<unknown, { payout: KeptPayout }>,
  next: NextFunction,
): Promise<void> {
  const result = await gate(request.headers['idempotency-key'], request.body)
  if ('body' in result) {
    response.status(result.status).set(result.headers).json(result.body)
    return
  }
  response.locals.payout = result
  next()
}

app.post(
  '/payouts',
  express.json(),
  gatePayout,
  async (_request, response: Response<unknown, { payout: KeptPayout }>) => {
    const { payout } = response.locals
    await sendPayout(payout)
    payout.status = 'sent'
    response.status(201).json(payout)
  },
)

/** Your rail. If this throws, the payout stays `sending`: look at the rail before you send it again. */
async function sendPayout({ amount, currency, payee, request_id }: KeptPayout): Promise<void> {
  if (payee === 'unreachable') throw new Error('the rail cannot be reached')
  await Promise.resolve(console.log('sent', amount, currency, 'allowed by', request_id))
}

// Four parameters make it the handler of errors. The default one shows stack traces outside of production.
app.use((error: Error & { status?: number }, _request: Request, response: Response, _next: NextFunction) => {
  const status = error.status ?? 500
  if (status >= 500) console.error(error)
  response.status(status).json({ message: status < 500 ? error.message : 'unknown: look before you repeat' })
})

app.listen(port, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`Listening at http://127.0.0.1:${port}/payouts`)
})
