/**
 * A small example provider for live mode: plain HTTP, synthetic data, no dependencies.
 *
 *   npm run -s provider -- [PORT]
 *
 * GET /set?signal=NAME&fault=KIND simulates a fault, where KIND is error, slow, stale or none. A partner has its own
 * network and liquidity below /partners/ID/, which NAME addresses as ID/network and ID/liquidity.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const dayMs = 86_400_000

/** The response of each path for a payment. Typical payments get healthy values. */
const answers: Readonly<Record<string, (payment: URLSearchParams) => unknown>> = {
  fraud: (payment) => ({ screening: { open_flags: amountOf(payment) > 400_000 ? 1 : 0 } }),
  network: () => ({ rail: { state: 'up', success_share: 0.991 } }),
  liquidity: (payment) => ({ headroom: Number((2_000_000 / Math.max(1, amountOf(payment))).toFixed(3)) }),
  operation: (payment) => ({ allowed: ['GBP', 'NGN', 'KES'].includes(payment.get('currency') ?? 'GBP') }),
  payee: () => ({ confirmation: 'matched' }),
}

/** How the values of a partner differ from those of the corridor. */
const partners: Readonly<Record<string, { readonly successShare: number; readonly liquidity: number }>> = {
  'example-acacia': { successShare: 0.995, liquidity: 300_000 },
  'example-baobab': { successShare: 0.993, liquidity: 900_000 },
  'example-date-palm': { successShare: 0.97, liquidity: 2_000_000 },
}

function partnerAnswer(id: string, name: string, payment: URLSearchParams): unknown {
  const { successShare, liquidity } = partners[id] ?? { successShare: 0.991, liquidity: 2_000_000 }
  if (name === 'network') return { rail: { state: 'up', success_share: successShare } }
  if (name !== 'liquidity') return undefined
  return { headroom: Number((liquidity / Math.max(1, amountOf(payment))).toFixed(3)) }
}

const amountOf = (payment: URLSearchParams): number => Number(payment.get('amount') ?? 0)

/** Rates with a small daily change, in the format of the ECB history: newest first, a comma at each line end. */
function rateHistory(nowMs: number): string {
  const days = Array.from({ length: 60 }, (_, back) => {
    const at = nowMs - back * dayMs
    const wave = Math.sin(at / dayMs) * 0.002
    const day = new Date(at).toISOString().slice(0, 10)
    const rates = [1.08 * (1 + wave), 0.86 * (1 - wave), 1_650 * (1 + 2 * wave), 150 * (1 + 1.5 * wave)]
    return `${[day, ...rates.map((rate) => rate.toFixed(4))].join(',')},`
  })
  return ['Date,USD,GBP,NGN,KES,', ...days].join('\n')
}

const faults = new Map<string, string>()

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://provider')
  const name = url.pathname.replace(/^\/(?:partners\/)?/, '')
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
  const [partner = '', own = ''] = name.split('/')
  const found = own === '' ? answers[name]?.(url.searchParams) : partnerAnswer(partner, own, url.searchParams)
  if (found === undefined) {
    response.writeHead(404).end()
    return
  }
  const observedAtMs = fault === 'stale' ? nowMs - dayMs : nowMs
  const body = { ...(found as object), as_of: new Date(observedAtMs).toISOString() }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const port = Number(process.argv[2] ?? 9100)
const server = createServer(answer).listen(port, '127.0.0.1', () => {
  const address = server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  process.stdout.write(`Example provider listening at http://127.0.0.1:${actualPort}\n`)
})
