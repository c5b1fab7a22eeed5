/** Checks that a response has the members that a command needs, before it is used, stored or shown. */

import { UnexpectedAnswerError } from '../../../../client/src/index.ts'
import type { Screen } from './screen.ts'
import { isObject } from '../../../core/reference/json.ts'

const kinds = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  number: (value: unknown) => typeof value === 'number',
  members: isObject,
  list: (value: unknown) => Array.isArray(value),
} as const

/** The required members of a response. */
export type RequiredMembers<Answer> = { readonly [Name in keyof Answer]?: keyof typeof kinds }

/** Returns the response if it has all required members. */
export function checked<Answer>(answer: Answer, essentials: RequiredMembers<Answer>): Answer {
  const members = (answer ?? {}) as Readonly<Record<string, unknown>>
  const missing = Object.entries(essentials as Readonly<Record<string, keyof typeof kinds>>).flatMap(
    ([name, kind]) => (kinds[kind](members[name]) ? [] : [name]),
  )
  if (missing.length === 0) return answer
  throw unexpected(`it lacks ${missing.join(', ')}`)
}

/** Runs code that reads a response; a TypeError means that the response has an unexpected shape. */
export function shaped<Result>(make: () => Result): Result {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw unexpected('its members do not match the API', error)
    throw error
  }
}

/** Prints the response as text, or unchanged as JSON. */
export function show(screen: Screen, answer: unknown, lines: () => string[]): void {
  if (screen.isJson) screen.json(answer)
  else screen.lines(shaped(lines))
}

function unexpected(reason: string, cause?: Error): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`Unexpected response: ${reason}.`, {}, { cause })
}
