/** Reads a JSON body strictly: valid UTF-8, no poisoned names, no depths, no numbers that are none. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, ProblemError, unsupportedType, type FieldError, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import { escaped } from '../../core/reference/json.ts'

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refusedForm(request)
    if (refusal !== null) {
      done(new ProblemError(refusal))
      return
    }
    const { emptyBody, rowsAt } = request.routeOptions.config
    const parsed: Parsed =
      bytes.length === 0 && emptyBody === true ? { ok: true, value: {} } : parseBody(bytes as Buffer, rowsAt)
    if (parsed.ok) done(null, parsed.value)
    else done(new ProblemError(invalid([parsed.error])))
  })
}

/** For routes that need no body: none at all, of any other type than JSON, is an empty object too. */
export function registerEmptyBodyParser(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) done(null, {})
    else done(new ProblemError(unsupportedType(request)))
  })
}

/** A body as CSV: handed on as it came. */
export class CsvBody {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** For the routes of this part of the application alone. */
export function registerCsvParser(app: FastifyInstance): void {
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refusedForm(request)
    if (refusal === null) done(null, new CsvBody(bytes as Buffer))
    else done(new ProblemError(refusal))
  })
}

/** Another character set or a compressed body is not guessed at. */
function refusedForm({ headers }: FastifyRequest): Problem | null {
  const code = 'UNSUPPORTED_MEDIA_TYPE'
  for (const [, charset = ''] of (headers['content-type'] ?? '').matchAll(
    /;\s*charset\s*=\s*"?([^\s;"]+)/gi,
  )) {
    if (/^(?:utf-?8|us-ascii)$/i.test(charset)) continue
    return { code, message: `Send the body in UTF-8, not ${JSON.stringify(charset.slice(0, 40))}.` }
  }
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : { code, message: 'Send the body as it is, without compression.' }
}

type Parsed = { ok: true; value: unknown } | { ok: false; error: FieldError }

function parseBody(bytes: Buffer, rowsAt?: string): Parsed {
  if (bytes.length === 0) return refuse('', 'has an empty body; a JSON object is needed')
  if (!isUtf8(bytes)) return refuse('', 'has a body that is not valid UTF-8')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    return refuse('', 'has a body that is not valid JSON')
  }
  // In valid UTF-8 only an escape can name half a character.
  return inspect(value, bytes.includes('\\u'), rowsAt)
}

/** Where an object stands; the path is spelled out only when something is wrong there. */
interface Place {
  readonly value: object
  readonly name: string
  readonly within: Place | null
  readonly depth: number
  /** Whether it is, or is in, a row that has a reader of its own. */
  readonly inRow: boolean
}

/** Walks without recursion, since the depth is the caller's choice. */
function inspect(root: unknown, hasEscapes: boolean, rowsAt?: string): Parsed {
  const ofRoot = faultOf(root, hasEscapes)
  if (ofRoot !== null) return refuse('', ofRoot)
  const pending: Place[] = isObject(root)
    ? [{ value: root, name: '', within: null, depth: 0, inRow: false }]
    : []
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value, depth, inRow } = place
    if (depth >= limits.nestingMax) {
      const message = `must not nest more than ${limits.nestingMax} levels deep`
      return refuse(pathOf(place), message, rowOf(place, rowsAt))
    }
    for (const name of Object.keys(value)) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      const fault = nameFaultOf(name, hasEscapes) ?? (inRow ? null : faultOf(member, hasEscapes))
      if (fault !== null) return refuse(`${pathOf(place)}/${pointerPart(name)}`, fault, rowOf(place, rowsAt))
      if (!isObject(member)) continue
      const isRow = depth === 1 && place.name === rowsAt && Array.isArray(value)
      pending.push({ value: member, name, within: place, depth: depth + 1, inRow: inRow || isRow })
    }
  }
  return { ok: true, value: root }
}

function pathOf(place: Place): string {
  return place.within === null ? '' : `${pathOf(place.within)}/${pointerPart(place.name)}`
}

/** The row, from 1, that a place is in; undefined where it is in none. */
function rowOf(place: Place, rowsAt: string | undefined): number | undefined {
  if (!place.inRow) return undefined
  return place.within?.name === rowsAt && place.within?.depth === 1
    ? Number(place.name) + 1
    : place.within === null
      ? undefined
      : rowOf(place.within, rowsAt)
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
  if (name === '__proto__') return 'is not an allowed name'
  return !hasEscapes || name.isWellFormed() ? null : 'must have a well-formed name'
}

function pointerPart(name: string): string {
  const short = name.length > 64 ? `${name.slice(0, 64)}…` : name
  return escaped(short.toWellFormed())
}

function refuse(path: string, message: string, row?: number): Parsed {
  return { ok: false, error: { path, message, ...(row === undefined ? {} : { row }) } }
}
