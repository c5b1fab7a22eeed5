/** Puts the values of names into the texts of a row: `{decision.request_id}`. */

export type Names = Readonly<Record<string, unknown>>

/** A name that is not known stays as it is, as in JSON. Patterns and predicates are no texts. */
export function filled<Value>(value: Value, names: Names): Value {
  return fill(value, names) as Value
}

function fill(value: unknown, names: Names): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(\w+)((?:\.\w+)*)\}/g, (all, name: string, members: string) =>
      name in names ? textOf(names[name], members) : all,
    )
  if (Array.isArray(value)) return value.map((item) => fill(item, names))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, names)]))
}

function textOf(value: unknown, members: string): string {
  let found = value
  for (const member of members.split('.').slice(1)) found = (found as Record<string, unknown>)[member]
  return String(found)
}
