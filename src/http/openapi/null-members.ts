/** Publishes what the validator accepts: an optional member that is null counts as absent. */

import type { TSchema } from 'typebox'
import { neverNull } from '../input/members.ts'

interface ObjectSchema extends TSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  /** Of rows, whose reader does the same. */
  readonly items?: TSchema
  readonly required?: readonly string[]
  /** Of a body in several forms. */
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>
}

/** The schema of a body, with null for each member that the validator leaves out. */
export function withNullMembers(schema: ObjectSchema): TSchema {
  const { properties, required = [], items, content } = schema
  if (content !== undefined) {
    const forms = Object.entries(content)
    return {
      content: Object.fromEntries(
        forms.map(([type, form]) => [type, { schema: withNullMembers(form.schema) }]),
      ),
    }
  }
  if (items !== undefined) return { ...schema, items: withNullMembers(items) }
  if (properties === undefined) return schema
  const members = Object.entries(properties).map(([name, member]) => {
    const inner = withNullMembers(member)
    return [name, required.includes(name) || name === neverNull ? inner : orNull(inner)]
  })
  return { ...schema, properties: Object.fromEntries(members) as Record<string, TSchema> }
}

/** A member that admits null already stays as it is. The description stays with the member, unless it belongs to a named schema. */
function orNull(
  schema: TSchema & {
    readonly title?: string
    readonly description?: string
    readonly type?: string | readonly string[]
  },
): TSchema {
  if (schema.type?.includes('null') === true) return schema
  if (typeof schema.type === 'string' && schema.title === undefined && !('enum' in schema))
    return { ...schema, type: [schema.type, 'null'] }
  const { description, ...form } = schema
  const alternatives = { anyOf: [schema.title === undefined ? form : schema, { type: 'null' }] }
  return schema.title !== undefined || description === undefined
    ? alternatives
    : { description, ...alternatives }
}
