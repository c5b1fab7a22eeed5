/** Reads a JSON body strictly: valid UTF-8, no poisoned names, no depths, no numbers that are none. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, ProblemError, type FieldError, type Problem } from './errors.ts'
import { limits } from './limits.ts'

export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const refusal = refusedForm(request)
    const { emptyBody, rowsAt } = request.routeOptions.config
    const parsed: Parsed =
      bytes.length === 0 && emptyBody === true ? { ok: true, value: {} } : parseBody(bytes as Buffer, rowsAt)
    if (refusal !== null) done(new ProblemError(refusal))
    else if (parsed.ok) done(null, parsed.value)
    else done(new ProblemError(invalid([parsed.error])))
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
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    return { code, message: `Send the body in UTF-8, not ${JSON.stringify(charset.slice(0, 40))}.` }
  }
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : { code, message: 'Send the body as it is, without compression.' }
}

type Parsed = { ok: true; value: unknown } | { ok: false; error: FieldError }

export function parseBody(bytes: Buffer, rowsAt?: string): Parsed {
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
      return refuse(pathOf(place), `must not nest more than ${limits.nestingMax} levels deep`)
    }
    for (const name of Object.keys(value)) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      const fault = nameFaultOf(name, hasEscapes) ?? (inRow ? null : faultOf(member, hasEscapes))
      if (fault !== null) return refuse(`${pathOf(place)}/${pointerPart(name)}`, fault)
      if (!isObject(member)) continue
      const isRow = depth === 1 && place.name === rowsAt
      pending.push({ value: member, name, within: place, depth: depth + 1, inRow: inRow || isRow })
    }
  }
  return { ok: true, value: root }
}

function pathOf(place: Place): string {
  return place.within === null ? '' : `${pathOf(place.within)}/${pointerPart(place.name)}`
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
  return short.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
}

function refuse(path: string, message: string): Parsed {
  return { ok: false, error: { path, message } }
}
