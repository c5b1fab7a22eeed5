/** What makes a whole file, not a row of it, unreadable. */

export class InputFault extends Error {
  override readonly name = 'InputFault'
  /** Where in the file, from 1; null where it is no single place. */
  readonly line: number | null

  /** The message goes on from "the file …". */
  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

/** A piece of a file that holds whole rows, and where it stood. */
export interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Rows in the piece, blank ones apart. */
  readonly rows: number
  /** The place of the first row, from 0. */
  readonly firstRow: number
  /** The line on which the piece starts, from 1. */
  readonly firstLine: number
}

/** No honest row is longer; one that is comes from a quote or bracket that never closes. */
export const rowBytesMax = 1_048_576

/** The bytes of both, in a buffer of their own. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** The text, where it is UTF-8; a fault where it is not. */
export function decoded(bytes: Uint8Array, firstLine: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new InputFault('is not text in UTF-8', badLine(bytes, firstLine))
  }
}

function badLine(bytes: Uint8Array, firstLine: number): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = firstLine
  for (let start = 0; start < bytes.length; line += 1) {
    const at = bytes.indexOf(lineFeed, start)
    const end = at < 0 ? bytes.length : at + 1
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      return line
    }
    start = end
  }
  return line
}

const lineFeed = 0x0a
