/** Sends the calls of the client: with or without its key, and repeated only if that is safe. */

import { Listing, nextCursorOf, type Page } from './listing.ts'
import { defaultLimits, type FairwayClientOptions } from './options.ts'
import {
  checkedBaseUrl,
  checkedKey,
  queryText,
  withLimits,
  type CallLimits,
  type CallOptions,
} from './request.ts'
import type { Repeatable } from './retry.ts'
import { systemRuntime } from './runtime.ts'
import { checkedItems, jsonOf, Transport, type Answer, type Call } from './transport.ts'

interface Sent {
  readonly body?: string | null
  readonly type?: string
  readonly accept?: string
  readonly repeatable?: Repeatable
  readonly idempotencyKey?: string
}

export class Calls {
  readonly baseUrl: string
  readonly limits: CallLimits
  readonly #apiKey: string | null
  readonly #hasSession: boolean
  readonly #transport: Transport

  constructor({ baseUrl, apiKey, session, runtime, ...limits }: FairwayClientOptions) {
    this.baseUrl = checkedBaseUrl(baseUrl)
    this.#apiKey = apiKey === undefined ? null : checkedKey(apiKey)
    this.#hasSession = session === true
    const environment = { ...systemRuntime, ...runtime }
    this.limits = withLimits(defaultLimits, limits)
    this.#transport = new Transport(this.baseUrl, this.limits, environment)
  }

  async get<Body extends object>(path: string, options: CallOptions): Promise<Body> {
    return jsonOf<Body>(await this.keyed('GET', path, options))
  }

  /** A call without side effects, which may be retried. */
  async query<Body extends object>(path: string, body: object, options: CallOptions): Promise<Body> {
    return jsonOf<Body>(await this.keyed('POST', path, options, { body: JSON.stringify(body) }))
  }

  /** A call with side effects, which must not be repeated. */
  async act<Body extends object>(path: string, body: object | null, options: CallOptions): Promise<Body> {
    const sent = { body: body === null ? null : JSON.stringify(body), repeatable: 'when_refused' as const }
    return jsonOf<Body>(await this.keyed('POST', path, options, sent))
  }

  list<Item>(
    path: string,
    query: { readonly cursor?: string },
    options: CallOptions,
    itemsOf: (answer: Answer) => readonly Item[] = (answer) => jsonOf<readonly Item[]>(answer),
    accept?: string,
  ): Listing<Item> {
    const read = async (cursor: string | null): Promise<Page<Item>> => {
      const search = queryText({ ...query, cursor: cursor ?? undefined })
      const answer = await this.keyed('GET', path + search, options, accept === undefined ? {} : { accept })
      const items = checkedItems(itemsOf(answer), answer)
      return { items, nextCursor: nextCursorOf(answer.headers.get('link')) }
    }
    return new Listing(read, query.cursor ?? null)
  }

  async keyed(method: Call['method'], path: string, options: CallOptions, sent: Sent = {}): Promise<Answer> {
    if (this.#apiKey === null && this.#hasSession) return this.#send(method, path, options, sent, {})
    if (this.#apiKey === null)
      throw new TypeError('This call requires an API key: set apiKey in the options of the client.')
    return this.#send(method, path, options, sent, { authorization: `Bearer ${this.#apiKey}` })
  }

  /** Sends no key, since public endpoints do not need it. */
  public(method: Call['method'], path: string, options: CallOptions, sent: Sent = {}): Promise<Answer> {
    return this.#send(method, path, options, sent, {})
  }

  #send(
    method: Call['method'],
    path: string,
    options: CallOptions,
    {
      body = null,
      type = 'application/json',
      accept = 'application/json',
      repeatable = 'always',
      idempotencyKey,
    }: Sent,
    authorization: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const headers = { ...authorization, accept, ...(body === null ? {} : { 'content-type': type }) }
    const call = { method, path, headers, body, repeatable, idempotencyKey: idempotencyKey ?? null }
    return this.#transport.send(call, options)
  }
}
