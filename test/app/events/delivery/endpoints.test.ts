/** Whose turn it is, for how many, and that nobody is forgotten. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../helpers/fast-check.ts'
import { Endpoints, type Endpoint, type Wanted } from '../../../../src/app/events/delivery/endpoints.ts'
import type { ClaimedDelivery } from '../../../../src/app/ports/webhooks.ts'
import { laneLimits, type Lane } from '../../../../src/core/events/delivery-lanes.ts'

const { heldMax, reservedPlaces, inFlightMax, promptHeldMax, endpointsPerTurnMax } = laneLimits

/** Only their number counts here. */
const some = (count: number): ClaimedDelivery[] =>
  Array.from({ length: count }, () => ({}) as ClaimedDelivery)

const countsOf = (wanted: readonly Wanted[]): [string, number][] =>
  wanted.map(({ endpoint, count }) => [endpoint.webhookId, count])

/** Lets an endpoint take and end one, which shows its lane. */
function teach(endpoints: Endpoints, webhookId: string, lane: Lane): Endpoint {
  endpoints.markDue(webhookId)
  const wanted = endpoints.wanted().find(({ endpoint }) => endpoint.webhookId === webhookId) ?? assert.fail()
  endpoints.addClaimed(wanted, some(1))
  endpoints.start(wanted.endpoint)
  endpoints.end(wanted.endpoint, lane)
  settle(endpoints)
  return wanted.endpoint
}

/** Nothing is due for anybody. */
function settle(endpoints: Endpoints): void {
  for (let turn = endpoints.wanted(); turn.length > 0; turn = endpoints.wanted()) {
    for (const one of turn) endpoints.addClaimed(one, [])
  }
}

test('nobody is asked for who was not called; who got less than it asked for is done', () => {
  const endpoints = new Endpoints()
  assert.deepEqual(endpoints.wanted(), [])
  teach(endpoints, 'a', 'prompt')
  endpoints.markDue('a')
  const [wanted] = endpoints.wanted()
  if (wanted === undefined) assert.fail()
  assert.equal(wanted.count, promptHeldMax)
  endpoints.addClaimed(wanted, some(3))
  assert.deepEqual(endpoints.wanted(), [])
})

test('a call that comes while a turn is under way is heard, also where that turn found less than it asked for', () => {
  const endpoints = new Endpoints()
  teach(endpoints, 'a', 'prompt')
  endpoints.markDue('a')
  const [wanted] = endpoints.wanted()
  endpoints.markDue('a')
  if (wanted === undefined) assert.fail()
  endpoints.addClaimed(wanted, [])
  assert.equal(endpoints.wanted().length, 1)
})

test('who holds as much as it may waits for the end of an attempt, and then has its turn', () => {
  const endpoints = new Endpoints()
  endpoints.markDue('a')
  const [wanted] = endpoints.wanted()
  if (wanted === undefined) assert.fail()
  assert.equal(wanted.count, 1)
  endpoints.addClaimed(wanted, some(1))
  assert.ok(endpoints.start(wanted.endpoint) !== null)
  endpoints.markDue('a')
  assert.deepEqual(endpoints.wanted(), [])
  assert.deepEqual(endpoints.end(wanted.endpoint, 'prompt'), [])
  assert.deepEqual(countsOf(endpoints.wanted()), [['a', promptHeldMax]])
})

test('an endpoint that turns slow gives back all that waits for it, and has its turn among the slow', () => {
  const endpoints = new Endpoints()
  const prompt = teach(endpoints, 'a', 'prompt')
  endpoints.markDue('a')
  const wanted = endpoints.wanted().find(({ endpoint }) => endpoint === prompt) ?? assert.fail()
  endpoints.addClaimed(wanted, some(64))
  for (let started = 0; started < 32; started += 1) assert.ok(endpoints.start(prompt) !== null)
  assert.equal(endpoints.start(prompt), null)
  assert.equal(endpoints.end(prompt, 'slow').length, 32, 'nothing more is sent to it for now')
  assert.deepEqual(countsOf(endpoints.wanted()), [['a', 1]], 'as many as have ended')
})

/** Everybody has more due than it can have, and no attempt ends. */
function fillLanes(endpoints: Endpoints, webhookIds: readonly string[]): void {
  for (const webhookId of webhookIds) endpoints.markDue(webhookId)
  for (let turn = endpoints.wanted(); turn.length > 0; turn = endpoints.wanted()) {
    for (const one of turn) {
      endpoints.addClaimed(one, some(one.count))
      while (endpoints.start(one.endpoint) !== null);
    }
  }
}

test('a few endpoints that hang leave places to others that are slow, many leave places to one that was never tried', () => {
  const endpoints = new Endpoints()
  const slow = Array.from({ length: heldMax }, (_, number) => teach(endpoints, `h${number}`, 'slow'))
  const names = slow.map(({ webhookId }) => webhookId)
  fillLanes(endpoints, names.slice(0, 20))
  assert.ok(
    endpoints.held <= heldMax - 2 * reservedPlaces + 20,
    'the first ones have many, each of the others one',
  )
  assert.ok(slow.slice(0, 20).every(({ inFlight }) => inFlight >= 1 && inFlight <= inFlightMax))
  fillLanes(endpoints, names)
  assert.equal(endpoints.held, heldMax - reservedPlaces)
  endpoints.markDue('new')
  assert.deepEqual(countsOf(endpoints.wanted()), [['new', 1]])
})

test('endpoints that hang fill their own lane, and take no place of a prompt one', () => {
  const endpoints = new Endpoints()
  teach(endpoints, 'healthy', 'prompt')
  fillLanes(
    endpoints,
    Array.from({ length: 2 * heldMax }, (_, number) => `n${number}`),
  )
  assert.equal(endpoints.held, heldMax)
  endpoints.markDue('healthy')
  assert.deepEqual(countsOf(endpoints.wanted()), [['healthy', promptHeldMax]])
})

test('20 busy endpoints do not take the place of one that holds nothing, and it comes first', () => {
  const endpoints = new Endpoints()
  const busy = Array.from({ length: 20 }, (_, number) => teach(endpoints, `b${number}`, 'prompt'))
  teach(endpoints, 'healthy', 'prompt')
  for (let turn = 0; turn < 50; turn += 1) {
    for (const { webhookId } of busy) endpoints.markDue(webhookId)
    for (const one of endpoints.wanted()) {
      endpoints.addClaimed(one, some(one.count))
      while (endpoints.start(one.endpoint) !== null);
    }
  }
  endpoints.markDue('healthy')
  const [first] = countsOf(endpoints.wanted())
  assert.deepEqual(first?.[0], 'healthy')
  assert.ok((first?.[1] ?? 0) >= 1)
})

test('a turn never asks for more than it may, however many were called', () => {
  const endpoints = new Endpoints()
  const all = Array.from({ length: 500 }, (_, number) => `e${number}`)
  for (const name of all) endpoints.markDue(name)
  const seen = new Set<string>()
  for (let turn = 0; turn < 500 / endpointsPerTurnMax.untried; turn += 1) {
    const wanted = endpoints.wanted()
    assert.ok(wanted.length <= endpointsPerTurnMax.untried)
    for (const one of wanted) {
      seen.add(one.endpoint.webhookId)
      endpoints.addClaimed(one, some(one.count))
    }
  }
  assert.equal(seen.size, 500, 'everybody has had a turn')
})

test('of endpoints known to be slow a turn takes one that holds nothing and one that holds some', () => {
  const endpoints = new Endpoints()
  const names = Array.from({ length: 50 }, (_, number) => teach(endpoints, `s${number}`, 'slow').webhookId)
  for (const name of names) endpoints.markDue(name)
  const seen = new Set<string>()
  for (let turn = 0; turn < names.length; turn += 1) {
    const wanted = endpoints.wanted()
    assert.ok(wanted.length <= 2 * endpointsPerTurnMax.slow)
    for (const one of wanted) {
      seen.add(one.endpoint.webhookId)
      endpoints.addClaimed(one, some(one.count))
    }
  }
  assert.equal(seen.size, names.length, 'everybody has had a turn')
})

test('more endpoints than are remembered: those at rest are forgotten, those that wait are not', () => {
  const endpoints = new Endpoints()
  for (let number = 0; number < 30_000; number += 1) endpoints.markDue(`e${number}`)
  let served = 0
  for (let turn = endpoints.wanted(); turn.length > 0; turn = endpoints.wanted()) {
    for (const one of turn) endpoints.addClaimed(one, [])
    served += turn.length
  }
  assert.equal(served, 30_000)
})

test('in whatever order things happen, what is held is counted right and everybody is served in the end', () => {
  const act = fc.tuple(fc.constantFrom('call', 'turn', 'start', 'end'), fc.nat(7), fc.nat(5))
  fc.assert(
    fc.property(fc.array(act, { maxLength: 300 }), (acts) => {
      const endpoints = new Endpoints()
      const underWay: Endpoint[] = []
      const met = new Map<string, Endpoint>()
      const start = (endpoint: Endpoint): void => {
        if (endpoints.start(endpoint) !== null) underWay.push(endpoint)
      }
      for (const [what, who, count] of acts) {
        if (what === 'call') endpoints.markDue(`e${who}`)
        if (what === 'turn') {
          for (const one of endpoints.wanted()) {
            met.set(one.endpoint.webhookId, one.endpoint)
            endpoints.addClaimed(one, some(Math.min(count, one.count)))
          }
        }
        const endpoint = met.get(`e${who}`)
        if (what === 'start' && endpoint !== undefined) start(endpoint)
        const ending = what === 'end' ? underWay.shift() : undefined
        if (ending !== undefined) endpoints.end(ending, [null, 'prompt', 'slow'][count % 3] as Lane | null)
        const held = [...met.values()].reduce((sum, one) => sum + one.inFlight + one.queue.length, 0)
        assert.equal(endpoints.held, held)
      }
      for (let round = 0; endpoints.held > 0; round += 1) {
        assert.ok(round < 1_000, 'somebody is stuck')
        for (const endpoint of met.values()) start(endpoint)
        for (const endpoint of underWay.splice(0)) endpoints.end(endpoint, 'prompt')
      }
      for (let who = 0; who < 8; who += 1) endpoints.markDue(`e${who}`)
      assert.equal(endpoints.wanted().length, 8)
    }),
  )
})
