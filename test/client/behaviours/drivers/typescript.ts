/** Runs the steps of a row with the TypeScript client, in this process. */

import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import {
  allows,
  FairwayClient,
  FairwayError,
  verifyWebhook,
  WebhookVerificationError,
  type CallOptions,
  type Runtime,
  type VerifyResult,
} from '../../../../client/src/index.ts'
import type { Bytes, Call, ClientOptions, Driver, Limits, Open, Result, Webhook } from '../row.ts'

type Outcome = Omit<Result, 'waits'>
type Method = (...args: unknown[]) => unknown
interface Iterable extends AsyncIterable<unknown> {
  readonly page: () => Promise<unknown>
  readonly pages: () => AsyncIterable<unknown>
}

export function typescriptDriver(): Driver {
  let client: FairwayClient | null = null
  let waits: number[] = []
  let nowMs = 0
  let chance = 0.5
  const runtime: Partial<Runtime> = {
    nowMs: () => nowMs,
    random: () => chance,
    sleep: async (ms) => {
      waits.push(ms / 1000)
      nowMs += ms
    },
  }
  async function outcomeOf(step: Open | Call | Webhook): Promise<Outcome> {
    if ('open' in step) {
      client = new FairwayClient({ ...clientOptions(step.open), runtime })
      return { answer: null, shown: shown(client) + JSON.stringify(client) }
    }
    return 'webhook' in step ? checked(step.webhook) : called(client ?? assert.fail('no client'), step)
  }
  return {
    name: 'TypeScript',
    async start() {},
    async reset(given) {
      ;[client, nowMs, chance] = [null, 0, given]
    },
    async run(step) {
      waits = []
      const before = structuredClone(step)
      const outcome = await outcomeOf(step).catch(failed)
      assert.deepEqual(step, before, 'the arguments were changed')
      return { ...outcome, waits }
    },
    async end() {},
  }
}

async function called(client: FairwayClient, step: Call): Promise<Outcome> {
  const { call, args = [], query, options = {}, limits = {}, read, take = Infinity } = step
  const method = (client as unknown as Record<string, Method>)[call] ?? assert.fail(call)
  const given = [...args, ...(query === undefined ? [] : [query])]
  const result = method.call(client, ...given, { ...options, ...inMs(limits) })
  if (read === undefined) return answerOf(call, await result)
  const iterable = result as Iterable
  if (read === 'page') return { answer: await iterable.page() }
  const taken: unknown[] = []
  try {
    for await (const item of read === 'pages' ? iterable.pages() : iterable) {
      taken.push(item)
      if (taken.length >= take) break
    }
  } catch (error) {
    return { ...failed(error), taken }
  }
  return { answer: taken }
}

function answerOf(call: string, value: unknown): Outcome {
  if (call !== 'verify') return { answer: value }
  const result = value as VerifyResult
  const { held, ...members } = result
  return { [held ? 'hold' : 'answer']: members, allows: allows(result) }
}

async function checked({ body, headers, secret, options = {} }: Webhook['webhook']): Promise<Outcome> {
  const { nowSeconds, ...others } = options
  const now = nowSeconds === undefined ? {} : { nowMs: nowSeconds * 1000 }
  return { answer: await verifyWebhook(bytesOf(body), headers, secret, { ...others, ...now }) }
}

function bytesOf(body: Bytes): string | Uint8Array {
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  return 'text' in body ? body.text : (body.parsed as string)
}

function clientOptions({ baseUrl = '', apiKey, ...limits }: ClientOptions) {
  return { baseUrl, ...(typeof apiKey === 'string' ? { apiKey } : {}), ...inMs(limits) }
}

const inMs = ({ maxRetries, timeoutSeconds, totalTimeoutSeconds }: Limits): CallOptions => ({
  ...(maxRetries === undefined ? {} : { maxRetries }),
  ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
  ...(totalTimeoutSeconds === undefined ? {} : { totalTimeoutMs: totalTimeoutSeconds * 1000 }),
})

function failed(error: unknown): Outcome {
  if (error instanceof WebhookVerificationError) return { fault: error.fault, shown: shown(error) }
  if (error instanceof FairwayError) {
    const { name: _name, ...members } = error
    return {
      error: { ...members, classes: classesOf(error), message: error.message },
      shown: shown(error),
    }
  }
  // Of its subclasses and of other errors none is a message for a caller.
  if (error instanceof TypeError) return { misuse: error.message, shown: shown(error) }
  throw error
}

function classesOf(error: FairwayError): string[] {
  const names: string[] = []
  for (let from = Object.getPrototypeOf(error) as object; from !== Error.prototype;)
    [, from] = [names.push(from.constructor.name), Object.getPrototypeOf(from) as object]
  return names
}

const shown = (value: unknown): string => inspect(value, { depth: 9, showHidden: true })
