/** The OpenAPI document as the API reference reads it: operations by tag, references followed, a home for shared schemas. */

type ByName<Value> = Readonly<Record<string, Value>>

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: ByName<Schema>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: ByName<{ readonly summary?: string; readonly value: unknown }>
}

interface Reference {
  readonly $ref?: string
}

interface Header extends Reference {
  readonly description?: string
}

export interface Answer extends Reference {
  readonly description?: string
  readonly headers?: ByName<Header>
  readonly content?: ByName<Media>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string | number | boolean
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly ByName<readonly string[]>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: ByName<Media> }
  readonly responses: ByName<Answer>
}

interface SecurityScheme {
  readonly type: string
  readonly description?: string
  readonly name?: string
}

export interface Contract {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: ByName<ByName<Operation>>
  readonly webhooks?: ByName<ByName<Operation>>
  readonly components: {
    readonly schemas: ByName<Schema>
    readonly headers?: ByName<Header>
    readonly responses?: ByName<Answer>
    readonly securitySchemes?: ByName<SecurityScheme>
  }
}

/** An operation with its place on the page. */
export interface Entry {
  readonly anchor: string
  readonly method: string
  /** The path, or the name of an event. */
  readonly path: string
  readonly isEvent: boolean
  readonly tag: string
  readonly operation: Operation
}

/** A shared schema with more fields than this, nested ones included, is shown once and linked. */
const inPlaceFieldsMax = 12

export const tagAnchor = (tag: string): string => `tag/${tag.toLowerCase().replaceAll(/\W+/g, '-')}`
export const schemaAnchor = (name: string): string => `models/${name}`

/** All operations in the order of the tags, then of the document. */
export function entriesOf(contract: Contract): readonly Entry[] {
  const listed = (part: ByName<ByName<Operation>>, isEvent: boolean): Entry[] =>
    Object.entries(part).flatMap(([path, methods]) =>
      Object.entries(methods).map(([name, operation]) => {
        const method = name.toUpperCase()
        const tag = operation.tags?.[0] ?? 'Other'
        const place = isEvent ? `webhook/${method}/${path}` : `${method}${path}`
        return { anchor: `${tagAnchor(tag)}/${place}`, method, path, isEvent, tag, operation }
      }),
    )
  const all = [...listed(contract.paths, false), ...listed(contract.webhooks ?? {}, true)]
  const order = [...new Set([...contract.tags.map(({ name }) => name), ...all.map(({ tag }) => tag)])]
  return order.flatMap((name) => all.filter(({ tag }) => tag === name))
}

/** The name of the schema that is referred to; null for one without a name. */
export function nameOf({ $ref }: Schema): string | null {
  const [, name = null] = /^#\/components\/schemas\/(.+)$/.exec($ref ?? '') ?? []
  return name
}

/** Follows a reference to its target. Throws if there is none. */
export function follow<Part extends Reference>(contract: Contract, part: Part): Part {
  const { $ref, ...beside } = part
  if ($ref === undefined) return part
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? []
  const target = (contract.components as unknown as ByName<ByName<Part> | undefined>)[kind]?.[name]
  if (target === undefined) throw new Error(`the document has no ${$ref}`)
  return { ...follow(contract, target), ...beside }
}

export const isError = (status: string): boolean => Number(status) >= 400

/** The schemas directly inside a schema. */
function partsOf({ properties, anyOf, items, additionalProperties }: Schema): readonly Schema[] {
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties ?? {}), ...(anyOf ?? []), ...(items ? [items] : []), ...others]
}

/** The fields that a schema shows in place, at all depths; infinite for one that contains itself. */
function fieldCount(schema: Schema, contract: Contract, above: ReadonlySet<string> = new Set()): number {
  const name = nameOf(schema)
  if (name !== null) {
    if (above.has(name)) return Infinity
    const { description: _description, ...target } = follow(contract, schema)
    return fieldCount(target, contract, new Set([...above, name]))
  }
  const own = Object.keys(schema.properties ?? {}).length
  return partsOf(schema).reduce((sum, part) => sum + fieldCount(part, contract, above), own)
}

/** How often each schema is referred to. */
function usesIn(value: unknown, uses = new Map<string, number>()): ReadonlyMap<string, number> {
  if (typeof value !== 'object' || value === null) return uses
  const name = nameOf(value)
  if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1)
  for (const [member, part] of Object.entries(value)) {
    // An example is data, and refers to nothing.
    if (member !== 'example' && member !== 'examples') usesIn(part, uses)
  }
  return uses
}

/** The names of the schemas that callers send, at any depth. */
export function sentIn(contract: Contract): ReadonlySet<string> {
  const bodies = entriesOf(contract).map(({ isEvent, operation }) => (isEvent ? null : operation.requestBody))
  const names = new Set(usesIn(bodies).keys())
  // The set grows while it is walked.
  for (const name of names)
    for (const inner of usesIn(contract.components.schemas[name]).keys()) names.add(inner)
  return names
}

/**
 * Schemas that are shown once, at the end of the page. Every circle of references has one of them, since it is entered from
 * outside and from within: so nothing is repeated without end.
 */
export function homesOf(contract: Contract): ReadonlySet<string> {
  const shared = [...usesIn(contract)].filter(([name, uses]) => {
    const $ref = `#/components/schemas/${name}`
    return uses > 1 && fieldCount({ $ref }, contract) > inPlaceFieldsMax
  })
  return new Set(shared.map(([name]) => name).toSorted())
}
