/**
 * Compiles the expressions of rules, which are CEL. An expression sees the facts of one payment, and nothing else. It has
 * no loop but over the seven signals, so its steps can be counted here. No clock is involved: a payment is decided in the
 * same way on every machine.
 */

import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { CalendarFacts, RiskFacts, SignalFacts, type Facts } from '../../core/decision/facts.ts'
import { signalNames, type SignalName } from '../../core/decision/signals.ts'
import type { Rule } from '../../core/decision/tightening.ts'

const variables: Readonly<Record<string, string>> = {
  amount: 'double',
  currency: 'string',
  corridor: 'string',
  origin: 'string',
  destination: 'string',
  mode: 'string',
  score: 'double',
  confidence: 'double',
  volatility: 'double',
  flagged: 'list<string>',
  partner: 'string',
  hour: 'int',
  weekday: 'int',
}

const signalTypes: Readonly<Record<SignalName, string>> = {
  fraud_flags: 'int',
  network_healthy: 'bool',
  balance_sufficient: 'bool',
  fx_volatility: 'string',
  operation_valid: 'bool',
  historical_failure_rate: 'double',
  cop_overridden: 'bool',
}

const riskTypes = Object.fromEntries(Object.keys(signalTypes).map((signal) => [signal, 'double']))

/** Variables with members, and the types of these. */
const objects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  signals: signalTypes,
  risk: riskTypes,
  calendar: { open: 'bool' },
}

const constructors = { signals: SignalFacts, risk: RiskFacts, calendar: CalendarFacts }

const environment = new Environment({
  limits: { maxAstNodes: 1_000, maxDepth: 50, maxListElements: 500, maxMapEntries: 0, maxCallArguments: 2 },
})
for (const [name, ctor] of Object.entries(constructors)) {
  environment.registerType(ctor.name, { ctor, fields: { ...objects[name] } })
  environment.registerVariable(name, ctor.name)
}
for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type)

interface ExpressionFault {
  readonly message: string
  readonly position: number
}

interface Expression {
  readonly evaluate: Rule['when']
  /** The most steps of an evaluation. */
  readonly steps: number
}

export function compileExpression(text: string): Expression | ExpressionFault {
  try {
    const parsed = environment.parse(text)
    const bounds = new Bounds()
    bounds.walk(parsed.ast, null)
    const { valid, type, error } = parsed.check()
    if (!valid) return faultOf(error)
    if (type !== 'bool') return { message: `must be true or false, and is ${type}`, position: 1 }
    forgetText(parsed.ast)
    return { evaluate: withoutTraces(parsed as (facts: Facts) => unknown), steps: bounds.steps }
  } catch (error) {
    return error instanceof NotAllowed ? error.fault : faultOf(error)
  }
}

/** An error fires the rule, and nobody reads its trace, which takes most of its time. */
function withoutTraces(evaluate: (facts: Facts) => unknown): Rule['when'] {
  return (facts) => {
    const before = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      return evaluate(facts)
    } finally {
      Error.stackTraceLimit = before
    }
  }
}

/** An error quotes the text of its node, character by character. At runtime nobody reads that, either. */
function forgetText(root: ASTNode): void {
  const seen = new Set<unknown>()
  const pending: unknown[] = [root]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    if ('input' in part) Object.defineProperty(part, 'input', { value: '' })
    if ('op' in part && 'args' in part) pending.push(part.args)
    else pending.push(...Object.values(part))
    // A macro is evaluated in the form that the library has expanded it to.
    if ('meta' in part) pending.push((part.meta as { readonly alternate?: unknown }).alternate ?? null)
  }
}

interface LibraryError {
  readonly summary?: string
  readonly message?: string
  readonly range?: { readonly start: number }
}

function faultOf(error: unknown): ExpressionFault {
  const { summary, message, range } = (error ?? {}) as LibraryError
  const text = summary ?? message ?? 'it cannot be read'
  const position = (range?.start ?? 0) + 1
  return { message: `is not valid: ${text.charAt(0).toLowerCase()}${text.slice(1)}`, position }
}

class NotAllowed extends Error {
  readonly fault: ExpressionFault

  constructor(node: ASTNode, message: string) {
    super(message)
    this.fault = { message, position: node.start + 1 }
  }
}

const operators: ReadonlySet<string> = new Set([
  '&&',
  '||',
  '!_',
  '?:',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  '+',
  '-',
  '*',
  '%',
  '-_',
  'list',
])
/** Functions that take a time which the length of the expression bounds. Regular expressions do not. */
const functions: ReadonlySet<string> = new Set(['size', 'startsWith', 'endsWith', 'contains'])
/** Macros that return a truth value. They walk a list, and only `flagged` is known to be short. */
const macros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one'])
const roots: ReadonlySet<string> = new Set([...Object.keys(variables), ...Object.keys(objects)])

/** Refuses whatever is not on the list, and counts the steps of an evaluation. */
class Bounds {
  steps = 0

  /** `variable` is that of the macro around the node. */
  walk(node: ASTNode, variable: string | null): void {
    this.steps += variable === null ? 1 : signalNames.length
    const refuse = (message: string): never => {
      throw new NotAllowed(node, message)
    }
    if (node.op === 'value') {
      if (!['string', 'number', 'bigint', 'boolean'].includes(typeof node.args))
        refuse('has a value of a kind that is not supported; use numbers, texts, true and false')
    } else if (node.op === 'id') {
      if (!roots.has(node.args) && node.args !== variable)
        refuse(`has the unknown variable ${node.args}; the variables are ${[...roots].join(', ')}`)
    } else if (node.op === '.') this.walk(node.args[0], variable)
    else if (node.op === '/') this.#walkQuotient(node.args, variable, refuse)
    else if (node.op === 'call') {
      if (!functions.has(node.args[0])) refuse(`has the function ${node.args[0]}, which is not supported`)
      for (const child of node.args[1]) this.walk(child, variable)
    } else if (node.op === 'rcall') this.#walkCall(node.args, variable, refuse)
    else if (operators.has(node.op)) for (const child of childrenOf(node)) this.walk(child, variable)
    else refuse(`has the operator ${node.op}, which is not supported`)
  }

  /** 0.0 / 0.0 is not an error but no number, and compares as false: the rule would not fire. */
  #walkQuotient(
    [left, right]: [ASTNode, ASTNode],
    variable: string | null,
    refuse: (message: string) => never,
  ): void {
    if (right.op !== 'value' || Number(right.args) === 0) refuse('can divide only by a number other than 0')
    this.walk(left, variable)
    this.walk(right, variable)
  }

  #walkCall(
    [name, receiver, args]: [string, ASTNode, ASTNode[]],
    variable: string | null,
    refuse: (message: string) => never,
  ): void {
    this.walk(receiver, variable)
    if (!macros.has(name)) {
      if (!functions.has(name)) refuse(`has the function ${name}, which is not supported`)
      for (const child of args) this.walk(child, variable)
      return
    }
    if (variable !== null) refuse(`has ${name} inside another macro: its time would have no bound`)
    if (receiver.op !== 'id' || receiver.args !== 'flagged')
      refuse(`can use ${name} only on flagged: its time would have no bound`)
    const [own, body] = args
    if (own?.op !== 'id' || body === undefined) refuse(`must give ${name} a name and a condition`)
    else if (roots.has(own.args)) refuse(`uses the name ${own.args} for another variable`)
    else this.walk(body, own.args)
  }
}

function childrenOf({ args }: ASTNode): ASTNode[] {
  return [args]
    .flat(2)
    .filter((part): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part)
}

const meanings: Readonly<Record<string, string>> = {
  amount: 'In units of the currency. A rule that needs a missing amount fires.',
  currency: 'The currency of the payment, like "GBP".',
  corridor: 'Like "GB-NG".',
  origin: 'The country that it starts in, like "GB".',
  destination: 'The country that it ends in, like "NG".',
  mode: '"shadow" or "live".',
  score: 'From 0 to 1, in steps of 0.01.',
  confidence: 'From 0 to 1.',
  volatility: 'Of the recent scores of the corridor.',
  flagged: 'The names of the flagged signals.',
  partner: 'The partner that the payment would go through.',
  hour: '0 to 23, UTC.',
  weekday: '0 (Sunday) to 6, UTC.',
}

const memberMeanings: Readonly<Record<string, string>> = {
  signals: 'As in the answer.',
  risk: 'The risk value, from 0 (worst) to 1 (clear).',
  calendar: 'Whether the settlement window is open. A rule fires without a calendar.',
}

/** All variables with their types, as an editor shows them. */
export const describedVariables: readonly { name: string; type: string; description: string }[] = [
  ...Object.entries(variables).map(([name, type]) => ({ name, type, description: meanings[name] ?? '' })),
  ...Object.entries(objects).flatMap(([name, members]) =>
    Object.entries(members).map(([member, type]) => ({
      name: `${name}.${member}`,
      type,
      description: memberMeanings[name] ?? '',
    })),
  ),
]
export const functionNames: readonly string[] = [...functions]
export const macroNames: readonly string[] = [...macros]
