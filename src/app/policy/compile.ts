/** Compiles the document of a policy: its expressions become functions for the core, which knows no language. */

import { hash } from 'node:crypto'
import type { PaymentPolicy, Rule } from '../../core/decision/tightening.ts'
import { degradedFloorHundredths, goFloorHundredths } from '../../core/decision/score.ts'
import { signalNames } from '../../core/decision/signals.ts'
import {
  documentLimits,
  readDocument,
  requireAmountId,
  type DocumentFault,
  type PolicyDocument,
} from '../../core/policy/document.ts'
import { canonicalJson } from '../../core/reference/canonical-json.ts'
import type { Currency } from '../../core/reference/currency.ts'
import { isObject } from '../../core/reference/json.ts'
import { compileExpression } from './expression.ts'

/** Ready to decide, with the document that it was made of. */
export interface CompiledPolicy extends PaymentPolicy {
  readonly document: PolicyDocument
  /** Of the canonical JSON of the document, in hex. */
  readonly sha256: string
}

export type Compiled =
  | {
      readonly kind: 'compiled'
      readonly document: PolicyDocument
      readonly as: (policyId: string) => CompiledPolicy
    }
  | { readonly kind: 'faulty'; readonly faults: readonly DocumentFault[] }

export const hashOfDocument = (document: PolicyDocument): string =>
  hash('sha256', canonicalJson(document), 'hex')

export function compilePolicy(value: unknown): Compiled {
  const read = readDocument(value)
  if (read.kind === 'faulty')
    return { kind: 'faulty', faults: [...read.faults, ...expressionFaults(value, read.faults)] }
  const { document } = read
  const rules: Rule[] = []
  const faults: DocumentFault[] = []
  let steps = 0
  document.rules?.forEach(({ id, when, then, message }, index) => {
    // A policy that is too long already need not be read to its end.
    if (steps > stepsMax) return
    const expression = compileExpression(when)
    if ('evaluate' in expression) {
      rules.push({ id, when: expression.evaluate, then, message })
      steps += expression.steps
    } else faults.push({ path: `/rules/${index}/when`, ...expression })
  })
  if (steps > stepsMax) faults.push({ path: '/rules', message: tooLong })
  if (faults.length > 0) return { kind: 'faulty', faults }
  const all = document.require_amount === true ? [requireAmount, ...rules] : rules
  const caps = Object.entries(document.caps ?? {}).map(
    ([currency, { review_above: reviewAbove, block_above: blockAbove }]) =>
      [currency as Currency, { reviewAbove, blockAbove }] as const,
  )
  const sha256 = hashOfDocument(document)
  const policy = {
    name: document.name,
    document,
    sha256,
    caps: new Map(caps),
    goFloor: hundredths(document.go_floor, goFloorHundredths),
    degradedFloor: hundredths(document.no_go_below, degradedFloorHundredths),
    rules: all,
  }
  return { kind: 'compiled', document, as: (policyId) => ({ policyId, ...policy }) }
}

/** The characters of expressions that are read in search of further faults. */
const readMax = 20_000

/** Those of a document that has other faults, too: whoever mends it sees all of them at once. */
function expressionFaults(value: unknown, known: readonly DocumentFault[]): DocumentFault[] {
  const rules: readonly unknown[] = isObject(value) && Array.isArray(value['rules']) ? value['rules'] : []
  if (rules.length > documentLimits.rulesMax) return []
  let read = 0
  return rules.flatMap((rule, index) => {
    const path = `/rules/${index}/when`
    const when = isObject(rule) ? rule['when'] : null
    if (typeof when !== 'string' || known.some((fault) => fault.path === path)) return []
    read += when.length
    if (read > readMax) return []
    const expression = compileExpression(when)
    return 'evaluate' in expression ? [] : [{ path, ...expression }]
  })
}

/** Of all rules together. A step that fails takes some microseconds, and a decision evaluates them for each partner. */
const stepsMax = 2_000
const tooLong = `must take at most ${stepsMax} steps together: a step is a name, value or operator; inside a macro it counts ${signalNames.length} times`

const hundredths = (score: number | undefined, otherwise: number): number =>
  score === undefined ? otherwise : Math.round(score * 100)

const requireAmount: Rule = {
  id: requireAmountId,
  when: ({ amount }) => amount === null,
  then: 'DEGRADED',
  message: 'The policy asks for an amount, and the payment has none.',
}
