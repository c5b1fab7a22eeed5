/**
 * Compares the members of a body with those that its schema knows. A likely misspelling is an error, because the payment
 * would be verified without that member; anything else unknown is ignored and named in a warning.
 */

import type { TSchema } from 'typebox'
import type { BodyWarning } from '../../app/verify/answer.ts'
import { pointerPart } from '../../core/reference/json.ts'
import { KnownNames } from '../../core/reference/known-names.ts'
import type { FieldError } from '../errors.ts'

/** The known members of an object, and those of the objects in it. */
export interface Shape {
  readonly members: ReadonlyMap<string, Shape | null>
  readonly names: KnownNames
}

/** A body without its null members, and what is to be said about it. */
export interface Fitted {
  readonly value: unknown
  readonly errors: readonly FieldError[]
  readonly warnings: readonly BodyWarning[]
}

/** More are not named. */
const warningsMax = 20

/** A missing amount must be deliberate: with this member null is an error, like any other wrong type. */
export const neverNull = 'amount'

/** Null if the schema is not of an object. */
export function shapeOf(schema: TSchema): Shape | null {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, TSchema>> }
  if (properties === undefined) return null
  const names = Object.keys(properties)
  return {
    members: new Map(names.map((name) => [name, shapeOf(properties[name] ?? {})])),
    names: new KnownNames(names),
  }
}

export function fit(body: unknown, shape: Shape): Fitted {
  const errors: FieldError[] = []
  const warnings: BodyWarning[] = []
  const value = fitted(body, shape, '', { errors, warnings })
  return { value, errors, warnings: shortened(warnings) }
}

function shortened(warnings: readonly BodyWarning[]): readonly BodyWarning[] {
  const more = warnings.length - warningsMax
  if (more <= 0) return warnings
  const message = `${more} more members are unknown and were ignored.`
  return [...warnings.slice(0, warningsMax), { code: 'UNKNOWN_MEMBER', message, path: '' }]
}

interface Findings {
  readonly errors: FieldError[]
  readonly warnings: BodyWarning[]
}

/** Returns the object itself if it has no member to leave out. */
function fitted(value: unknown, shape: Shape, base: string, findings: Findings): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept: [string, unknown][] = []
  let isSame = true
  for (const [name, member] of Object.entries(value)) {
    const inner = shape.members.get(name)
    if (inner === undefined) {
      const path = `${base}/${pointerPart(name)}`
      report(
        path,
        shape.names.meantBy(name, (known) => isGiven(value, known)),
        findings,
      )
    }
    const isAbsent = inner !== undefined && member === null && name !== neverNull
    const other = inner ? fitted(member, inner, `${base}/${pointerPart(name)}`, findings) : member
    if (!isAbsent) kept.push([name, other])
    if (isAbsent || other !== member) isSame = false
  }
  return isSame ? value : Object.fromEntries(kept)
}

function isGiven(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && value[name as keyof typeof value] !== null
}

function report(path: string, meant: string | null, { errors, warnings }: Findings): void {
  if (meant !== null) errors.push({ path, message: `is not a member of the request; use ${meant}` })
  else warnings.push({ code: 'UNKNOWN_MEMBER', message: 'This member is unknown and was ignored.', path })
}
