/** Observes the declared corridors and partners by the feeds that need no payment, and follows their status. */

import { calendarAt } from '../../core/live/calendar.ts'
import { feedsAdapter } from '../../core/live/cip.ts'
import {
  firstStatus,
  nextStatus,
  type LiveStatus,
  type StatusState,
} from '../../core/live/corridor-status.ts'
import { riskThousandthsOf } from '../../core/live/live-reading.ts'
import { isImpaired, probedComposite, type ProbedRisks } from '../../core/live/probed.ts'
import type { LiveCorridor, World } from '../../core/live/world.ts'
import type { Corridor } from '../../core/reference/corridor.ts'
import { signalNames } from '../../core/decision/signals.ts'
import type {
  CipStore,
  CorridorStatus,
  Observation,
  PartnerObservation,
  ProbeFindings,
} from '../ports/cip.ts'
import type { FeedSet, LiveFeeds, ProbedRoute } from '../ports/feeds.ts'
import type { Act } from '../ports/records.ts'
import type { Clock } from '../ports/system.ts'
import type { DescribeAct } from '../operate/acts.ts'

export interface ObserveDeps {
  readonly feeds: LiveFeeds
  readonly cip: Pick<CipStore, 'statuses'>
  readonly clock: Clock
  readonly describe: DescribeAct
}

/** The observations of one corridor in one turn. */
interface Seen {
  readonly corridor: LiveCorridor
  readonly observation: Observation | null
  readonly partners: readonly (PartnerObservation & { readonly status: LiveStatus })[]
}

/** So many corridors are read at once: a world may have thousands of feeds, and payments come first. */
const corridorsAtOnce = 4

export function createObserveFeeds(deps: ObserveDeps) {
  const { feeds, cip, clock } = deps
  async function observe(set: FeedSet, corridor: LiveCorridor): Promise<Seen> {
    const startedMs = clock.monotonicMs()
    return seenOf(corridor, await set.probe(corridor.corridor), clock, startedMs)
  }

  return async function* (stop: AbortSignal): AsyncGenerator<ProbeFindings> {
    const stored = await cip.statuses(null)
    const names = [...feeds.current().world.corridors.keys()]
    for (let from = 0; from < names.length && !stop.aborted; from += corridorsAtOnce) {
      // The feeds of before are closed a while after a reload.
      const set = feeds.current()
      const group = names
        .slice(from, from + corridorsAtOnce)
        .flatMap((name) => set.world.corridors.get(name) ?? [])
      const seen = await Promise.all(group.map((corridor) => observe(set, corridor)))
      yield {
        observations: seen.flatMap(({ observation }) => observation ?? []),
        partners: seen.flatMap(({ partners }) => partners),
        ...changes(seen, stored, deps),
        gone: [],
      }
    }
    const { world } = feeds.current()
    const gone = stored.filter(({ corridor, partner }) => !isDeclared(world, corridor, partner))
    if (gone.length > 0) yield { observations: [], partners: [], statuses: [], acts: [], gone }
  }
}

function isDeclared({ corridors }: World, corridor: Corridor, partner: string | null): boolean {
  const declared = corridors.get(corridor)
  if (declared === undefined) return false
  return partner === null || declared.partners.some(({ id }) => id === partner)
}

function seenOf(
  corridor: LiveCorridor,
  routes: readonly ProbedRoute[],
  clock: Clock,
  startedMs: number,
): Seen {
  const observedAtMs = clock.nowMs()
  const read = routes
    .map(({ partner, results }) => ({ partner, risks: risksOf(results) }))
    // Without a feed that needs no payment nothing is observed.
    .filter(({ risks }) => Object.keys(risks).length > 0)
    .map((route) => ({ ...route, composite: probedComposite(route.risks) }))
  const best = read.toSorted((left, right) => (right.composite ?? -1) - (left.composite ?? -1))[0]
  const composite = best?.composite ?? null
  return {
    corridor,
    // A corridor is as good as its best partner; if none can be read, there is no observation of it.
    observation:
      best === undefined || composite === null
        ? null
        : {
            corridor: corridor.corridor,
            observedAtMs,
            adapter: feedsAdapter,
            healthThousandths: signalNames.map((signal) => best.risks[signal] ?? null),
            composite,
            durationUs: Math.round((clock.monotonicMs() - startedMs) * 1000),
          },
    partners: read.map((route) => ({
      corridor: corridor.corridor,
      partner: route.partner?.id ?? null,
      observedAtMs,
      composite: route.composite,
      status: isImpaired(route.risks) ? 'IMPAIRED' : 'OPERATIONAL',
    })),
  }
}

function risksOf(results: ProbedRoute['results']): ProbedRisks {
  return Object.fromEntries(
    signalNames.flatMap((signal) => {
      const result = results[signal]
      if (result === undefined) return []
      return [[signal, result.kind === 'read' ? riskThousandthsOf(signal, result.scaled) : null]]
    }),
  )
}

/** The status of each corridor and partner, with an act for each change that is announced. */
function changes(seen: readonly Seen[], stored: readonly CorridorStatus[], { clock, describe }: ObserveDeps) {
  const nowMs = clock.nowMs()
  const keyOf = (corridor: string, partner: string | null): string => `${corridor} ${partner ?? ''}`
  const known = new Map(stored.map((one) => [keyOf(one.corridor, one.partner), one]))
  const statuses: CorridorStatus[] = []
  const acts: Act[] = []
  for (const { corridor, partners } of seen) {
    const name = corridor.corridor
    const named = partners.filter(({ partner }) => partner !== null)
    const own = known.get(keyOf(name, null)) ?? firstStatus(nowMs)
    for (const { partner, status } of [
      ...named,
      { partner: null, status: corridorStatus(corridor, partners, own, nowMs) },
    ]) {
      const before = known.get(keyOf(name, partner)) ?? firstStatus(nowMs)
      const after = nextStatus(before, status, nowMs)
      if (!isSame(before, after)) statuses.push({ corridor: name, partner, ...after })
      if (after.status !== before.status) {
        const detail = { partner, status: after.status, previous_status: before.status }
        acts.push(describe({ kind: 'corridor.status_changed', subject: name, detail }))
      }
    }
  }
  return { statuses, acts }
}

const isSame = (left: StatusState, right: StatusState): boolean =>
  left.status === right.status && left.candidate === right.candidate && left.seen === right.seen

/** Closed by its calendar; impaired if every partner is. An expired calendar says nothing: a closed one stays closed. */
function corridorStatus(
  { calendar }: LiveCorridor,
  partners: Seen['partners'],
  { status: before }: StatusState,
  nowMs: number,
): LiveStatus {
  const state = calendar === null ? null : calendarAt(calendar, nowMs)
  const isClosed = state === null ? calendar !== null && before === 'CLOSED' : state.open === null
  if (isClosed) return 'CLOSED'
  const isDown = partners.length > 0 && partners.every(({ status }) => status === 'IMPAIRED')
  return isDown ? 'IMPAIRED' : 'OPERATIONAL'
}
