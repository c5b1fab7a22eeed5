/**
 * Suggests a tightening from how payments ended. A `GO` allows for 20 failures in 100 such payments, a `DEGRADED` for 52:
 * 1 − the floor of the band. A change is supported if the payments that it would stop fail more often than that even at the
 * lower end of their interval. Of each kind only the mildest such change is suggested: the lowest floor, the highest cap,
 * and `DEGRADED` for a signal. All is added to the policy in force, so nothing is loosened.
 */

import { standardCap, type Cap } from '../decision/policy.ts'
import { degradedFloorHundredths, goFloorHundredths, type Verdict } from '../decision/score.ts'
import { signalNames, titleOf } from '../decision/signals.ts'
import { counted, moneyText } from '../explain/wording.ts'
import type { Mode } from '../identity/api-key.ts'
import { documentLimits, type PolicyDocument, type RuleDocument } from '../policy/document.ts'
import { amountSteps, type CountedCell, type Subject } from './cells.ts'
import { countOf, sumOf } from './figures.ts'
import { rateOf, recordsMin, type Counts } from './rate.ts'

/** The records that the figures are of: a suggestion is about these only. */
export interface Scope {
  readonly mode: Mode | null
  readonly corridor: string | null
}

/** The tightening that decides already. */
export interface InForce {
  /** A suggestion takes its place, so it must contain it. */
  readonly own: PolicyDocument | null
  readonly installation: PolicyDocument | null
  /** The cap of the contract and of the settings. */
  readonly capOf: (currency: string) => Cap
}

export interface Suggestion {
  readonly document: PolicyDocument | null
  /** Why this, or why nothing. */
  readonly reason: string
}

/** One supported change, and the payments that it would stop. */
interface Change {
  readonly text: string
  readonly stopped: Readonly<Counts>
  readonly apply: (document: PolicyDocument) => PolicyDocument
}

type Cells = readonly CountedCell[]

/** `isValid` says whether a document would be accepted. */
export function suggest(
  cells: Cells,
  scope: Scope,
  inForce: InForce,
  isValid: (document: PolicyDocument) => boolean,
): Suggestion {
  const rules = ruleChanges(cells, scope, inForce)
  // Rules name the cause, so floors are judged by the payments that no rule would stop.
  const go = rules.length > 0 ? 'clear GO' : 'GO'
  const caps = isWhole(scope) ? capChanges(cells, inForce) : []
  const changes = [...rules, ...floorChanges(cells, go, scope, inForce), ...caps]
  if (changes.length === 0) return { document: null, reason: whyNothing(cells) }
  let document = renamed(inForce.own, scope)
  const applied = changes.filter(({ apply }) => {
    const next = apply(document)
    const fits = isValid(next)
    if (fits) document = next
    return fits
  })
  if (applied.length === 0)
    return { document: null, reason: 'A rule is supported, but the policy in force has no room for another.' }
  return { document, reason: applied.map(sentenceOf).join(' ') }
}

const isWhole = ({ mode, corridor }: Scope): boolean => mode === null && corridor === null

const suffix = ', tightened'

function renamed(own: PolicyDocument | null, { mode, corridor }: Scope): PolicyDocument {
  if (own !== null) {
    const base = own.name.endsWith(suffix) ? own.name.slice(0, -suffix.length) : own.name
    // A cut may halve a character.
    const cut = base.slice(0, documentLimits.nameMax - suffix.length).toWellFormed()
    return { ...own, name: `${cut}${suffix}` }
  }
  const parts = [corridor, mode].filter((part) => part !== null)
  return { name: `Suggested by calibration${parts.length === 0 ? '' : ` of ${parts.join(', ')}`}` }
}

/** The failures that a verdict allows for, of 100 payments. */
const allowed = { GO: 100 - goFloorHundredths, DEGRADED: 100 - degradedFloorHundredths }

function isSupported(stopped: Readonly<Counts>, verdict: keyof typeof allowed): boolean {
  const { low } = rateOf(stopped)
  return low !== null && low > allowed[verdict] / 100
}

function whyNothing(cells: Cells): string {
  const sent = cells.filter(({ subject }) => subject === 'GO' || subject === 'DEGRADED')
  const { records } = sumOf(sent)
  if (records < recordsMin)
    return `${counted(records, 'GO or DEGRADED payment')} with a final outcome: at least ${recordsMin} are needed.`
  return `No further change is supported: no floor, cap or rule would stop a group of at least ${recordsMin} payments that fails more often than its decision allows for (${allowed.GO} in 100 of GO, ${allowed.DEGRADED} in 100 of DEGRADED), at the lower end of its interval.`
}

function sentenceOf({ text, stopped }: Change): string {
  const { low } = rateOf(stopped)
  return `${text}: ${stopped.failures} of ${counted(stopped.records, 'such payment')} failed, at least ${((low ?? 0) * 100).toFixed(1)}% at the lower end of the interval.`
}

/** With a mode or corridor chosen, a change must not act on other payments, so it is a rule with a condition. */
function conditionOf({ mode, corridor }: Scope): string {
  const parts = [
    ...(corridor === null ? [] : [`corridor == "${corridor}"`]),
    ...(mode === null ? [] : [`mode == "${mode}"`]),
  ]
  return parts.map((part) => `${part} && `).join('')
}

const idIn = ({ mode, corridor }: Scope, name: string): string =>
  ['calibration', name, corridor, mode]
    .filter((part) => part !== null)
    .join('-')
    .toLowerCase()

function withRule(rule: RuleDocument, text: string, stopped: Readonly<Counts>): Change {
  return {
    text,
    stopped,
    apply: (document) => ({ ...document, rules: [...(document.rules ?? []), rule] }),
  }
}

const rulesIn = ({ own, installation }: InForce): readonly RuleDocument[] => [
  ...(own?.rules ?? []),
  ...(installation?.rules ?? []),
]

const hasRule = (inForce: InForce, { id, when }: RuleDocument): boolean =>
  rulesIn(inForce).some((rule) => rule.id === id || rule.when === when)

// Rules

function ruleChanges(cells: Cells, scope: Scope, inForce: InForce): Change[] {
  return signalNames.flatMap((signal, place) => {
    const stopped = countOf(cells, 'flagged GO', place)
    const title = titleOf[signal]
    const rule = {
      id: idIn(scope, signal),
      when: `${conditionOf(scope)}"${signal}" in flagged`,
      then: 'DEGRADED',
      message: `Payments with a flagged ${title} fail too often: a person decides.`,
    } as const
    if (!isSupported(stopped, 'GO') || hasRule(inForce, rule)) return []
    return [withRule(rule, `DEGRADED with a flagged ${title}`, stopped)]
  })
}

// Floors

interface Floor {
  readonly member: 'go_floor' | 'no_go_below'
  /** The cells of the payments that it would stop, their verdict, and the one that they would get. */
  readonly subject: Subject
  readonly from: keyof typeof allowed
  readonly then: Exclude<Verdict, 'GO'>
  readonly hundredths: number
  readonly last: number
}

function floorChanges(cells: Cells, go: 'GO' | 'clear GO', scope: Scope, inForce: InForce): Change[] {
  const floors: Floor[] = [
    {
      member: 'go_floor',
      subject: go,
      from: 'GO',
      then: 'DEGRADED',
      hundredths: goFloorHundredths,
      last: 100,
    },
  ]
  // A rule for a mode alone would also block corridors without data, which are DEGRADED whatever their score.
  if (isWhole(scope) || scope.corridor !== null)
    floors.push({
      member: 'no_go_below',
      subject: 'DEGRADED',
      from: 'DEGRADED',
      then: 'NO-GO',
      hundredths: degradedFloorHundredths,
      last: goFloorHundredths,
    })
  return floors.flatMap((floor) => floorChange(cells, floor, scope, inForce))
}

function floorChange(cells: Cells, floor: Floor, scope: Scope, inForce: InForce): Change[] {
  const { member, subject, from, then, last } = floor
  const prefix = `${idIn(scope, member)}-`
  const present = presentFloor(floor, prefix, inForce)
  for (let next = present + 1; next <= last; next += 1) {
    const below = (cell: CountedCell): boolean =>
      cell.subject === subject && cell.place >= present && cell.place < next
    const stopped = sumOf(cells.filter(below))
    if (!isSupported(stopped, from)) continue
    const score = (next / 100).toFixed(2)
    const text = `${then} below a score of ${score}`
    if (isWhole(scope))
      return [{ text, stopped, apply: (document) => ({ ...document, [member]: next / 100 }) }]
    const when = `${conditionOf(scope)}score < ${score}`
    const message = `Payments with a score below ${score} fail too often.`
    return [withRule({ id: `${prefix}${next}`, when, then, message }, text, stopped)]
  }
  return []
}

/** In hundredths, with the rules that earlier suggestions of the same scope became. */
function presentFloor({ member, hundredths }: Floor, prefix: string, inForce: InForce): number {
  const { own, installation } = inForce
  const members = [own?.[member], installation?.[member]].map((floor) => Math.round((floor ?? 0) * 100))
  const rules = rulesIn(inForce).map(({ id }) =>
    id.startsWith(prefix) ? Number(id.slice(prefix.length)) : 0,
  )
  return Math.max(hundredths, ...members, ...rules.filter((floor) => Number.isInteger(floor)))
}

// Caps

function capChanges(cells: Cells, { own, installation, capOf }: InForce): Change[] {
  const currencies = new Set(
    cells.flatMap(({ subject }) => (subject.startsWith('amount ') ? [subject.slice('amount '.length)] : [])),
  )
  return [...currencies].toSorted().flatMap((currency) => {
    const caps = [own?.caps?.[currency], installation?.caps?.[currency]]
    const present = Math.min(capOf(currency).reviewAbove, ...caps.map((cap) => cap?.review_above ?? Infinity))
    const { block_above: blockAbove = standardCap.blockAbove } = own?.caps?.[currency] ?? {}
    for (const step of amountSteps.filter((end) => end < present).toReversed()) {
      // Payments above the present cap are stopped already, and a step that contains it may hold such payments.
      const isStopped = ({ subject, place }: CountedCell): boolean =>
        subject === `amount ${currency}` &&
        place > amountSteps.indexOf(step) &&
        (amountSteps[place] ?? Infinity) <= present
      const stopped = sumOf(cells.filter(isStopped))
      if (!isSupported(stopped, 'GO')) continue
      const cap = { review_above: step, block_above: blockAbove }
      const text = `DEGRADED above ${moneyText(step, currency)}`
      const apply = (document: PolicyDocument): PolicyDocument => ({
        ...document,
        caps: { ...document.caps, [currency]: cap },
      })
      return [{ text, stopped, apply }]
    }
    return []
  })
}
