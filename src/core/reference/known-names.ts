/**
 * The known name that an unknown one was probably meant to be. A misspelt amount must not be ignored: the payment would be
 * decided without it.
 */

import { isWithin } from './edits.ts'

/** Other names for a member that callers of payment services use. They count only while that member is absent. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  amount: ['value', 'amt', 'amnt', 'total', 'sum', 'amount_minor'],
  currency: ['ccy', 'currency_code'],
}

/** One edit of a shorter name, like `id` or `to`, is nearly any short word: `uid`, `ip`, `do`. */
const lettersMin = 3
/** From this length on, two edits are still a misspelling. */
const lettersForTwoEdits = 8

/** Unknown names whose result is cached: rows of a batch repeat them. */
const cachedMax = 1_000

interface Known<Name> {
  readonly name: Name
  readonly spelling: string
  readonly editsMax: number
}

export class KnownNames<Name extends string = string> {
  readonly #byFolded: ReadonlyMap<string, Name>
  readonly #byAlias: ReadonlyMap<string, Name>
  readonly #known: readonly Known<Name>[]
  readonly #cachedLengthMax: number
  readonly #cache = new Map<string, Name | null>()

  constructor(names: readonly Name[]) {
    this.#byFolded = new Map(names.map((name) => [folded(name), name]))
    this.#byAlias = new Map(
      names.flatMap((name) => (aliases[name] ?? []).map((alias) => [folded(alias), name] as const)),
    )
    this.#known = names.map((name) => {
      const letters = folded(name).length
      const editsMax = letters < lettersMin ? 0 : letters < lettersForTwoEdits ? 1 : 2
      return { name, spelling: spelling(name), editsMax }
    })
    this.#cachedLengthMax = 2 * Math.max(0, ...names.map(({ length }) => length))
  }

  /** Null if an unknown name is no misspelling. `isPresent` says which known names are given, too. */
  meantBy(unknown: string, isPresent: (known: Name) => boolean): Name | null {
    const nearest = this.#nearest(unknown)
    if (nearest !== null || this.#byAlias.size === 0) return nearest
    const aliased = this.#byAlias.get(folded(unknown))
    return aliased === undefined || isPresent(aliased) ? null : aliased
  }

  #nearest(unknown: string): Name | null {
    if (unknown.length > this.#cachedLengthMax) return this.#byFolded.get(folded(unknown)) ?? null
    const cached = this.#cache.get(unknown)
    if (cached !== undefined) return cached
    const nearest = this.#byFolded.get(folded(unknown)) ?? this.#nearestByEdits(spelling(unknown))
    if (this.#cache.size >= cachedMax) this.#cache.clear()
    this.#cache.set(unknown, nearest)
    return nearest
  }

  #nearestByEdits(unknown: string): Name | null {
    for (const edits of [1, 2]) {
      const near = this.#known.find(
        (known) => edits <= known.editsMax && isWithin(edits, unknown, known.spelling),
      )
      if (near !== undefined) return near.name
    }
    return null
  }
}

/** The same for names that differ only in case, hyphens and underscores: `idempotencyKey` and `idempotency_key`. */
function folded(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}

/** Edits count underscores: `to_currency` is a member of its own, not a misspelling. */
function spelling(name: string): string {
  return name.replaceAll('-', '_').toLowerCase()
}
