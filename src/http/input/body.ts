/** Parses a JSON body strictly: valid UTF-8, no `__proto__`, no member twice, limited nesting, finite numbers only. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { invalid, ProblemError, unsupportedType, type FieldError, type Problem } from '../errors.ts'
import { jsonExcess } from '../../app/assess/batch-bounds.ts'
import { limits } from '../limits.ts'
import { pointerPart } from '../../core/reference/json.ts'
import { firstRepeated, membersIn } from '../../core/reference/repeated-members.ts'

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refusedEncoding(request)
    if (refusal !== null) {
      done(new ProblemError(refusal))
      return
    }
    const { emptyBody, rowsMember: rowsAt } = request.routeOptions.config
    const parsed: Parsed =
      bytes.length === 0 && emptyBody === true
        ? { ok: true, value: {}, members: 0 }
        : parseBody(bytes as Buffer, rowsAt)
    if (parsed.ok) done(null, parsed.value)
    else done(new ProblemError(invalid([parsed.error])))
  })
}

/** For routes that need no body: one that is empty or was not sent counts as an empty object, whatever its type. */
export function acceptMissingBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.emptyBody !== true) return
    // Without a type and a length, the framework looks for no parser.
    const dropType: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
      if (headers['content-length'] === '0' && headers['transfer-encoding'] === undefined)
        delete headers['content-type']
      done()
    }
    route.onRequest = [dropType, ...[route.onRequest ?? []].flat()]
    route.preValidation = (request, _reply, done) => {
      if (request.body === undefined) request.body = {}
      done()
    }
  })
}

/** For routes that need no body: an empty body of any content type counts as an empty object. */
export function registerEmptyBodyParser(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) done(null, {})
    else done(new ProblemError(unsupportedType(request)))
  })
}

/** A CSV body, unparsed. */
export class CsvBody {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** Accepts CSV on the routes of this plugin only. */
export function registerCsvParser(app: FastifyInstance): void {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refusedEncoding(request)
    if (refusal === null) done(null, new CsvBody(bytes as Buffer))
    else done(new ProblemError(refusal))
  })
}

/** Refuses other character sets and compressed bodies. */
function refusedEncoding({ headers }: FastifyRequest): Problem | null {
  const code = 'UNSUPPORTED_MEDIA_TYPE'
  for (const [, charset = ''] of (headers['content-type'] ?? '').matchAll(
    /;\s*charset\s*=\s*"?([^\s;"]+)/gi,
  )) {
    if (/^(?:utf-?8|us-ascii)$/i.test(charset)) continue
    return {
      code,
      message: `The character set ${JSON.stringify(charset.slice(0, 40))} is not supported. Send the body in UTF-8.`,
    }
  }
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : { code, message: 'Compressed bodies are not supported. Send the body without Content-Encoding.' }
}

/** `members` counts those of all objects. */
type Parsed = { ok: true; value: unknown; members: number } | { ok: false; error: FieldError }

function parseBody(bytes: Buffer, rowsAt?: string): Parsed {
  if (bytes.length === 0) return refuse('', 'has an empty body; send a JSON object')
  if (!isUtf8(bytes)) return refuse('', 'has a body that is not valid UTF-8')
  const excess = rowsAt === undefined ? null : jsonExcess(bytes, rowsAt)
  if (excess !== null) return refuse(`/${rowsAt}`, excess)
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('', 'has a body that is not valid JSON')
  }
  // In valid UTF-8, only an escape can produce a lone surrogate.
  const parsed = inspect(value, bytes.includes('\\u'), rowsAt)
  if (!parsed.ok || parsed.members === membersIn(bytes)) return parsed
  // A parser keeps the last of two members with one name.
  const path = firstRepeated(text)
  const row = rowsAt === undefined ? undefined : new RegExp(`^/${rowsAt}/(\\d+)/`).exec(path)?.[1]
  return refuse(path, 'is given twice; send it once', row === undefined ? undefined : Number(row) + 1)
}

/** An object to inspect and its position. The path is built only for an error. */
interface Node {
  readonly value: object
  readonly name: string
  readonly parent: Node | null
  readonly depth: number
  /** Whether it is part of a row, whose values a separate reader checks. */
  readonly inRow: boolean
}

/** Walks without recursion, since the caller controls the depth. */
function inspect(root: unknown, hasEscapes: boolean, rowsAt?: string): Parsed {
  const rootFault = faultOf(root, hasEscapes)
  if (rootFault !== null) return refuse('', rootFault)
  const pending: Node[] = isObject(root)
    ? [{ value: root, name: '', parent: null, depth: 0, inRow: false }]
    : []
  let members = 0
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value, depth, inRow } = node
    if (depth >= limits.nestingMax) {
      const message = `must not nest more than ${limits.nestingMax} levels deep`
      return refuse(pathOf(node), message, rowOf(node, rowsAt))
    }
    const names = Object.keys(value)
    if (!Array.isArray(value)) members += names.length
    for (const name of names) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      const fault = nameFaultOf(name, hasEscapes) ?? (inRow ? null : faultOf(member, hasEscapes))
      if (fault !== null) return refuse(`${pathOf(node)}/${pointerPart(name)}`, fault, rowOf(node, rowsAt))
      if (!isObject(member)) continue
      const isRow = depth === 1 && node.name === rowsAt && Array.isArray(value)
      pending.push({ value: member, name, parent: node, depth: depth + 1, inRow: inRow || isRow })
    }
  }
  return { ok: true, value: root, members }
}

function pathOf(node: Node): string {
  return node.parent === null ? '' : `${pathOf(node.parent)}/${pointerPart(node.name)}`
}

/** The row, from 1, that contains the node; undefined outside the rows. */
function rowOf(node: Node, rowsAt: string | undefined): number | undefined {
  if (!node.inRow) return undefined
  return node.parent?.name === rowsAt && node.parent?.depth === 1
    ? Number(node.name) + 1
    : node.parent === null
      ? undefined
      : rowOf(node.parent, rowsAt)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function faultOf(value: unknown, hasEscapes: boolean): string | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a finite number'
  if (hasEscapes && typeof value === 'string' && !value.isWellFormed()) return 'must be well-formed Unicode'
  return null
}

function nameFaultOf(name: string, hasEscapes: boolean): string | null {
  if (name === '__proto__') return 'is a forbidden name; remove it'
  return !hasEscapes || name.isWellFormed() ? null : 'must have a well-formed name'
}

function refuse(path: string, message: string, row?: number): Parsed {
  return { ok: false, error: { path, message, ...(row === undefined ? {} : { row }) } }
}
