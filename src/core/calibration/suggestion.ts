/**
 * Suggests a tightening from how payments ended. A `GO` says that at most 20 in 100 such payments fail, a `DEGRADED` at most
 * 52: 1 − the floor of the band. A change is suggested if the payments that it would stop fail more often than that even at
 * the lower end of their interval, and only the mildest such change of each kind: the lowest floor, the highest cap, and
 * `DEGRADED` for a signal. All is added to the policy in force, so nothing is loosened.
 */

import { standardCap } from '../decision/policy.ts'
import { degradedFloorHundredths, goFloorHundredths, type Verdict } from '../decision/score.ts'
import { signalNames, titleOf } from '../decision/signals.ts'
import { counted, moneyText } from '../explain/wording.ts'
import type { Mode } from '../identity/api-key.ts'
import { documentLimits, type PolicyDocument, type RuleDocument } from '../policy/document.ts'
import { amountSteps, type CountedCell } from './cells.ts'
import { countOf, sumOf } from './figures.ts'
import { rateOf, recordsMin, type Counts } from './rate.ts'

/** The records that the figures are of: a suggestion is about these only. */
export interface Scope {
  readonly mode: Mode | null
  readonly corridor: string | null
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

export function suggest(
  cells: readonly CountedCell[],
  scope: Scope,
  active: PolicyDocument | null,
): Suggestion {
  const changes = [
    ...floorChanges(cells, scope, active),
    ...(isWhole(scope) ? capChanges(cells, active) : []),
    ...ruleChanges(cells, scope, active),
  ]
  if (changes.length === 0) return { document: null, reason: whyNothing(cells) }
  const base: PolicyDocument = active ?? { name: nameIn(scope) }
  const document = changes.reduce((so, { apply }) => apply(so), base)
  if ((document.rules?.length ?? 0) > documentLimits.rulesMax) {
    const reason = `The policy in force has no room for another rule: it has at most ${documentLimits.rulesMax}.`
    return { document: null, reason }
  }
  return { document, reason: changes.map(sentenceOf).join(' ') }
}

const isWhole = ({ mode, corridor }: Scope): boolean => mode === null && corridor === null

function nameIn({ mode, corridor }: Scope): string {
  const parts = [corridor, mode].filter((part) => part !== null)
  return `Suggested by calibration${parts.length === 0 ? '' : ` of ${parts.join(', ')}`}`
}

/** The failures that a verdict allows for, of 100 payments. */
const allowed = { GO: 100 - goFloorHundredths, DEGRADED: 100 - degradedFloorHundredths }

function isSupported(stopped: Readonly<Counts>, verdict: keyof typeof allowed): boolean {
  const { low } = rateOf(stopped)
  return low !== null && low > allowed[verdict] / 100
}

function whyNothing(cells: readonly CountedCell[]): string {
  const { records } = sumOf(cells.filter(({ subject }) => subject === 'GO'))
  if (records < recordsMin)
    return `${counted(records, 'GO payment')} with a final outcome: at least ${recordsMin} are needed.`
  return `No change is supported: no group of at least ${recordsMin} GO payments fails more often than ${allowed.GO} in 100 at the lower end of its interval.`
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

const hasRule = (active: PolicyDocument | null, id: string): boolean =>
  active?.rules?.some((rule) => rule.id === id) ?? false

// Floors

interface Floor {
  readonly member: 'go_floor' | 'no_go_below'
  /** The verdict of the payments that it would stop, and the one that they would get. */
  readonly from: keyof typeof allowed
  readonly then: Exclude<Verdict, 'GO'>
  readonly hundredths: number
  readonly last: number
}

const floors: readonly Floor[] = [
  { member: 'go_floor', from: 'GO', then: 'DEGRADED', hundredths: goFloorHundredths, last: 100 },
  {
    member: 'no_go_below',
    from: 'DEGRADED',
    then: 'NO-GO',
    hundredths: degradedFloorHundredths,
    last: goFloorHundredths,
  },
]

function floorChanges(cells: readonly CountedCell[], scope: Scope, active: PolicyDocument | null): Change[] {
  return floors.flatMap((floor) => {
    const { member, from, then, hundredths, last } = floor
    const present = Math.round((active?.[member] ?? hundredths / 100) * 100)
    for (let next = present + 1; next <= last; next += 1) {
      const below = ({ subject, place }: CountedCell): boolean =>
        subject === from && place >= present && place < next
      const stopped = sumOf(cells.filter(below))
      if (!isSupported(stopped, from)) continue
      const score = (next / 100).toFixed(2)
      const text = `${then} below a score of ${score}`
      if (isWhole(scope))
        return [{ text, stopped, apply: (document) => ({ ...document, [member]: next / 100 }) }]
      const id = idIn(scope, member)
      if (hasRule(active, id)) return []
      const when = `${conditionOf(scope)}score < ${score}`
      const message = `Payments with a score below ${score} fail too often.`
      return [withRule({ id, when, then, message }, text, stopped)]
    }
    return []
  })
}

// Caps

function capChanges(cells: readonly CountedCell[], active: PolicyDocument | null): Change[] {
  const currencies = new Set(
    cells.flatMap(({ subject }) => (subject.startsWith('amount ') ? [subject.slice('amount '.length)] : [])),
  )
  return [...currencies].toSorted().flatMap((currency) => {
    const present = active?.caps?.[currency]
    // Payments above the present cap are stopped already.
    const steps = amountSteps.filter((step) => step < (present?.review_above ?? standardCap.reviewAbove))
    for (const step of steps.toReversed()) {
      const above = ({ subject, place }: CountedCell): boolean =>
        subject === `amount ${currency}` && place > amountSteps.indexOf(step) && place <= steps.length
      const stopped = sumOf(cells.filter(above))
      if (!isSupported(stopped, 'GO')) continue
      const cap = { review_above: step, block_above: present?.block_above ?? standardCap.blockAbove }
      return [
        {
          text: `DEGRADED above ${moneyText(step, currency)}`,
          stopped,
          apply: (document) => ({ ...document, caps: { ...document.caps, [currency]: cap } }),
        },
      ]
    }
    return []
  })
}

// Rules

function ruleChanges(cells: readonly CountedCell[], scope: Scope, active: PolicyDocument | null): Change[] {
  return signalNames.flatMap((signal, place) => {
    const stopped = countOf(cells, 'flagged GO', place)
    const id = idIn(scope, signal)
    if (!isSupported(stopped, 'GO') || hasRule(active, id)) return []
    const title = titleOf[signal]
    const message = `Payments with a flagged ${title} fail too often: a person decides.`
    const when = `${conditionOf(scope)}"${signal}" in flagged`
    return [withRule({ id, when, then: 'DEGRADED', message }, `DEGRADED with a flagged ${title}`, stopped)]
  })
}
