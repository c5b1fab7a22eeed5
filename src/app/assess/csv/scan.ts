/** Finds the ends of CSV records without parsing them, to split large files into chunks. */

import { InputFault, joined, rowBytesMax, type Chunk } from '../input-fault.ts'

const quote = 0x22
const comma = 0x2c
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const tab = 0x09
const formFeed = 0x0c

/** Scanner states. After a quote inside quotes, the next byte shows whether it closed the cell or was doubled. */
const atStart = 0
const inCell = 1
const inQuotes = 2
const afterQuote = 3

/** `end` is the offset after the record's line feed. A blank record contains only separators and whitespace. */
type OnRecord = (end: number, blank: boolean, line: number) => void

/** Scans across chunks. As in csv-parse, a quote opens a quoted cell only at the start of the cell. */
export class RecordScanner {
  #state = atStart
  #blank = true
  /** One-based lines: the current one, the start of its record, and the last opening quote. */
  #line = 1
  #recordLine = 1
  #quoteLine = 1

  scan(bytes: Uint8Array, onRecord: OnRecord): void {
    // Hot loop: local variables are faster than private fields.
    let state = this.#state
    let blank = this.#blank
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (byte > comma) {
        // All significant bytes are at or below the comma.
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
        // The quoted cell is closed: a later quote is misplaced and affects its own row only.
        state = inCell
      }
    }
    this.#state = state
    this.#blank = blank
  }

  /** Ends the last record, which needs no line feed. */
  finish(end: number, onRecord: OnRecord): void {
    if (this.#state === inQuotes) throw new InputFault('has a quote that is never closed', this.#quoteLine)
    this.#endRecord(end, onRecord)
    this.#state = atStart
  }

  /** The line on which the current record starts. */
  get recordLine(): number {
    return this.#recordLine
  }

  /** The likely line of the fault if a record exceeds the maximum length. */
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

/** Leading bytes of files that are not CSV in UTF-8. */
const otherFiles: readonly (readonly [lead: readonly number[], message: string])[] = [
  [[0xff, 0xfe], 'is in UTF-16: save it as CSV in UTF-8'],
  [[0xfe, 0xff], 'is in UTF-16: save it as CSV in UTF-8'],
  [[0x50, 0x4b, 0x03, 0x04], 'is a spreadsheet or an archive: save it as CSV'],
]
const byteOrderMark = [0xef, 0xbb, 0xbf]
const leadBytes = 4

const startsWith = (bytes: Uint8Array, lead: readonly number[]): boolean =>
  lead.every((byte, at) => bytes[at] === byte)

/** Removes a leading byte order mark. Throws for files of other formats. */
function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  for (const [lead, message] of otherFiles) if (startsWith(bytes, lead)) throw new InputFault(message)
  return startsWith(bytes, byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes
}

const none = new Uint8Array(0)

/** Splits a file, read in chunks of any size, into its header and chunks of complete records. */
export class CsvSplitter {
  readonly #scanner = new RecordScanner()
  /** The first bytes, until there are enough to detect the format; then null. */
  #lead: Uint8Array | null = none
  /** The start of an incomplete record. */
  #carry: Uint8Array = none
  #header: Uint8Array | null = null
  #headerLine = 1
  #rows = 0

  /** The first record that is not blank; null until it is complete. */
  get header(): Uint8Array | null {
    return this.#header
  }

  /** The line of the header. */
  get headerLine(): number {
    return this.#headerLine
  }

  /** Rows returned so far. */
  get rows(): number {
    return this.#rows
  }

  push(bytes: Uint8Array): Chunk | null {
    if (this.#lead === null) return this.#take(bytes, false)
    this.#lead = joined(this.#lead, bytes)
    return this.#lead.length < leadBytes ? null : this.#take(this.#endLead(this.#lead), false)
  }

  end(): Chunk | null {
    return this.#take(this.#lead === null ? none : this.#endLead(this.#lead), true)
  }

  #endLead(lead: Uint8Array): Uint8Array {
    this.#lead = null
    return withoutByteOrderMark(lead)
  }

  #take(bytes: Uint8Array, last: boolean): Chunk | null {
    const buffer = joined(this.#carry, bytes)
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
        this.#header = buffer.slice(start, end)
        this.#headerLine = line
      }
      start = end
      firstLine = this.#scanner.recordLine
    }
    this.#scanner.scan(bytes, onRecord)
    if (last && end < buffer.length) this.#scanner.finish(bytes.length, onRecord)
    this.#carry = buffer.subarray(end)
    if (this.#carry.length > rowBytesMax) {
      const message = 'has a row of more than 1 MiB, or a quote that is never closed'
      throw new InputFault(message, this.#scanner.suspectLine)
    }
    if (rows === 0) return null
    const chunk = { bytes: buffer.slice(start, end), rows, firstRow: this.#rows, firstLine }
    this.#rows += rows
    return chunk
  }
}
