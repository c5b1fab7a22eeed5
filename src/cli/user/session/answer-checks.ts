/** What an answer must have to be one of Fairway's: looked at before a command acts on it, stores it or shows it. */

import { UnexpectedAnswerError } from '../../../../client/src/index.ts'
import type { Screen } from './screen.ts'
import { isObject } from '../../../core/reference/json.ts'

const kinds = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  number: (value: unknown) => typeof value === 'number',
  members: isObject,
  list: (value: unknown) => Array.isArray(value),
} as const

/** The members without which a command can do nothing with an answer. */
export type Essentials<Answer> = { readonly [Name in keyof Answer]?: keyof typeof kinds }

/** The answer, where it has them all. */
export function checked<Answer>(answer: Answer, essentials: Essentials<Answer>): Answer {
  const members = (answer ?? {}) as Readonly<Record<string, unknown>>
  const missing = Object.entries(essentials as Readonly<Record<string, keyof typeof kinds>>).flatMap(
    ([name, kind]) => (kinds[kind](members[name]) ? [] : [name]),
  )
  if (missing.length === 0) return answer
  throw notOurs(`it lacks ${missing.join(', ')}`)
}

/** What is made of an answer. Where that stumbles over its shape, the answer is at fault, and not the command. */
export function shaped<Result>(make: () => Result): Result {
  try {
    return make()
  } catch (error) {
    if (error instanceof TypeError) throw notOurs('its members are not those that Fairway gives', error)
    throw error
  }
}

/** As text for people, and as it is for programs. */
export function show(screen: Screen, answer: unknown, lines: () => string[]): void {
  if (screen.isJson) screen.json(answer)
  else screen.lines(shaped(lines))
}

function notOurs(why: string, cause?: Error): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`This is not an answer of Fairway's: ${why}.`, {}, { cause })
}
