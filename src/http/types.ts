/** What the routes are made of, and what Fastify's own types are told of them. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { RequestAccess } from '../app/access/access.ts'
import type { Authenticate } from '../app/access/keys.ts'
import type { ReportOutcome } from '../app/events/outcome.ts'
import type { RecordOverride } from '../app/events/override.ts'
import type { Webhooks } from '../app/events/webhooks.ts'
import type { Setup } from '../app/inspect/readiness.ts'
import type { KeyRecord } from '../app/ports/keys.ts'
import type { Limiter } from '../app/ports/limiter.ts'
import type { Metrics } from '../app/ports/metrics.ts'
import type { LiveSource, SignalSource } from '../app/ports/signals.ts'
import type { Store } from '../app/ports/store.ts'
import type { Clock, Random } from '../app/ports/system.ts'
import type { DecisionTimer } from '../app/verify/decision-timer.ts'
import type { Verify } from '../app/verify/verify.ts'
import type { Policy } from '../core/decision/policy.ts'
import type { RateLimit } from '../core/time/rolling-window.ts'
import type { Shedding } from './admission.ts'
import type { Access, LimitName, OpenWindow } from './auth.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Present on keyed routes only. */
    access?: Access
    /** Present on public routes that are limited by the caller's address. */
    open?: OpenWindow
    /** Answered also while others are refused since there is too much to do. */
    isVital?: true
    /** An empty body stands for an empty object. */
    emptyBody?: true
    /** The body may also be CSV. */
    takesCsv?: true
    /** The member that holds the rows of a body; their values are judged by their own reader, which finds every fault. */
    rowsAt?: string
  }
  interface FastifyInstance {
    /** All that there is. */
    servedRoutes: readonly ServedRoute[]
  }
  interface FastifyRequest {
    caller: KeyRecord | null
    trace: DecisionTimer
    isShed: boolean
    /** The pattern of a path that exists, but not with the method of this request. */
    refusedPath: string | undefined
  }
}

/** A route, and what it demands of its caller. */
export interface ServedRoute {
  readonly method: string
  readonly url: string
  /** Null: no key is needed. */
  readonly access: Access | null
}

/** False: nobody. A number: so many proxies stand before us. A list: these addresses are proxies. */
type TrustProxy = false | number | string

export interface AppDeps {
  readonly store: Store
  readonly limiter: Limiter
  readonly clock: Clock
  readonly random: Random
  readonly authenticate: Authenticate
  readonly verify: Verify
  readonly recordOverride: RecordOverride
  readonly reportOutcome: ReportOutcome
  readonly webhooks: Webhooks
  readonly requestAccess: RequestAccess
  readonly metrics: Metrics
  /** Seals what is recorded by now; resolves also where that fails. */
  readonly sealNow: () => Promise<void>
  /** Whether a request is to be refused since there is too much to do. */
  readonly shedder: Shedding
  readonly signals: { readonly shadow: SignalSource; readonly live: LiveSource }
  readonly setup: Setup
  readonly policy: Policy
  readonly limits: Readonly<Record<LimitName, RateLimit>>
  /** Who may say for whom it speaks; see `Config`. */
  readonly trustProxy: TrustProxy
  readonly logger: FastifyBaseLogger
  /** Null where it was not built. */
  readonly console: BuiltConsole | null
}

/** The console as `npm run build` made it: the folder of its files, and the page that every address of it has. */
export interface BuiltConsole {
  readonly folder: string
  readonly page: string
}

export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
