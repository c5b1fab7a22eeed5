/** Splits a JSON array of any length into chunks of complete elements, without parsing them. */

import { firstRepeated, membersIn, membersOf } from '../../core/reference/repeated-members.ts'
import { decoded, InputFault, joined, rowBytesMax, type Chunk } from './input-fault.ts'

export const quote = 0x22
export const backslash = 0x5c
export const comma = 0x2c
export const lineFeed = 0x0a
export const openBrace = 0x7b
export const closeBrace = 0x7d
export const openBracket = 0x5b
export const closeBracket = 0x5d

/** Tracks strings and nesting across chunks. */
class Nesting {
  depth = 0
  line = 1
  #inString = false
  #escaped = false

  /** Returns true for a byte outside strings. */
  accept(byte: number): boolean {
    if (byte === lineFeed) this.line += 1
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (byte === backslash) this.#escaped = true
      else if (byte === quote) this.#inString = false
      return false
    }
    if (byte === quote) this.#inString = true
    else if (byte === openBrace || byte === openBracket) this.depth += 1
    else if (byte === closeBrace || byte === closeBracket) this.depth -= 1
    return true
  }
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const none = new Uint8Array(0)

/** Maximum size of the JSON around the array. */
const frameBytesMax = 65_536

/**
 * Accepts an array, or an object with an array named `transactions`, in chunks of any size. The JSON around the
 * elements is collected and parsed at the end, so that a file that is not valid JSON is rejected.
 */
export class JsonSplitter {
  readonly #nesting = new Nesting()
  #phase: 'before' | 'within' | 'after' = 'before'
  #frame: number[] = []
  /** The depth of the elements. */
  #base = 0
  #carry: Uint8Array = none
  #carryLine = 1
  #rows = 0

  get rows(): number {
    return this.#rows
  }

  push(bytes: Uint8Array): Chunk | null {
    const buffer = joined(this.#carry, bytes)
    const offset = this.#carry.length
    let start = 0
    let end = 0
    let count = 0
    let firstLine = this.#carryLine
    const close = (at: number): void => {
      end = at
      count += 1
    }
    for (let at = offset; at < buffer.length; at += 1) {
      const byte = buffer[at] ?? 0
      if (this.#phase !== 'within') {
        if (!this.#outside(byte)) continue
        start = end = at + 1
        firstLine = this.#carryLine = this.#nesting.line
        continue
      }
      const structural = this.#nesting.accept(byte)
      if (!structural) continue
      if (byte === comma && this.#nesting.depth === this.#base) {
        close(at + 1)
        this.#carryLine = this.#nesting.line
      } else if (this.#nesting.depth < this.#base) {
        const last = buffer.subarray(end === 0 ? start : end, at)
        if (count > 0 || this.#rows > 0 || !last.every(isSpace)) close(at)
        this.#phase = 'after'
        this.#frame.push(byte)
      }
    }
    this.#carry = this.#phase === 'within' ? buffer.subarray(end) : none
    if (this.#carry.length > rowBytesMax) {
      throw new InputFault(
        'has an element of more than 1 MiB, or brackets that are never closed',
        this.#carryLine,
      )
    }
    if (count === 0) return null
    const chunk = { bytes: buffer.slice(start, end), rows: count, firstRow: this.#rows, firstLine }
    this.#rows += count
    return chunk
  }

  /** Checks that the JSON is complete. Returns the file's own report name. */
  end(): { readonly reportName: unknown } {
    if (this.#phase === 'within') {
      throw new InputFault('ends in the middle of its list of transactions', this.#nesting.line)
    }
    const frame = decoded(Uint8Array.from(this.#frame), 1)
    if (frame.trim() === '') throw new InputFault('is empty')
    let value: unknown
    try {
      value = JSON.parse(frame)
    } catch {
      throw new InputFault('is not valid JSON', this.#phase === 'before' ? null : this.#nesting.line)
    }
    if (this.#phase === 'before') throw new InputFault('has no list of transactions')
    return {
      reportName: Array.isArray(value) ? undefined : (value as Record<string, unknown>)['report_name'],
    }
  }

  /** Handles a byte outside the array. Returns true if the array starts with it. */
  #outside(byte: number): boolean {
    const { depth } = this.#nesting
    const structural = this.#nesting.accept(byte)
    // Skip a leading byte order mark.
    if (this.#frame.length === 0 && (isSpace(byte) || byte === 0xef || byte === 0xbb || byte === 0xbf))
      return false
    // Collapse whitespace between members, so that it does not count against the limit.
    const space = structural && isSpace(byte)
    if (!space || this.#frame.at(-1) !== 0x20) this.#frame.push(space ? 0x20 : byte)
    if (this.#frame.length > frameBytesMax) {
      throw new InputFault('has more than 64 KiB outside its list of transactions, or no such list')
    }
    if (structural && byte === openBrace && depth === 0 && this.#frame.length > 1) {
      throw new InputFault('has more than one JSON value: put them into one list', this.#nesting.line)
    }
    if (!structural || byte !== openBracket || depth > 1) return false
    if (depth === 1 && !/[{,]\s*"transactions"\s*:\s*\[$/.test(this.#tail())) return false
    if (this.#phase === 'after') throw new InputFault('has two lists of transactions', this.#nesting.line)
    this.#phase = 'within'
    this.#base = depth + 1
    return true
  }

  #tail(): string {
    return String.fromCharCode(...this.#frame.slice(-200))
  }
}

/** Parses the elements of a chunk. Throws an `InputFault` with the line of the first invalid one. */
export function readElements({ bytes, rows, firstLine, firstRow }: Chunk): unknown[] {
  const text = `[${decoded(bytes, firstLine).replace(/,\s*$/, '')}]`
  const elements = parsed(text)
  if (Array.isArray(elements) && elements.length === rows) {
    if (membersIn(bytes) !== membersOf(elements)) throw repeatedMember(text, firstRow)
    return elements as unknown[]
  }
  throw new InputFault('is not valid JSON', badLine(bytes, firstLine))
}

/** A parser keeps the last of two members with one name. */
function repeatedMember(text: string, firstRow: number): InputFault {
  const [, place = '0', member = ''] = /^\/(\d+)\/(.*)$/.exec(firstRepeated(text)) ?? []
  return new InputFault(`has the member ${member} twice in row ${firstRow + Number(place) + 1}`)
}

function badLine(bytes: Uint8Array, firstLine: number): number {
  const nesting = new Nesting()
  let start = 0
  let line = firstLine
  for (let at = 0; at <= bytes.length; at += 1) {
    const structural = at < bytes.length && nesting.accept(bytes[at] ?? 0)
    if (at < bytes.length && !(structural && nesting.depth === 0 && bytes[at] === comma)) continue
    const element = bytes.subarray(start, at)
    const lead = element.findIndex((byte) => !isSpace(byte))
    for (const byte of element.subarray(0, Math.max(0, lead))) if (byte === lineFeed) line += 1
    if (parsed(decoded(element, line)) === undefined) return line
    for (const byte of element.subarray(Math.max(0, lead))) if (byte === lineFeed) line += 1
    start = at + 1
  }
  return line
}

/** Undefined if the text is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
