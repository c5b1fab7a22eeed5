/** Completion of variables, functions and macros in an expression. */

import type { PolicyVariables } from '@fairway/client'

export interface Suggestion {
  readonly name: string
  readonly type: string
  readonly description: string
  /** The text in place of the typed part. */
  readonly insert: string
  /** Places between the end of the text and the caret: inside parentheses. */
  readonly back: number
}

export interface Completion {
  /** The start of the part that a suggestion replaces. */
  readonly from: number
  readonly suggestions: readonly Suggestion[]
}

/** True between quotes, where there is nothing to complete. */
function isInText(before: string): boolean {
  let quote: string | null = null
  for (let place = 0; place < before.length; place += 1) {
    const character = before[place] ?? ''
    if (quote === null && (character === '"' || character === "'")) quote = character
    else if (character === '\\') place += 1
    else if (character === quote) quote = null
  }
  return quote !== null
}

const methods: Readonly<Record<string, string>> = {
  startsWith: 'True if the text starts with this one.',
  endsWith: 'True if the text ends with this one.',
  contains: 'True if the text contains this one.',
}

const macros: Readonly<Record<string, string>> = {
  all: 'True if the condition holds for every flagged signal.',
  exists: 'True if it holds for at least one flagged signal.',
  exists_one: 'True if it holds for exactly one flagged signal.',
}

const listName = 'flagged'

/** Methods and macros that can follow `currency.` or `flagged.`. */
function membersOf(root: string, known: PolicyVariables): readonly Suggestion[] {
  const type = known.variables.find(({ name }) => name === root)?.type
  const call = (name: string, args: string, back: number, description: string): Suggestion => ({
    name: `${root}.${name}`,
    type: 'bool',
    description,
    insert: `${root}.${name}(${args})`,
    back,
  })
  if (type === 'string') {
    return known.functions
      .filter((name) => name in methods)
      .map((name) => call(name, '""', 2, methods[name] ?? ''))
  }
  if (root !== listName) return []
  return known.macros.map((name) => call(name, 'signal, signal == ""', 2, macros[name] ?? ''))
}

function globals(known: PolicyVariables): readonly Suggestion[] {
  return [
    ...known.variables.map(({ name, type, description }) => ({
      name,
      type,
      description,
      insert: name,
      back: 0,
    })),
    ...known.functions
      .filter((name) => !(name in methods))
      .map((name) => ({
        name: `${name}()`,
        type: 'int',
        description: 'The number of flagged signals, or the length of a text.',
        insert: `${name}()`,
        back: 1,
      })),
  ]
}

/** 0 is best; null does not match. */
function rankOf(name: string, typed: string): number | null {
  const [text, part] = [name.toLowerCase(), typed.toLowerCase()]
  if (text.startsWith(part)) return 0
  if (text.split('.').some((one) => one.startsWith(part))) return 1
  return part.length > 1 && text.includes(part) ? 2 : null
}

/** Null if nothing can be completed at the caret. */
export function completionAt(text: string, caret: number, known: PolicyVariables): Completion | null {
  const before = text.slice(0, caret)
  if (isInText(before)) return null
  const typed = /[A-Za-z_][\w.]*$/.exec(before)?.[0] ?? ''
  // A number, like 0.8, is no name.
  if (typed === '' && /[\w.]$/.test(before)) return null
  const root = typed.includes('.') ? typed.slice(0, typed.lastIndexOf('.')) : null
  const all = [...(root === null ? [] : membersOf(root, known)), ...globals(known)]
  const ranked = all.flatMap((suggestion) => {
    const rank = rankOf(suggestion.name, typed)
    return rank === null || suggestion.insert === typed ? [] : [{ rank, suggestion }]
  })
  if (ranked.length === 0) return null
  const sorted = ranked.toSorted((left, right) => left.rank - right.rank)
  return { from: caret - typed.length, suggestions: sorted.map(({ suggestion }) => suggestion) }
}
