/** A provider of all seven signals, `node bench/live-provider.ts`: answers after a millisecond, and counts what it is asked. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answerMs = 1
/** Longer than any pause of the bench, so that no connection is lost in one. */
const keepAliveMs = 120_000
const headers = { 'content-type': 'application/json' }

/** As healthy as the simulation finds the everyday payment, so that both modes compose an answer of one kind. */
const signals = {
  fraud_flags: 0,
  network_healthy: 0.97,
  balance_sufficient: 0.96,
  fx_volatility: 0.94,
  operation_valid: 0.98,
  historical_failure_rate: 0.01,
  cop_overridden: 0.97,
}

let asked = 0

const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
  if (request.url === '/asked') {
    response.writeHead(200, headers).end(String(asked))
    return
  }
  asked += 1
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
