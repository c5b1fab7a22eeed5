/** The parts of the OpenAPI document that the Python client is generated from. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface KeyOperation extends Operation {
  readonly method: string
  readonly path: string
  readonly isPublic: boolean
}

/** The operations of a program: with a key, or without. Those of people who sign in with a browser are left out. */
export function keyOperations(document: ApiDocument): readonly KeyOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { security = [] } = operation
      const isPublic = security.length === 0
      const hasKey = security.some((one) => 'bearer' in one)
      if (path.startsWith('/auth/') || !(isPublic || hasKey)) return []
      return [{ ...operation, method: method.toUpperCase(), path, isPublic }]
    }),
  )
}

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^a-z0-9])([a-z])/gi, (_, letter: string) => letter.toUpperCase())

/** A Python string literal. JSON's escapes are Python's. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A docstring, wrapped, with every line at the given indent. */
export function docstring(text: string, indent: string): string {
  const words = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split(/\s+/)
  const widthMax = 112 - indent.length
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= widthMax) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  const last = lines.at(-1) ?? ''
  // A quotation mark at the end would join those of the docstring.
  const end = last.endsWith('"') ? ' ' : ''
  if (lines.length === 1) return `${indent}"""${last}${end}"""\n`
  return `${indent}"""${lines.join(`\n${indent}`)}${end}\n${indent}"""\n`
}
