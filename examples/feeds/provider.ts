/**
 * A small example provider for live mode: plain HTTP, synthetic data, no dependencies.
 *
 *   npm run -s provider -- [PORT]
 *
 * GET /set?signal=NAME&fault=KIND simulates a fault, where KIND is error, slow, stale or none.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const dayMs = 86_400_000

/** The response of each path for a payment. Typical payments get healthy values. */
const answers: Readonly<Record<string, (payment: URLSearchParams) => unknown>> = {
  fraud: (payment) => ({ screening: { open_flags: amountOf(payment) > 400_000 ? 1 : 0 } }),
  network: () => ({ rail: { state: 'up', success_share: 0.991 } }),
  liquidity: (payment) => ({ headroom: Number((2_000_000 / Math.max(1, amountOf(payment))).toFixed(3)) }),
  operation: (payment) => ({ allowed: ['GBP', 'NGN'].includes(payment.get('currency') ?? 'GBP') }),
  payee: () => ({ confirmation: 'matched' }),
}

const amountOf = (payment: URLSearchParams): number => Number(payment.get('amount') ?? 0)

/** Rates with a small daily change, in the format of the ECB history: newest first, a comma at each line end. */
function rateHistory(nowMs: number): string {
  const days = Array.from({ length: 60 }, (_, back) => {
    const at = nowMs - back * dayMs
    const wave = Math.sin(at / dayMs) * 0.002
    const day = new Date(at).toISOString().slice(0, 10)
    return `${day},${(1.08 * (1 + wave)).toFixed(4)},${(0.86 * (1 - wave)).toFixed(5)},${(1_650 * (1 + 2 * wave)).toFixed(2)},`
  })
  return ['Date,USD,GBP,NGN,', ...days].join('\n')
}

const faults = new Map<string, string>()

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://provider')
  const name = url.pathname.slice(1)
  const nowMs = Date.now()
  if (name === 'set') {
    faults.set(url.searchParams.get('signal') ?? '', url.searchParams.get('fault') ?? 'none')
    response.end('ok\n')
    return
  }
  const fault = faults.get(name)
  // Never responds: the caller times out.
  if (fault === 'slow') return
  if (fault === 'error') {
    response.writeHead(500).end()
    return
  }
  if (name === 'rates.csv') {
    response.writeHead(200, { 'content-type': 'text/csv' }).end(rateHistory(nowMs))
    return
  }
  const responseFor = answers[name]
  if (responseFor === undefined) {
    response.writeHead(404).end()
    return
  }
  const observedAtMs = fault === 'stale' ? nowMs - dayMs : nowMs
  const body = { ...(responseFor(url.searchParams) as object), as_of: new Date(observedAtMs).toISOString() }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const port = Number(process.argv[2] ?? 9100)
const server = createServer(answer).listen(port, '127.0.0.1', () => {
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  process.stdout.write(`Example provider listening at http://127.0.0.1:${actualPort}\n`)
})
