/** Types of the HTTP application, and its extensions of Fastify's types. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { RequestAccess } from '../app/access/access.ts'
import type { Authenticate } from '../app/access/keys.ts'
import type { Caller } from '../app/people/caller.ts'
import type { LocalAccounts } from '../app/people/local-accounts.ts'
import type { ProviderAccounts } from '../app/people/provider-accounts.ts'
import type { AuthenticateSession, Sessions } from '../app/people/sessions.ts'
import type { AssessBatch } from '../app/assess/assess-batch.ts'
import type { KeepReport } from '../app/assess/kept-reports.ts'
import type { Calibrate } from '../app/calibration/calibration.ts'
import type { ReportOutcomes } from '../app/events/outcome.ts'
import type { RecordOverride } from '../app/events/override.ts'
import type { ReadEvents } from '../app/events/stream/read-events.ts'
import type { EventWaits } from '../app/events/stream/waits.ts'
import type { Webhooks } from '../app/events/webhooks.ts'
import type { ReadCorridorHealth } from '../app/inspect/corridor-health.ts'
import type { Setup } from '../app/inspect/readiness.ts'
import type { Replay } from '../app/inspect/replay.ts'
import type { InstallationKey } from '../app/log/installation-key.ts'
import type { ActivePolicies } from '../app/policy/active.ts'
import type { PolicyLibrary } from '../app/policy/library.ts'
import type { PoliciesFor } from '../app/policy/policies.ts'
import type { Reviews } from '../app/review/reviews.ts'
import type { Limiter, OwedAdmission } from '../app/ports/limiter.ts'
import type { Maintenance } from '../app/operate/maintenance/jobs.ts'
import type { Mask } from '../app/operate/mask.ts'
import type { Soundness } from '../app/operate/soundness.ts'
import type { FollowerLag, Metrics } from '../app/ports/metrics.ts'
import type { LiveSource, SignalSource } from '../app/ports/signals.ts'
import type { Store } from '../app/ports/store.ts'
import type { Clock, Random } from '../app/ports/system.ts'
import type { Span, Tracing } from '../app/ports/tracing.ts'
import type { DecisionTimer } from '../app/verify/decision-timer.ts'
import type { Demo } from '../app/verify/demo.ts'
import type { Holds } from '../app/verify/holds.ts'
import type { Verify } from '../app/verify/verify.ts'
import type { Policy } from '../core/decision/policy.ts'
import type { ReviewTerms } from '../core/review/terms.ts'
import type { RateLimit } from '../core/time/rolling-window.ts'
import type { Shedding } from './admission.ts'
import type { Access, LimitName, PublicWindow } from './access.ts'
import type { Problem } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Present on keyed routes only. */
    access?: Access
    /** Present on public routes that are rate limited by client address. */
    publicWindow?: PublicWindow
    /** Only pages of this site may call it. */
    isForOwnPages?: true
    /** Never shed under overload. */
    isVital?: true
    /** A read that may be long: shed first. */
    isLong?: true
    /** Treats an empty body as an empty object. */
    emptyBody?: true
    /** The route reads its body by itself, and an optional member that is null is a fault. */
    nullIsFault?: true
    /** Accepts a CSV body, too. */
    acceptsCsv?: true
    /** The member that holds the rows of a body. A separate reader checks their values and reports every error. */
    rowsMember?: string
  }
  interface FastifyInstance {
    /** Every registered route. */
    servedRoutes: readonly ServedRoute[]
  }
  interface FastifyRequest {
    caller: Caller | null
    /** Null once the request is admitted or refused. */
    owed: OwedAdmission | null
    timer: DecisionTimer
    /** Null if the request is not traced. */
    span: Span | null
    isShed: boolean
    /** The error that was sent, if any. */
    problem: Problem | null
    /** The route pattern, if the path exists but does not support the method of this request. */
    refusedPath: string | undefined
  }
}

/** A route and its access requirements. */
export interface ServedRoute {
  readonly method: string
  readonly url: string
  /** Null: no key required. */
  readonly access: Access | null
}

/** False: trust no proxy. A number: the number of proxies in front. A string: the addresses of the proxies. */
type TrustProxy = false | number | string

export interface AppDeps {
  readonly store: Store
  readonly limiter: Limiter
  /** Counts for this process alone, without the database. */
  readonly ownLimiter: Limiter
  readonly clock: Clock
  readonly random: Random
  readonly authenticate: Authenticate
  readonly authenticateSession: AuthenticateSession
  readonly sessions: Sessions
  readonly localAccounts: LocalAccounts
  /** Null without an identity provider. */
  readonly providerAccounts: ProviderAccounts | null
  /** The origin that browsers use; null: people sign in on this machine alone. */
  readonly publicUrl: string | null
  readonly verify: Verify
  readonly recordOverride: RecordOverride
  readonly reportOutcomes: ReportOutcomes
  readonly calibrate: Calibrate
  readonly maintenance: Maintenance
  /** How long personal text is kept; Infinity: for ever. */
  readonly retentionDays: number
  /** Whether the settings name a folder of archives. */
  readonly hasArchives: boolean
  readonly reviews: Reviews
  readonly reviewTerms: ReviewTerms
  readonly holds: Holds
  readonly readEvents: ReadEvents
  readonly eventWaits: EventWaits
  readonly webhooks: Webhooks
  readonly requestAccess: RequestAccess
  readonly policies: PoliciesFor
  /** Those in force, for live ranking. */
  readonly activePolicies: ActivePolicies
  readonly policyLibrary: PolicyLibrary
  readonly metrics: Metrics
  /** Null: there are no traces. */
  readonly tracing: Tracing | null
  /** Seals everything recorded so far. */
  readonly sealNow: () => Promise<void>
  /** The installation's key, which signs exports. */
  readonly key: () => Promise<InstallationKey>
  /** Masks members of exports; ready once the installation's key is. */
  readonly mask: () => Promise<Mask>
  readonly followerLags: () => Promise<FollowerLag[]>
  readonly soundness: Pick<Soundness, 'check'>
  /** Decides whether to refuse a request under overload. */
  readonly shedder: Shedding
  readonly live: LiveSource
  /** The live signals of decisions, with telemetry. */
  readonly liveSignals: SignalSource
  readonly demo: Demo
  readonly replay: Replay
  readonly assessBatch: AssessBatch
  readonly keepReport: KeepReport
  readonly readCorridorHealth: ReadCorridorHealth
  readonly setup: Setup
  readonly policy: Policy
  readonly limits: Readonly<Record<LimitName, RateLimit>>
  /** The proxies whose `X-Forwarded-For` is trusted; see `Config`. */
  readonly trustProxy: TrustProxy
  readonly logger: FastifyBaseLogger
  /** The page on how Fairway decides. */
  readonly methodology: () => Promise<string>
  /** Null if the console is not built. */
  readonly console: BuiltConsole | null
}

/** `identity` is the file as it is. */
export type Encoding = 'br' | 'gzip' | 'identity'

export type ReadForm = () => Promise<Buffer>

/** How a file is read in each encoding that it has. */
export type Forms = { readonly identity: ReadForm } & { readonly [encoding in Encoding]?: ReadForm }

/** The files that `npm run build` makes, by their path: the console's, the guide's in `guide/`, and those of the API reference in `docs/`. */
export type BuiltConsole = ReadonlyMap<string, Forms>

export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>
