/** Finds where CSV records end, without reading them: a large file is cut there into pieces for many readers. */

import { InputFault, joined, rowBytesMax, type Chunk } from '../input-fault.ts'

const quote = 0x22
const comma = 0x2c
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const tab = 0x09
const formFeed = 0x0c

/** At the start of a cell; within one; within quotes; after a quote that ends them or is doubled. */
const atStart = 0
const inCell = 1
const inQuotes = 2
const afterQuote = 3

/** `end` is the place after the record's line feed. A blank record holds nothing but separators and space. */
type OnRecord = (end: number, blank: boolean, line: number) => void

/** Goes on from piece to piece. A quote opens a quoted cell only where the cell starts, as csv-parse has it. */
export class RecordScanner {
  #state = atStart
  #blank = true
  /** The line that is being read, that on which its record began, and that of the last quote that opened; from 1. */
  #line = 1
  #recordLine = 1
  #quoteLine = 1

  scan(bytes: Uint8Array, onRecord: OnRecord): void {
    // Every byte of a large file goes through this loop, so what changes in it is kept close at hand.
    let state = this.#state
    let blank = this.#blank
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (byte > comma) {
        // No byte that means something comes after the comma.
        blank = false
        if (state !== inQuotes) state = inCell
      } else if (state === inQuotes) {
        if (byte === quote) state = afterQuote
        else if (byte === lineFeed) this.#line += 1
        else if (byte !== space && byte !== tab && byte !== carriageReturn && byte !== formFeed) blank = false
      } else if (byte === quote) {
        if (state === atStart) this.#quoteLine = this.#line
        else blank = false
        if (state !== inCell) state = inQuotes
      } else if (byte === lineFeed) {
        this.#line += 1
        this.#blank = blank
        this.#endRecord(at + 1, onRecord)
        blank = true
        state = atStart
      } else if (byte === comma) {
        state = atStart
      } else if (byte !== space && byte !== tab && byte !== carriageReturn && byte !== formFeed) {
        blank = false
        state = inCell
      } else if (state === afterQuote) {
        // What was closed stays closed: a quote that comes now is in its row alone out of place.
        state = inCell
      }
    }
    this.#state = state
    this.#blank = blank
  }

  /** The last record needs no line feed. */
  finish(end: number, onRecord: OnRecord): void {
    if (this.#state === inQuotes) throw new InputFault('has a quote that is never closed', this.#quoteLine)
    this.#endRecord(end, onRecord)
    this.#state = atStart
  }

  /** Where the record began that is being read. */
  get recordLine(): number {
    return this.#recordLine
  }

  /** Where to look when a record grows beyond all measure. */
  get suspectLine(): number {
    return this.#state === inQuotes ? this.#quoteLine : this.#recordLine
  }

  #endRecord(end: number, onRecord: OnRecord): void {
    const { line, blank } = { line: this.#recordLine, blank: this.#blank }
    this.#blank = true
    this.#recordLine = this.#line
    onRecord(end, blank, line)
  }
}

/** Programs that write one of these first do not write CSV in UTF-8. */
const otherFiles: readonly (readonly [lead: readonly number[], message: string])[] = [
  [[0xff, 0xfe], 'is in UTF-16: save it as CSV in UTF-8'],
  [[0xfe, 0xff], 'is in UTF-16: save it as CSV in UTF-8'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a spreadsheet or an archive: save it as CSV'],
]
const byteOrderMark = [0xef, 0xbb, 0xbf]
const leadBytes = 4

const startsWith = (bytes: Uint8Array, lead: readonly number[]): boolean =>
  lead.every((byte, at) => bytes[at] === byte)

/** The file's first bytes, less the mark that some programs put first. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  for (const [lead, message] of otherFiles) if (startsWith(bytes, lead)) throw new InputFault(message)
  return startsWith(bytes, byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes
}

const none = new Uint8Array(0)

/** Takes a file in pieces of any size and gives it back in pieces that hold whole records; the header apart. */
export class CsvSplitter {
  readonly #scanner = new RecordScanner()
  /** The first few bytes, until there are enough to know what they are; null from then on. */
  #lead: Uint8Array | null = none
  /** The record that has not ended yet. */
  #carry: Uint8Array = none
  #header: Uint8Array | null = null
  #headerLine = 1
  #rows = 0

  /** The first record that is not blank; null until it was seen. */
  get header(): Uint8Array | null {
    return this.#header
  }

  /** The line on which the header stands. */
  get headerLine(): number {
    return this.#headerLine
  }

  /** Rows given back so far. */
  get rows(): number {
    return this.#rows
  }

  push(bytes: Uint8Array): Chunk | null {
    if (this.#lead === null) return this.#take(bytes, false)
    this.#lead = joined(this.#lead, bytes)
    return this.#lead.length < leadBytes ? null : this.#take(this.#leave(this.#lead), false)
  }

  end(): Chunk | null {
    return this.#take(this.#lead === null ? none : this.#leave(this.#lead), true)
  }

  #leave(lead: Uint8Array): Uint8Array {
    this.#lead = null
    return withoutMark(lead)
  }

  #take(bytes: Uint8Array, last: boolean): Chunk | null {
    const whole = joined(this.#carry, bytes)
    const offset = this.#carry.length
    let start = 0
    let end = 0
    let rows = 0
    let firstLine = this.#scanner.recordLine
    const onRecord: OnRecord = (at, blank, line) => {
      end = offset + at
      if (this.#header !== null) {
        if (!blank) rows += 1
        return
      }
      if (!blank) {
        this.#header = whole.slice(start, end)
        this.#headerLine = line
      }
      start = end
      firstLine = this.#scanner.recordLine
    }
    this.#scanner.scan(bytes, onRecord)
    if (last && end < whole.length) this.#scanner.finish(bytes.length, onRecord)
    this.#carry = whole.subarray(end)
    if (this.#carry.length > rowBytesMax) {
      const message = 'has a row of more than a mebibyte, or a quote that is never closed'
      throw new InputFault(message, this.#scanner.suspectLine)
    }
    if (rows === 0) return null
    const chunk = { bytes: whole.slice(start, end), rows, firstRow: this.#rows, firstLine }
    this.#rows += rows
    return chunk
  }
}
