/** A map that keeps the newest entries, at least `countMax` and at most twice as many. */

export class Newest<Value> {
  readonly #countMax: number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** When the newer half is full, the older one is forgotten: cheaper than to forget entries one by one. */
  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#countMax) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }
}
