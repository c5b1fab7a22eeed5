/** An OpenAPI document as the guard reads it: two of them side by side, references followed where they stand. */

export type Json = Readonly<Record<string, unknown>>

/** Whose values a part describes: those that callers give us, or those that we give them. */
export type Direction = 'input' | 'output'

/** One part of the contract, before and after. */
export interface Pair {
  /** For people, and for the note on the change. */
  readonly place: string
  readonly before: unknown
  readonly after: unknown
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member that is an object, or an empty one. */
export function memberOf(part: unknown, name: string): Json {
  const member = isObject(part) ? part[name] : undefined
  return isObject(member) ? member : {}
}

export function listOf(part: unknown, name: string): readonly unknown[] {
  const member = isObject(part) ? part[name] : undefined
  return Array.isArray(member) ? member : []
}

/** Two documents, and what of them was compared already. */
export class Documents {
  readonly #before: Json
  readonly #after: Json
  readonly #compared = new Set<string>()

  constructor(before: Json, after: Json) {
    this.#before = before
    this.#after = after
  }

  /**
   * The pair without references. Null where both refer to one name that was compared before: what many operations share
   * is told once, and a schema that holds itself comes to an end.
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
  if (target === undefined) throw new Error(`the document has no ${name}`)
  return resolve(document, target)
}
