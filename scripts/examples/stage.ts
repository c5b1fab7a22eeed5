/**
 * Runs the service for the examples of the contract with a manual clock and deterministic randomness, so that the ids
 * and times of an example are reproducible.
 */

import { createHash } from 'node:crypto'
import type { Random } from '../../src/app/ports/system.ts'
import { keyPattern, type KeyPrefix } from '../../src/core/identity/api-key.ts'
import { ManualClock } from '../../test/helpers/clock.ts'
import { startHarness, type Answer, type Harness, type HarnessOptions } from '../../test/helpers/harness.ts'

/** Seeded by each scene, so that a change of one scene does not change the ids of the others. */
class SceneRandom implements Random {
  #scene = ''
  #drawn = 0

  begin(scene: string): void {
    this.#scene = scene
    this.#drawn = 0
  }

  bytes(count: number): Uint8Array {
    this.#drawn += 1
    return createHash('shake256', { outputLength: count }).update(`${this.#scene} ${this.#drawn}`).digest()
  }
}

const sceneMs = 1_500

export interface Stage extends Harness {
  /** The API key of the examples. */
  readonly key: string
  /** Ids recorded by earlier scenes, by name. */
  readonly ids: Record<string, string>
  readonly random: Random
  /** Starts a scene: advances the clock and seeds the ids with the scene's name. */
  readonly begin: (scene: string) => void
}

interface StageOptions extends HarnessOptions {
  /** Of the API key; default: a test key. */
  readonly prefix?: KeyPrefix
}

async function openStage({ prefix, ...options }: StageOptions): Promise<Stage> {
  const random = new SceneRandom()
  const clock = new ManualClock()
  const begin = (scene: string): void => {
    clock.advance(sceneMs)
    random.begin(scene)
  }
  begin('opening')
  const harness = await startHarness({ ...options, clock, random })
  const owner = { ownerLabel: 'Payments team' }
  const { key } = await harness.issue(prefix === undefined ? owner : { ...owner, prefix })
  return { ...harness, key, ids: {}, random, begin }
}

/** Runs `play` on a new stage and always closes it. */
export async function onStage<Result>(
  options: StageOptions,
  play: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const stage = await openStage(options)
  try {
    return await play(stage)
  } finally {
    await stage.close()
  }
}

/** An example request: parameters by name, and a body with its media type. */
export interface ExampleRequest {
  readonly parameters: Readonly<Record<string, string | number>>
  readonly type: string | null
  readonly body: unknown
}

/** The parts of an operation that a request needs. */
export interface Target {
  readonly method: string
  readonly path: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly isKeyed: boolean
}

/** Sends an example request. */
export function sendExample(
  stage: Stage,
  { method, path, parameters: described, isKeyed }: Target,
  { parameters, type, body }: ExampleRequest,
  common: Readonly<Record<string, string>>,
): Promise<Answer> {
  const query = new URLSearchParams()
  const headers: Record<string, string> = { ...common }
  let url = path
  for (const { name, in: where } of described) {
    const value = parameters[name]
    if (value === undefined) continue
    if (where === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
    else if (where === 'query') query.set(name, String(value))
    else headers[name] = String(value)
  }
  if (isKeyed && stage.key !== '') headers['authorization'] = `Bearer ${stage.key}`
  if (type !== null) headers['content-type'] = type
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return stage.send({
    method: method.toUpperCase(),
    url: query.size === 0 ? url : `${url}?${query.toString()}`,
    headers,
    ...(type === null ? {} : { payload }),
  })
}

const everyKey = new RegExp(keyPattern, 'g')

/** The response for the document. Keys and secrets are masked, so that none of them is usable. */
export function shown(answer: Answer): unknown {
  const text = masked(answer.text)
  return answer.body === undefined ? text : JSON.parse(text)
}

function masked(text: string): string {
  return text
    .replaceAll(everyKey, (key) => `${key.slice(0, key.search(/[_-][^_-]*$/) + 1)}…`)
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_…')
}
