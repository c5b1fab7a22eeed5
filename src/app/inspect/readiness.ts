/** What this instance is ready for: sixteen items, each looked up in the running configuration or in the store. */

import { corpusOf, gateDays, gateFault } from '../../core/live/cip.ts'
import { supportedCorridors, type Corridor } from '../../core/reference/corridor.ts'
import { clockSkewMsMax } from '../../core/time/cooldown.ts'
import type { RateLimit } from '../../core/time/rolling-window.ts'
import { signalNames } from '../../core/decision/signals.ts'
import type { SelfCheck, Store } from '../ports/store.ts'
import type { CipState, Observation } from '../ports/cip.ts'
import type { Clock } from '../ports/system.ts'
import type { LiveSource } from '../ports/signals.ts'
import { minuteMs } from '../../core/time/durations.ts'

/** What is set for this instance, as far as it is nobody's secret. */
export interface Setup {
  readonly verifyLimit: RateLimit
  readonly cooldownMs: number
  readonly isProxyTrusted: boolean
  readonly allowsPrivateWebhooks: boolean
  /** 0: off. */
  readonly probeEveryMs: number
  /** Of the public access requests. */
  readonly captcha: 'configured' | 'missing'
}

type ItemStatus = 'ready' | 'planned' | 'not_available'

interface Item {
  readonly item: string
  readonly status: ItemStatus
  /** A sentence on what was found, and what would make it ready. */
  readonly detail: string
  readonly needed_for: ('sandbox' | 'production')[]
}

export interface ReadinessDeps {
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveSource
  readonly setup: Setup
}

/** What the store said; null where it could not be asked. */
interface Looked {
  readonly selfCheck: SelfCheck
  readonly cip: CipState
  readonly latest: readonly Observation[]
}

export function createReadiness(deps: ReadinessDeps) {
  return async () => {
    const looked = await look(deps)
    const checklist = [...storeItems(looked), ...accessItems(deps, looked), ...serviceItems(deps, looked)]
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

async function look({ store, clock }: ReadinessDeps): Promise<Looked | null> {
  try {
    const [selfCheck, cip, latest] = await Promise.all([
      store.selfCheck(clock.nowMs()),
      store.cip.state(),
      store.cip.latest(clock.nowMs() + clockSkewMsMax),
    ])
    return { selfCheck: selfCheck, cip, latest }
  } catch {
    // Whatever is wrong with it, a missing table too: this is the place that tells.
    return null
  }
}

const always = ['sandbox', 'production'] as const
const production = ['production'] as const
/** Good to have. */
const nothing = [] as const

const notAsked = 'The store could not be asked.'

/** Ready or not, with a sentence for each. */
function item(
  name: string,
  neededFor: readonly ('sandbox' | 'production')[],
  isReady: boolean,
  detail: { readonly yes: string; readonly no: string },
  otherwise: ItemStatus = 'not_available',
): Item {
  return {
    item: name,
    status: isReady ? 'ready' : otherwise,
    detail: isReady ? detail.yes : detail.no,
    needed_for: [...neededFor],
  }
}

function storeItems(looked: Looked | null): Item[] {
  const found = looked?.selfCheck
  const no = (detail: string): string => (found === undefined ? notAsked : detail)
  return [
    item('store_reachable', always, found !== undefined, {
      yes: 'The store answers.',
      no: 'The store cannot be reached, or answers with an error.',
    }),
    item('migrations_current', always, found !== undefined && found.schema === found.schemaKnown, {
      yes: `The database has schema ${found?.schema}, the newest that this program knows.`,
      no: no(`The database has schema ${found?.schema}, this program ${found?.schemaKnown}.`),
    }),
    item('durable_commits', always, found?.isDurable === true, {
      yes: 'A decision is answered after it is on disk.',
      no: no('The database does not wait for the disk: a crash could lose decisions.'),
    }),
    item('records_write_once', always, found?.isWriteOnce === true, {
      yes: 'The database itself refuses to change or delete a record.',
      no: no('A guard of the records is missing in the database.'),
    }),
    item('shared_store', production, found?.isShared === true, {
      yes: 'PostgreSQL: any number of instances can share it.',
      no: no('An embedded SQLite file serves one instance: set DATABASE_URL to a PostgreSQL.'),
    }),
  ]
}

function accessItems({ setup }: ReadinessDeps, looked: Looked | null): Item[] {
  const found = looked?.selfCheck
  const no = (detail: string): string => (found === undefined ? notAsked : detail)
  return [
    item('api_keys_active', always, found?.hasKey === true, {
      yes: 'There are active keys.',
      no: no('There is no active key: fairway keys issue makes one.'),
    }),
    item('live_keys_active', production, found?.hasLiveKey === true, {
      yes: 'There are active live keys.',
      no: no('There is no active live key.'),
    }),
    item('captcha_configured', production, setup.captcha === 'configured', {
      yes: 'Access requests are protected by a captcha.',
      no: 'Access requests are not protected, any token passes: FAIRWAY_RECAPTCHA_SECRET is not set.',
    }),
    item('tls_proxy_trusted', production, setup.isProxyTrusted, {
      yes: 'A proxy is trusted to name the client; it is the one to end TLS, since this process speaks plain HTTP.',
      no: 'No proxy is trusted (FAIRWAY_TRUST_PROXY), and this process speaks plain HTTP.',
    }),
    item('rate_limits_in_force', always, isWithinContract(setup.verifyLimit), {
      yes: `Verify takes ${limitText(setup.verifyLimit)} a key, unless one was issued with a limit of its own.`,
      no: `Verify takes ${limitText(setup.verifyLimit)} a key, more than the contract's 100 in 60 seconds.`,
    }),
  ]
}

/** The contract's limit on verify: no more than 100 in any minute. */
function isWithinContract({ count, windowMs }: RateLimit): boolean {
  return count * Math.ceil(minuteMs / windowMs) <= 100
}

function limitText({ count, windowMs }: RateLimit): string {
  return `${count} requests in ${windowMs / 1000} seconds`
}

function serviceItems({ setup, live, clock }: ReadinessDeps, looked: Looked | null): Item[] {
  const nowMs = clock.nowMs()
  const no = (detail: string): string => (looked === null ? notAsked : detail)
  const corpus = corpusOf(looked?.cip.days ?? [], nowMs)
  const seenAtMs = (corridor: Corridor): number =>
    looked?.latest.find((one) => one.corridor === corridor)?.observedAtMs ?? 0
  const oldestMs = Math.min(...supportedCorridors.map(seenAtMs))
  const { probeEveryMs } = setup
  const isProbed = probeEveryMs > 0 && oldestMs >= nowMs - 3 * probeEveryMs - probeGraceMs
  return [
    item('cooldown_in_force', always, setup.cooldownMs > 0, {
      yes: `A NO-GO is repeated for ${setup.cooldownMs / 1000} seconds.`,
      no: 'The cooldown after a NO-GO is off (FAIRWAY_COOLDOWN_S).',
    }),
    item('webhooks_configured', nothing, looked?.selfCheck.hasWebhook === true, {
      yes: 'At least one webhook is registered.',
      no: no('No webhook is registered: POST /api/v1/webhooks.'),
    }),
    item('webhook_addresses_guarded', production, !setup.allowsPrivateWebhooks, {
      yes: 'Webhooks go to public addresses over https only.',
      no: 'Webhooks may go to private addresses and over http (FAIRWAY_WEBHOOK_ALLOW_PRIVATE).',
    }),
    feedsItem(live),
    item('corridor_probe', nothing, isProbed, {
      yes: 'Every supported corridor is observed regularly.',
      no:
        probeEveryMs === 0
          ? 'The probe is off (FAIRWAY_CIP_PROBE_S).'
          : no('A supported corridor was not observed lately, though the probe is on.'),
    }),
    item(
      'telemetry_quality_gate',
      nothing,
      looked !== null && gateFault(corpus, nowMs) === null,
      {
        yes: `The corpus has ${corpus.days} complete days, of ${gateDays} that are needed, and is up to date.`,
        no: no(`Not passed: ${gateFault(corpus, nowMs) ?? ''}.`),
      },
      'planned',
    ),
  ]
}

/** Every signal has a feed, and this instance has read each of them without a fault. */
function feedsItem(live: LiveSource): Item {
  const states = live.states()
  const failing = states.filter(
    ({ lastFault, lastReadAtMs, breaker }) =>
      lastFault !== null || lastReadAtMs === null || breaker !== 'closed',
  )
  const told = failing.map(({ signal, lastFault, lastReadAtMs, breaker }) => {
    const state = breaker === 'closed' ? '' : `, breaker ${breaker === 'open' ? 'open' : 'half open'}`
    const fault = lastFault ?? (lastReadAtMs === null ? 'not read yet' : 'no fault since')
    return `${signal} (${fault}${state})`
  })
  const count = `${states.length} of ${signalNames.length} signals have a live feed`
  const isComplete = states.length === signalNames.length
  return item('live_feeds', production, isComplete && failing.length === 0, {
    yes: `${count}, and the last read of each went well.`,
    no: `${count}${isComplete ? '' : ' (FAIRWAY_LIVE_FEEDS)'}${failing.length === 0 ? '.' : `; not well: ${told.join(', ')}.`}`,
  })
}

/** A probe may be late without anything being wrong. */
const probeGraceMs = 10_000
