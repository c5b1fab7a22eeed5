/** Reads the declared corridors, partners, ranking and calendars of the feeds file. */

import { calendarFaults, type SettlementCalendar } from '../../core/live/calendar.ts'
import { feeDecimalsMax, isFeeNumber } from '../../core/live/fee.ts'
import {
  contractWorld,
  undeclaredCorridor,
  type LiveCorridor,
  type LivePartner,
  type World,
} from '../../core/live/world.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import { corridorCurrencies, parseCorridor, type Corridor } from '../../core/reference/corridor.ts'
import { parseCurrency, type Currency } from '../../core/reference/currency.ts'
import { isObject } from '../../core/reference/json.ts'
import type { FeedPlace } from '../../app/ports/feeds.ts'
import type { DeclaredFeed, RawFeed } from './feed-spec.ts'
import type { Report, Step } from './form.ts'
import type { CalendarSpec, CorridorSpec, FeeSpec, PartnerSpec } from './schema.ts'

/** The members of the file. Feeds are checked one by one, so their form is open here. */
export interface FileForm {
  readonly deadline_ms?: number
  readonly recommended_partner?: Readonly<Record<string, string>>
  readonly signals?: unknown
  readonly corridors?: Readonly<Record<string, CorridorSpec>>
  readonly partners?: Readonly<Record<string, PartnerSpec>>
  readonly ranking?: { readonly cost_tolerance?: number }
  readonly calendars?: Readonly<Record<string, CalendarSpec>>
}

/** Every declared feed: of the file, of corridors, of partners. */
export function rawFeeds(form: FileForm): RawFeed[] {
  const members = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])
  const at = (holder: unknown, path: readonly Step[], place: FeedPlace): RawFeed[] => {
    const signals: unknown = isObject(holder) ? holder['signals'] : undefined
    return signalNames.flatMap((signal) => {
      const raw = isObject(signals) ? signals[signal] : undefined
      return isObject(raw) ? [{ signal, place, path: [...path, 'signals', signal], raw }] : []
    })
  }
  return [
    ...at(form, [], { corridor: null, partner: null }),
    ...members(form.corridors).flatMap(([name, one]) =>
      at(one, ['corridors', name], { corridor: name as Corridor, partner: null }),
    ),
    ...members(form.partners).flatMap(([id, one]) =>
      at(one, ['partners', id], { corridor: null, partner: id }),
    ),
  ]
}

/** Requires members of the right types. Those that are missing because they had a wrong one are reported already. */
export function readWorld(form: FileForm, report: Report): World {
  const calendars = new Map(
    Object.entries(form.calendars ?? {}).map(([name, spec]) => [
      name,
      isComplete(spec) ? readCalendar(spec, name, report) : null,
    ]),
  )
  const parts = { form, calendars, report }
  checkPartners(parts)
  const recommended = form.recommended_partner ?? {}
  const { corridors: undeclared } = contractWorld(recommended)
  const declared = Object.entries(form.corridors ?? {}).map(
    ([name, spec]) => [name as Corridor, readCorridor(name, spec, parts)] as const,
  )
  const corridors = form.corridors === undefined ? undeclared : new Map(declared)
  for (const name of Object.keys(recommended)) {
    const corridor = corridors.get(name as Corridor)
    const path = ['recommended_partner', name]
    if (corridor === undefined) report(path, 'is not a supported corridor of this file')
    else if (corridor.partners.length > 0)
      report(path, 'has declared partners, so the best of them is recommended')
  }
  return { corridors, toleranceHundredths: readTolerance(form, report) }
}

/** A member that the file has itself: `constructor` is not one. */
function memberOf<Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined
}

interface Parts {
  readonly form: FileForm
  readonly calendars: ReadonlyMap<string, SettlementCalendar | null>
  readonly report: Report
}

function readTolerance({ ranking }: FileForm, report: Report): number {
  const tolerance = ranking?.cost_tolerance ?? 0
  const hundredths = Math.round(tolerance * 100)
  if (hundredths / 100 !== tolerance)
    report(['ranking', 'cost_tolerance'], 'must have at most two decimals, like a score')
  return hundredths
}

function readCorridor(name: string, spec: CorridorSpec, { form, calendars, report }: Parts): LiveCorridor {
  const path = ['corridors', name]
  const parsed = parseCorridor(name)
  if (parsed !== name) report(path, `must be a corridor like ${parsed ?? 'GB-KE'}`)
  const standard = undeclaredCorridor(name as Corridor, memberOf(form.recommended_partner, name) ?? null)
  const settlementCurrency =
    spec.settlement_currency === undefined
      ? standard.settlementCurrency
      : currencyAt(spec.settlement_currency, [...path, 'settlement_currency'], report)
  const currencies = spec.currencies?.map((code, place) =>
    currencyAt(code, [...path, 'currencies', place], report),
  )
  reportRepeated(spec.currencies ?? [], [...path, 'currencies'], report)
  reportRepeated(spec.partners ?? [], [...path, 'partners'], report)
  const calendar = spec.calendar === undefined ? null : (calendars.get(spec.calendar) ?? null)
  if (spec.calendar !== undefined && !calendars.has(spec.calendar))
    report([...path, 'calendar'], 'is not a declared calendar')
  const partners = (spec.partners ?? []).toSorted().flatMap((id) => {
    const declared = memberOf(form.partners, id)
    return declared === undefined ? [] : [partnerOn(name, id, declared)]
  })
  for (const [place, id] of (spec.partners ?? []).entries()) {
    if (memberOf(form.partners, id) === undefined)
      report([...path, 'partners', place], 'is not a declared partner')
  }
  return {
    ...standard,
    settlementCurrency,
    currencies: currencies ?? standard.currencies,
    partners,
    calendar,
  }
}

function partnerOn(corridor: string, id: string, spec: PartnerSpec): LivePartner {
  const fee = memberOf(spec.fees, corridor)
  return {
    id,
    name: spec.name ?? id,
    fee: fee === undefined ? null : feeRule(fee),
    amountMax: memberOf(spec.amount_max, corridor) ?? null,
  }
}

const feeRule = ({ fixed = 0, percent = 0, currency }: FeeSpec) => ({
  fixed,
  percent,
  currency: currency as Currency,
})

/** Ids are part of URLs, answers and records. */
const partnerId = /^[A-Za-z][\w.-]{0,63}$/

function checkPartners({ form, report }: Parts): void {
  const isDeclared = (corridor: string): boolean => memberOf(form.corridors, corridor) !== undefined
  for (const [id, spec] of Object.entries(form.partners ?? {})) {
    const path = ['partners', id]
    if (!partnerId.test(id)) report(path, 'must be an id of letters, digits, dots, hyphens and underscores')
    for (const [corridor, fee] of Object.entries(spec.fees ?? {})) {
      const at = [...path, 'fees', corridor]
      if (!isDeclared(corridor)) report(at, 'is not a declared corridor')
      // A fee whose currency has a wrong type is reported already.
      if (isPresent(fee.currency)) currencyAt(fee.currency, [...at, 'currency'], report)
      for (const name of ['fixed', 'percent'] as const) {
        if (!isFeeNumber(fee[name] ?? 0))
          report([...at, name], `must have at most ${feeDecimalsMax} decimals`)
      }
    }
    for (const corridor of Object.keys(spec.amount_max ?? {})) {
      if (!isDeclared(corridor)) report([...path, 'amount_max', corridor], 'is not a declared corridor')
    }
  }
}

const isPresent = (value: unknown): boolean => value !== undefined

const isComplete = (spec: Partial<CalendarSpec>): spec is CalendarSpec =>
  spec.time_zone !== undefined && spec.weekdays !== undefined && spec.windows !== undefined

function readCalendar(spec: CalendarSpec, name: string, report: Report): SettlementCalendar {
  const path = ['calendars', name]
  const calendar: SettlementCalendar = {
    timeZone: spec.time_zone,
    weekdays: spec.weekdays,
    windows: spec.windows.map(({ opens, cut_off: cutOff }) => ({ opens, cutOff })),
    holidays: spec.holidays ?? [],
    validThrough: spec.valid_through ?? null,
    source: spec.source ?? null,
  }
  for (const { member, place, message } of calendarFaults(calendar))
    report([...path, wireMember[member], ...(place === null ? [] : [place])], message)
  return calendar
}

const wireMember = {
  timeZone: 'time_zone',
  weekdays: 'weekdays',
  windows: 'windows',
  holidays: 'holidays',
  validThrough: 'valid_through',
} as const

function currencyAt(code: string, path: readonly Step[], report: Report): Currency {
  const currency = parseCurrency(code)
  if (currency === null) report(path, 'must be an ISO 4217 code, like GBP')
  return currency ?? (code as Currency)
}

function reportRepeated(names: readonly string[], path: readonly Step[], report: Report): void {
  for (const [place, name] of names.entries()) {
    if (names.indexOf(name) < place) report([...path, place], 'is repeated')
  }
}

/** A URL with {partner} cannot be read for a corridor without partners. */
export function checkPartnerPlaceholders(world: World, feeds: readonly DeclaredFeed[], report: Report): void {
  const alone = [...world.corridors.values()].filter(({ partners }) => partners.length === 0)
  const hasOwn = (corridor: Corridor, signal: SignalName): boolean =>
    feeds.some((feed) => feed.signal === signal && feed.place.corridor === corridor)
  for (const { signal, place, template } of feeds) {
    if (place.partner !== null || template?.names.includes('partner') !== true) continue
    const without = alone.find(({ corridor }) =>
      place.corridor === null ? !hasOwn(corridor, signal) : corridor === place.corridor,
    )
    if (without === undefined) continue
    const path: Step[] = place.corridor === null ? [] : ['corridors', place.corridor]
    report([...path, 'signals', signal, 'url'], `has {partner}, but ${without.corridor} has no partners`)
  }
}

/** A currency has no volatility in itself, and an unknown one has no rate. */
export function checkFxPairs(world: World, feeds: readonly DeclaredFeed[], report: Report): void {
  const byKey = new Map(feeds.map((feed) => [feedKey(feed.signal, feed.place), feed]))
  for (const { corridor, settlementCurrency, partners } of world.corridors.values()) {
    const [origin] = corridorCurrencies(corridor)
    if (origin !== null && settlementCurrency !== null && origin !== settlementCurrency) continue
    for (const partner of partners.length === 0 ? [null] : partners) {
      const feed = resolveFeed(byKey, 'fx_volatility', corridor, partner?.id ?? null)
      if (feed?.spec.source !== 'fx-series' || feed.spec.pair !== undefined) continue
      report(
        ['corridors', corridor],
        `has no pair of currencies for its FX series: name one, or declare fx_volatility otherwise`,
      )
      break
    }
  }
}

/** The feeds of each corridor and partner: the partner's own, else the corridor's, else the file's. */
export function resolveFeed<Feed>(
  feeds: ReadonlyMap<string, Feed>,
  signal: SignalName,
  corridor: Corridor,
  partner: string | null,
): Feed | null {
  const own = partner === null ? undefined : feeds.get(feedKey(signal, { corridor: null, partner }))
  return (
    own ??
    feeds.get(feedKey(signal, { corridor, partner: null })) ??
    feeds.get(feedKey(signal, { corridor: null, partner: null })) ??
    null
  )
}

export const feedKey = (signal: SignalName, { corridor, partner }: FeedPlace): string =>
  `${signal} ${corridor ?? ''} ${partner ?? ''}`
