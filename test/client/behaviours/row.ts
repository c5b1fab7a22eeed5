/** A row of the table: a guarantee, the peer that puts it to the test, the calls, and what must come of each. */

import type { Scripted } from '../../helpers/peers/scripted.ts'

/** In the words of no language: seconds, and numbers that may be Infinity or NaN. */
export interface Limits {
  readonly maxRetries?: number
  readonly timeoutSeconds?: number
  readonly totalTimeoutSeconds?: number
}

export interface ClientOptions extends Limits {
  /** That of the peer by default; `{url}` stands for it. */
  readonly baseUrl?: string
  /** Null: without one. */
  readonly apiKey?: string | null
}

/** Makes the client of the steps that follow. */
export interface Open {
  readonly open: ClientOptions
}

export interface Call {
  /** The id of an operation, or a further method of the clients. */
  readonly call: string
  /** Parts of the path, then the body; of a search its text. */
  readonly args?: readonly unknown[]
  /** By the names of the contract; present wherever the operation has a query. */
  readonly query?: Readonly<Record<string, unknown>>
  /** Of the method, in camelCase. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly limits?: Limits
  /** How an iterable is read; anything else is awaited. */
  readonly read?: 'items' | 'pages' | 'page'
  /** Leaves the loop after so many. */
  readonly take?: number
}

export interface Webhook {
  readonly webhook: {
    readonly body: Bytes
    readonly headers: Readonly<Record<string, string | readonly string[]>>
    readonly secret: string | readonly string[]
    readonly options?: {
      readonly toleranceSeconds?: number
      readonly requireTimestamp?: boolean
      readonly eventAgeSecondsMax?: number
      readonly nowSeconds?: number
    }
  }
}

/** `parsed` is the mistake of a receiver. */
export type Bytes = { readonly text: string } | { readonly base64: string } | { readonly parsed: unknown }

/** The webhook that the service sent, by its number, with the secret of its registration. */
export interface Received {
  readonly received: number
  readonly secret: string
}

/** A part of an `Outcome`: see `matches`. */
export type Expected = Readonly<Record<string, unknown>>

export type Step = (Open | Call | Webhook | Received) & {
  /** A name for the answer: later steps have its members as `{name.member}`. */
  readonly as?: string
  readonly expect: Expected
}

interface RowBase {
  readonly name: string
  readonly client?: ClientOptions
  /** In place of random numbers; 0.5 by default. */
  readonly chance?: number
  readonly steps: readonly Step[]
  /** Of the requests of all steps. */
  readonly expect?: Expected
}

export interface ScriptedRow extends RowBase {
  /** The answers of a server on loopback, in order; `closed` is a port where nobody listens. */
  readonly script: readonly Scripted[] | 'closed'
  /** Another server, at `{elsewhere}`: it must never be asked. */
  readonly elsewhere?: readonly Scripted[]
}

export interface ServiceRow extends RowBase {
  readonly service: {
    /** So many answers are lost on their way back. */
    readonly losses?: number
    /** Verifications per minute. */
    readonly limit?: number
  }
}

export type Row = ScriptedRow | ServiceRow

/** Members of an error, or of a hold, which has fewer. */
export interface Failure {
  /** The class, then those that it extends, without the language's own. */
  readonly classes: readonly string[]
  readonly message: string
  readonly status: number | null
  readonly code: string | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly unavailableSignals: readonly string[]
  readonly signalsWithoutFeed: readonly string[]
  readonly errors: readonly unknown[]
  readonly idempotencyKey: string | null
  readonly attempts: number
}

/** One of the first five, and what is known besides. */
export interface Result {
  readonly answer?: unknown
  readonly hold?: Omit<Failure, 'classes' | 'status' | 'errors' | 'attempts'>
  readonly error?: Failure
  /** The message of the language's error for a wrong argument. */
  readonly misuse?: string
  /** Why a webhook was refused. */
  readonly fault?: string
  /** Of verify. */
  readonly allows?: boolean
  /** Out of a loop, before its error. */
  readonly taken?: readonly unknown[]
  /** Everything that a log could show of an error or of a client. */
  readonly shown?: string
  /** Seconds. */
  readonly waits: readonly number[]
}

/** A client as one of the languages has it. */
export interface Driver {
  readonly name: string
  start(): Promise<void>
  /** A new clock, for a row. */
  reset(chance: number): Promise<void>
  run(step: Open | Call | Webhook): Promise<Result>
  end(): Promise<void>
}
