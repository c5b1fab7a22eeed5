/** The readiness checklist: sixteen items, each checked in the running configuration or the store. */

import { corpusOf, gateDays, gateFault } from '../../core/live/cip.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import { signalNames } from '../../core/decision/signals.ts'
import { counted } from '../../core/explain/wording.ts'
import { notDurable, notWriteOnce, otherSchema, type StoreFault } from '../operate/store-faults.ts'
import type { SelfCheck, Store } from '../ports/store.ts'
import type { CipState, Observation } from '../ports/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { FeedState } from '../ports/feeds.ts'
import type { LiveSource } from '../ports/signals.ts'
import { minuteMs } from '../../core/time/durations.ts'

/** The non-secret settings of this instance. */
export interface Setup {
  readonly verifyLimit: RateLimit
  readonly cooldownMs: number
  readonly hasTestAmounts: boolean
  readonly isProxyTrusted: boolean
  readonly allowsPrivateWebhooks: boolean
  /** 0 turns the probe off. */
  readonly probeEveryMs: number
  /** The captcha of public access requests. */
  readonly captcha: 'configured' | 'missing'
}

type ItemStatus = 'ready' | 'planned' | 'not_available'

interface Item {
  readonly item: string
  readonly status: ItemStatus
  /** The current state or, when not ready, what is missing. */
  readonly detail: string
  readonly needed_for: ('sandbox' | 'production')[]
}

export interface ReadinessDeps {
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveSource
  readonly setup: Setup
  readonly logger: { warn(fields: object, message: string): void }
}

interface StoreState {
  readonly selfCheck: SelfCheck
  readonly cip: CipState
  readonly latest: readonly Observation[]
}

export function createReadiness(deps: ReadinessDeps) {
  return async () => {
    const state = await readStore(deps)
    const checklist = [...storeItems(state), ...accessItems(deps, state), ...serviceItems(deps, state)]
    const isReady = (level: 'sandbox' | 'production') =>
      checklist.every((one) => one.status === 'ready' || !one.needed_for.includes(level))
    return {
      enterprise_readiness: checklist.filter(({ status }) => status === 'ready').length,
      items_total: checklist.length,
      sandbox_capability: isReady('sandbox') ? ('ready' as const) : ('not_ready' as const),
      production_capability: isReady('production') ? ('ready' as const) : ('not_ready' as const),
      checklist,
      checked_at: new Date(deps.clock.nowMs()).toISOString(),
    }
  }
}

/** Null when the store is unavailable. */
async function readStore({ store, clock, live, logger }: ReadinessDeps): Promise<StoreState | null> {
  try {
    const [selfCheck, cip, latest] = await Promise.all([
      store.selfCheck(clock.nowMs()),
      store.cip.state(live.scope()),
      store.cip.latest(live.scope().adapter, clock.nowMs() + clockSkewMsMax),
    ])
    return { selfCheck: selfCheck, cip, latest }
  } catch (error) {
    // Any failure counts, even a missing table: the checklist reports it, and the log its cause.
    logger.warn({ err: error }, 'readiness: the store cannot be read')
    return null
  }
}

const always = ['sandbox', 'production'] as const
const production = ['production'] as const
const optional = [] as const

const storeUnavailable = 'The store is unavailable.'

function item(
  name: string,
  neededFor: readonly ('sandbox' | 'production')[],
  isReady: boolean,
  detail: { readonly yes: string; readonly no: string },
  unreadyStatus: ItemStatus = 'not_available',
): Item {
  return {
    item: name,
    status: isReady ? 'ready' : unreadyStatus,
    detail: isReady ? detail.yes : detail.no,
    needed_for: [...neededFor],
  }
}

const sentences = ({ found, action }: StoreFault): string => `${found}. ${action}.`

function storeItems(state: StoreState | null): Item[] {
  const selfCheck = state?.selfCheck
  const no = (detail: string): string => (selfCheck === undefined ? storeUnavailable : detail)
  return [
    item('store_reachable', always, selfCheck !== undefined, {
      yes: 'The store answers.',
      no: 'The store cannot be reached or reports an error.',
    }),
    item(
      'migrations_current',
      always,
      selfCheck !== undefined && selfCheck.schema === selfCheck.schemaKnown,
      {
        yes: `The database has schema ${selfCheck?.schema}, which is current.`,
        no: selfCheck === undefined ? storeUnavailable : sentences(otherSchema(selfCheck)),
      },
    ),
    item('durable_commits', always, selfCheck?.isDurable === true, {
      yes: 'A decision is on disk before its answer is sent.',
      no: no(sentences(notDurable)),
    }),
    item('records_write_once', always, selfCheck?.isWriteOnce === true, {
      yes: 'The database refuses to change or delete records.',
      no: no(sentences(notWriteOnce)),
    }),
    item('shared_store', production, selfCheck?.isShared === true, {
      yes: 'PostgreSQL: any number of instances can share it.',
      no: no('The embedded SQLite file serves one instance: set DATABASE_URL to a PostgreSQL database.'),
    }),
  ]
}

function accessItems({ setup }: ReadinessDeps, state: StoreState | null): Item[] {
  const selfCheck = state?.selfCheck
  const no = (detail: string): string => (selfCheck === undefined ? storeUnavailable : detail)
  return [
    item('api_keys_active', always, selfCheck?.hasKey === true, {
      yes: 'There are active keys.',
      no: no('There is no active key: run fairway keys issue.'),
    }),
    item('live_keys_active', production, selfCheck?.hasLiveKey === true, {
      yes: 'There are active live keys.',
      no: no('There is no active live key: run fairway keys issue --type live.'),
    }),
    item('captcha_configured', production, setup.captcha === 'configured', {
      yes: 'Access requests are protected by a captcha.',
      no: 'Access requests accept any captcha token: set FAIRWAY_RECAPTCHA_SECRET.',
    }),
    item('tls_proxy_trusted', production, setup.isProxyTrusted, {
      yes: 'A proxy is trusted to report client addresses. It must terminate TLS: this process serves plain HTTP.',
      no: 'No proxy is trusted (FAIRWAY_TRUST_PROXY), and this process serves plain HTTP.',
    }),
    item('rate_limits_in_force', always, isWithinContract(setup.verifyLimit), {
      yes: `Verify allows ${limitText(setup.verifyLimit)} per key, unless the key has its own limit.`,
      no: `Verify allows ${limitText(setup.verifyLimit)} per key, more than the contract's 100 in 60 seconds.`,
    }),
  ]
}

/** The contract's limit on verify: 100 requests per minute. */
function isWithinContract({ count, windowMs }: RateLimit): boolean {
  return count * Math.ceil(minuteMs / windowMs) <= 100
}

function limitText({ count, windowMs }: RateLimit): string {
  return `${count} requests in ${windowMs / 1000} seconds`
}

function serviceItems({ setup, live, clock }: ReadinessDeps, state: StoreState | null): Item[] {
  const nowMs = clock.nowMs()
  const no = (detail: string): string => (state === null ? storeUnavailable : detail)
  const scope = live.scope()
  const corpus = corpusOf(state?.cip.days ?? [], scope, nowMs)
  const observedAtMs = (corridor: Corridor): number =>
    state?.latest.find((one) => one.corridor === corridor)?.observedAtMs ?? 0
  const oldestMs = Math.min(...scope.corridors.map(observedAtMs))
  const { probeEveryMs } = setup
  const isProbed =
    probeEveryMs > 0 && scope.corridors.length > 0 && oldestMs >= nowMs - 3 * probeEveryMs - probeGraceMs
  return [
    item('cooldown_in_force', always, setup.cooldownMs > 0, {
      yes: `A NO-GO is repeated for ${setup.cooldownMs / 1000} seconds.`,
      no: 'The cooldown after a NO-GO is off (FAIRWAY_COOLDOWN_S).',
    }),
    item('webhooks_configured', optional, state?.selfCheck.hasWebhook === true, {
      yes: 'At least one webhook is registered.',
      no: no('No webhook is registered: register one with POST /api/v1/webhooks.'),
    }),
    item('webhook_addresses_guarded', production, !setup.allowsPrivateWebhooks, {
      yes: 'Webhooks go to public addresses over https only.',
      no: 'Webhooks may go to private addresses and over http (FAIRWAY_WEBHOOK_ALLOW_PRIVATE).',
    }),
    feedsItem(live),
    item('corridor_probe', optional, isProbed, {
      yes: 'Every supported corridor is observed regularly.',
      no:
        probeEveryMs === 0
          ? 'The probe is off (FAIRWAY_CIP_PROBE_S).'
          : no('The probe is on, but a supported corridor has no recent observation.'),
    }),
    item(
      'telemetry_quality_gate',
      optional,
      state !== null && gateFault(corpus, nowMs) === null,
      {
        yes: `The corpus is up to date and has ${corpus.days} complete days of the required ${gateDays}.`,
        no: no(`Not passed: ${gateFault(corpus, nowMs) ?? ''}.`),
      },
      'planned',
    ),
  ]
}

/** Ready when every signal of every corridor has a feed, and this instance has read each without a fault. */
function feedsItem(live: LiveSource): Item {
  const states = live.current().states()
  const failing = states.filter(
    ({ lastFault, lastReadAtMs, breaker }) =>
      lastFault !== null || lastReadAtMs === null || breaker !== 'closed',
  )
  const corridors = [...live.current().world.corridors.keys()]
  const complete = corridors.filter((corridor) => live.signalsOf(corridor).length === signalNames.length)
  const isComplete = complete.length === corridors.length
  const count = `${complete.length} of ${counted(corridors.length, 'live corridor')} ${corridors.length === 1 ? 'has' : 'have'} a feed for each of the ${signalNames.length} signals`
  return item('live_feeds', production, isComplete && failing.length === 0, {
    yes: `${count}, and the last read of each succeeded.`,
    no: `${count}${isComplete ? '' : ' (FAIRWAY_LIVE_FEEDS)'}${failing.length === 0 ? '.' : `; failing: ${failingText(failing)}.`}`,
  })
}

/** By signal and fault: the checklist is public, and corridors and partners are the operator's. */
function failingText(failing: readonly FeedState[]): string {
  const counts = new Map<string, number>()
  for (const { signal, lastFault, lastReadAtMs, breaker } of failing) {
    const state = breaker === 'closed' ? '' : `, breaker ${breaker === 'open' ? 'open' : 'half open'}`
    const fault = lastFault ?? (lastReadAtMs === null ? 'not read yet' : 'recovering')
    const text = `${signal} (${fault}${state})`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} of ${count} feeds`)).join(', ')
}

/** Allowed lateness of a probe. */
const probeGraceMs = 10_000
