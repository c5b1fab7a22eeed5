/** A provider of all seven signals that answers after 1 ms and counts requests: node bench/live/provider.ts. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answerMs = 1
/** Longer than any pause of the benchmark, so that no connection is closed in one. */
const keepAliveMs = 120_000
const headers = { 'content-type': 'application/json' }

/** Like the simulated signals of the everyday payment, so that both modes return the same kind of answer. */
const signals = {
  fraud_flags: 0,
  network_healthy: 0.97,
  balance_sufficient: 0.96,
  fx_volatility: 0.94,
  operation_valid: 0.98,
  historical_failure_rate: 0.01,
  cop_overridden: 0.97,
}

let requestCount = 0

const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
  if (request.url === '/request-count') {
    response.writeHead(200, headers).end(String(requestCount))
    return
  }
  requestCount += 1
  const body = JSON.stringify({ ...signals, as_of: new Date().toISOString() })
  setTimeout(() => {
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
  }, answerMs)
})
server.listen(0, '127.0.0.1', 1_024, () => {
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
