/** Runs the scenes and records their responses in src/http/openapi/examples.json, the examples of the document. */

import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { withReceiver } from '../../test/helpers/peers/receiver.ts'
import { dayMs } from '../../src/core/time/durations.ts'
import { ask, degraded, override, register, trial, webhooksUrl } from '../../test/helpers/webhooks.ts'
import { adminScenes } from './admin-scenes.ts'
import { openNames } from './names.ts'
import { refusals } from './errors.ts'
import { outcomeScenes } from './outcome-scenes.ts'
import { peopleScenes } from './people-scenes.ts'
import { policyScenes } from './policy-scenes.ts'
import { reviewScenes } from './review-scenes.ts'
import { acts, type Scene } from './scenes.ts'
import { onStage, sendExample, shown, type ExampleRequest, type Stage, type Target } from './stage.ts'

type Json = Readonly<Record<string, unknown>>

interface DescribedOperation {
  readonly operationId?: string
  readonly parameters?: Target['parameters']
  readonly security?: readonly object[]
}

/** The operations of a document by operationId. */
function targetsOf(document: Json): Map<string, Target> {
  const paths = document['paths'] as Readonly<Record<string, Record<string, DescribedOperation>>>
  const targets = new Map<string, Target>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId = '', parameters = [], security = [] }] of Object.entries(operations)) {
      targets.set(operationId, { method, path, parameters, isKeyed: security.length > 0 })
    }
  }
  return targets
}

export const typeOf = ({ type }: Scene): string => type ?? 'application/json'

/** The request that the scene defines. The test uses the request in the document instead. */
function requestOf({ parameters, body, ...scene }: Scene, { ids }: Stage): ExampleRequest {
  return {
    parameters: parameters?.(ids) ?? {},
    type: body === undefined ? null : typeOf({ ...scene }),
    body: body?.(ids),
  }
}

export interface Played {
  /** Its type is that of the answer. */
  readonly scene: Scene
  readonly request: ExampleRequest
  readonly answer: unknown
}

type Requests = (scene: Scene, stage: Stage) => ExampleRequest

/** Runs all scenes in order with the given requests. */
export async function playScenes(requestFor: Requests = requestOf): Promise<Played[]> {
  const names = await openNames()
  try {
    const alone = await onStage({ dnsServers: [names.server] }, (stage) =>
      playAct(stage, acts.alone, requestFor),
    )
    const { played } = await playDeliveries(requestFor)
    const live = await playLive(requestFor)
    const policies = await onStage({}, (stage) => playAct(stage, policyScenes, requestFor))
    const outcomes = await onStage({}, (stage) => playAct(stage, outcomeScenes, requestFor))
    const people = await onStage({}, (stage) => playAct(stage, peopleScenes, requestFor))
    const reviews = await onStage({}, (stage) => playAct(stage, reviewScenes, requestFor))
    const settings = { ...trial, FAIRWAY_LIVE_FEEDS: liveFeeds }
    const admin = await onStage({ settings }, (stage) => playAct(stage, adminScenes, requestFor))
    return [...admin, ...alone, ...played, ...live.played, ...policies, ...outcomes, ...people, ...reviews]
  } finally {
    names.close()
  }
}

async function playAct(stage: Stage, scenes: readonly Scene[], requestFor: Requests): Promise<Played[]> {
  const targets = targetsOf(stage.app.swagger() as unknown as Json)
  const played: Played[] = []
  for (const scene of scenes) {
    stage.begin(`${scene.operation} ${typeOf(scene)}`)
    await scene.before?.(stage)
    const target = targets.get(scene.operation) ?? assert.fail(`unknown operation ${scene.operation}`)
    const request = requestFor(scene, stage)
    const sender = scene.key === undefined ? stage : { ...stage, key: scene.key(stage.ids) }
    const headers = { accept: typeOf(scene), ...scene.headers?.(stage.ids) }
    const answer = await sendExample(sender, target, request, headers)
    assert.equal(answer.status, 200, `${scene.operation}: ${answer.text}`)
    await scene.after?.(answer, stage)
    // A request in CSV may have an answer in JSON.
    const { type: _type, ...inJson } = scene
    played.push({ scene: answer.body === undefined ? scene : inJson, request, answer: shown(answer) })
  }
  return played
}

/** Delivers events to a receiver and runs the scenes that read them. */
export async function playDeliveries(requestFor: Requests = requestOf) {
  const events: Record<string, Json> = {}
  let played: Played[] = []
  await withReceiver((receiver) =>
    onStage({ settings: trial }, async (stage) => {
      stage.begin('receiver')
      stage.ids['webhook'] = (await register(stage, stage.key, receiver.url)).webhook_id
      const more = { corridor: 'GB-NG', amount: 85_000, correlation_id: 'invoice-2041' }
      const requestId = await degraded(stage, stage.key, more)
      await stage.deliver()
      stage.begin('override')
      await override(stage, stage.key, requestId)
      await stage.deliver()
      played = await playAct(stage, acts.withReceiver, requestFor)
      for (const { json } of receiver.requests) events[String(json.event)] = json as Json
    }),
  )
  const more = {
    ...(await playReviewed()),
    ...(await playSuspended()),
    ...(await playLive(requestFor)).events,
  }
  return { events: { ...events, ...more }, played }
}

/** The events of a review that a direct override closes. */
async function playReviewed(): Promise<Record<string, Json>> {
  const events: Record<string, Json> = {}
  await withReceiver((receiver) =>
    onStage({ settings: trial }, async (stage) => {
      stage.begin('reviewed')
      const kinds = ['payment.review.opened', 'payment.review.closed']
      await register(stage, stage.key, receiver.url, { events: kinds })
      const requestId = await degraded(stage, stage.key, { corridor: 'GB-NG', amount: 85_000 })
      await stage.journal.passed('reviews')
      await stage.deliver()
      stage.begin('closed')
      await override(stage, stage.key, requestId)
      await stage.journal.passed('reviews')
      await stage.deliver()
      for (const { json } of receiver.requests) events[String(json.event)] = json as Json
    }),
  )
  return events
}

/** The event of an endpoint whose test events fail for seven days. */
async function playSuspended(): Promise<Record<string, Json>> {
  const events: Record<string, Json> = {}
  await withReceiver(
    (receiver) =>
      onStage({ settings: trial }, async (stage) => {
        stage.begin('suspended')
        const kinds = ['webhook.endpoint.suspended']
        await register(stage, stage.key, `${receiver.url}/sound`, { events: kinds })
        const { webhook_id: id } = await register(stage, stage.key, `${receiver.url}/failing`)
        for (let half = 0; half <= 14; half += 1) {
          assert.equal((await ask(stage, stage.key, 'POST', `${webhooksUrl}/${id}/test`)).status, 200)
          await stage.deliver()
          stage.clock.advance(dayMs / 2)
        }
        await stage.deliver()
        for (const { json, path } of receiver.requests)
          if (path.endsWith('/sound')) events[String(json.event)] = json as Json
      }),
    ({ path }) => (path.endsWith('/sound') ? 200 : 500),
  )
  return events
}

const liveFeeds = fileURLToPath(new URL('live-feeds.json', import.meta.url))

/** Runs the scenes of a live key. The first probe finds the corridor closed, because it is a Sunday. */
async function playLive(requestFor: Requests) {
  const events: Record<string, Json> = {}
  let played: Played[] = []
  const settings = { ...trial, FAIRWAY_LIVE_FEEDS: liveFeeds }
  await withReceiver((receiver) =>
    onStage({ settings, prefix: 'pk_live_' }, async (stage) => {
      stage.begin('status')
      await register(stage, stage.key, receiver.url, { events: ['corridor.status.changed'] })
      await stage.probe()
      await stage.journal.passed('webhooks')
      await stage.deliver()
      played = await playAct(stage, acts.live, requestFor)
      for (const { json } of receiver.requests) events[String(json.event)] = json as Json
    }),
  )
  return { events, played }
}

export interface PlayedRefusal {
  /** The status, with a suffix for routes without a rate limit. */
  readonly form: string
  readonly summary: string
  readonly answer: Json
}

/** No server listens on this port: the captcha service is down. */
const downCaptcha = {
  FAIRWAY_RECAPTCHA_SECRET: 'none',
  FAIRWAY_RECAPTCHA_URL: 'http://127.0.0.1:9/siteverify',
}

export function playRefusals(): Promise<PlayedRefusal[]> {
  return onStage({ settings: downCaptcha }, async (stage) => {
    const played: PlayedRefusal[] = []
    for (const { status, isUnlimited, summary, provoke } of refusals) {
      stage.begin(summary)
      const answer = await provoke(stage)
      assert.equal(answer.status, status, `${summary}: ${answer.text}`)
      const form = isUnlimited === true ? `${status}Unlimited` : String(status)
      played.push({ form, summary, answer: answer.body as Json })
    }
    return played
  })
}

interface OperationExamples {
  parameters: Json
  requests: Record<string, unknown>
  answers: Record<string, unknown>
}

/** All examples, in the form of the file. */
export async function recordExamples(): Promise<Json> {
  const operations: Record<string, OperationExamples> = {}
  for (const { scene, request, answer } of await playScenes()) {
    const examples = (operations[scene.operation] ??= { parameters: {}, requests: {}, answers: {} })
    examples.parameters = { ...examples.parameters, ...request.parameters }
    if (request.type !== null) examples.requests[request.type] = request.body
    examples.answers[typeOf(scene)] = answer
  }
  const errors: Record<string, Record<string, Json>> = {}
  for (const { form, summary, answer } of await playRefusals()) {
    errors[form] = { ...errors[form], [String(answer['code'])]: { summary, value: answer } }
  }
  const { events } = await playDeliveries()
  return { operations, errors, events }
}
