/** Reads two OpenAPI documents in parallel and resolves their references. */

export type Json = Readonly<Record<string, unknown>>

/** Input is sent by callers, output is sent to them. */
export type Direction = 'input' | 'output'

/** One part of the contract, before and after. */
export interface Pair {
  /** Location for messages and changelog notes. */
  readonly place: string
  readonly before: unknown
  readonly after: unknown
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that is an object; an empty object otherwise. */
export function memberOf(part: unknown, name: string): Json {
  const member = isObject(part) ? part[name] : undefined
  return isObject(member) ? member : {}
}

export function listOf(part: unknown, name: string): readonly unknown[] {
  const member = isObject(part) ? part[name] : undefined
  return Array.isArray(member) ? member : []
}

/** Two documents, and the names that are already compared. */
export class Documents {
  readonly #before: Json
  readonly #after: Json
  readonly #compared = new Set<string>()

  constructor(before: Json, after: Json) {
    this.#before = before
    this.#after = after
  }

  /**
   * The pair without references. Null if both refer to a name that was compared before: a shared part is reported once,
   * and a recursive schema ends.
   */
  follow({ place, before, after }: Pair, direction: Direction): Pair | null {
    const name = referenceOf(before)
    const followed = { before: resolve(this.#before, before), after: resolve(this.#after, after) }
    if (name === null || name !== referenceOf(after)) return { place, ...followed }
    const shared = `${name.replace(/^#\/components\//, '')} (${direction})`
    if (this.#compared.has(shared)) return null
    this.#compared.add(shared)
    return { place: shared, ...followed }
  }

  resolveBefore(part: unknown): unknown {
    return resolve(this.#before, part)
  }

  resolveAfter(part: unknown): unknown {
    return resolve(this.#after, part)
  }
}

export function referenceOf(part: unknown): string | null {
  const $ref = isObject(part) ? part['$ref'] : undefined
  return typeof $ref === 'string' ? $ref : null
}

function resolve(document: Json, part: unknown): unknown {
  const name = referenceOf(part)
  if (name === null) return part
  const steps = name.replace(/^#\//, '').split('/')
  const target = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), document)
  if (target === undefined) throw new Error(`unresolved reference: ${name}`)
  return resolve(document, target)
}
