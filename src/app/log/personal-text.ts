/**
 * Personal text (a correlation id, a justification) is kept apart from records, and leaves commit to a salted hash of
 * it. So it can be erased: without the salt, the hash says nothing about the text, and every proof still verifies.
 */

import { hash } from 'node:crypto'
import type { PersonalText } from '../ports/records.ts'
import type { Random } from '../ports/system.ts'

const saltBytes = 16

/** Stands where a personal text was. */
export const erased = '(erased)'

/** The text; what stands in its place if it was erased; null if there was none. */
export function shownText(text: string | null, personalText: PersonalText | null): string | null {
  return text ?? (personalText === null ? null : erased)
}

function personalHash({ salt, text }: { readonly salt: string; readonly text: string }): string {
  return hash('sha256', `${salt}\n${text}`, 'base64')
}

export function keepApart(text: string, random: Random): PersonalText {
  const salt = Buffer.from(random.bytes(saltBytes)).toString('base64url')
  return { hash: personalHash({ salt, text }), salt }
}

/** Whether the text is the one that the hash was made of. */
export function isText({ hash: expected, salt }: PersonalText, text: string | null): boolean {
  return salt !== null && text !== null && personalHash({ salt, text }) === expected
}

/** An act of erasure has the hash of its subjects, so that none can be added or taken away later. */
export function subjectsHash(subjectIds: readonly string[]): string {
  return hash('sha256', subjectIds.toSorted().join('\n'), 'base64')
}
