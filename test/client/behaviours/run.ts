/** Runs a row of the table with one client, and checks what holds in every row. */

import assert from 'node:assert/strict'
import type { ReceivedRequest } from '../../helpers/peers/scripted.ts'
import { filled } from './filled.ts'
import { matches } from './matches.ts'
import { withScriptedPeer, type Peer, type Service } from './peers.ts'
import type { Driver, Result, Row, Step } from './row.ts'

export async function runRow(driver: Driver, row: Row, service: Service): Promise<void> {
  const work = (peer: Peer): Promise<void> => runSteps(driver, row, peer)
  await ('script' in row ? withScriptedPeer(row, work) : service.withPeer(row, work))
}

async function runSteps(driver: Driver, row: Row, peer: Peer): Promise<void> {
  await driver.reset(row.chance ?? 0.5)
  const names: Record<string, unknown> = { ...peer.names }
  const results: Result[] = []
  for (const step of [{ open: row.client ?? {}, expect: {} }, ...row.steps]) {
    await peer.prepare?.()
    const before = peer.asked.length
    const result = await driver.run(await ready(filled(step, names), peer))
    results.push(result)
    matches(outcome([result], peer.asked.slice(before)), filled(step.expect, names))
    if ('as' in step) names[step.as] = result.answer
  }
  matches(outcome(results, peer.asked), row.expect ?? {})
  checkKey(peer, results)
}

/** What is sent to a driver: without names, and with the defaults of clients. */
async function ready(step: Step, peer: Peer): Promise<Parameters<Driver['run']>[0]> {
  if ('received' in step) return peer.webhook?.(step) ?? assert.fail('only the service sends webhooks')
  const { expect: _expect, as: _as, ...rest } = step
  if (!('open' in rest)) return rest
  return { open: { baseUrl: String(peer.names['url']), apiKey: peer.apiKey, ...rest.open } }
}

/** Results with the requests that the peer saw meanwhile. */
function outcome(results: readonly Result[], asked: readonly ReceivedRequest[]) {
  const requests = asked.map(({ method, url, headers, text, json }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    return { method, url, path: pathname, query: Object.fromEntries(searchParams), headers, text, json }
  })
  const told = results.map(({ error, hold }) => (error ?? hold)?.idempotencyKey)
  const sent = requests.map(
    ({ json }) => (json as { idempotency_key?: unknown } | undefined)?.idempotency_key,
  )
  return {
    ...results.at(-1),
    requests,
    sent: requests.length,
    /** Different idempotency keys, those that errors and holds have included. */
    keys: new Set([...sent, ...told].filter((key) => typeof key === 'string')).size,
    bodies: new Set(requests.map(({ text }) => text)).size,
  }
}

/** In one header, and nowhere else. */
function checkKey({ apiKey, asked }: Peer, results: readonly Result[]): void {
  const [, secret = ''] = /_([^_]+)$/.exec(apiKey) ?? []
  for (const { shown = '', error, misuse } of results)
    assert.ok(!JSON.stringify([shown, error, misuse]).includes(secret), `${shown} shows the API key`)
  for (const { headers, url, text } of asked) {
    const { authorization: _authorization, ...others } = headers
    assert.ok(!JSON.stringify([url, text, others]).includes(secret), `${url} was sent the API key elsewhere`)
  }
}
