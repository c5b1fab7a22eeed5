/** The error for an unreadable file, and helpers for its bytes. */

export class InputFault extends Error {
  override readonly name = 'InputFault'
  /** One-based line; null if the fault has no single place. */
  readonly line: number | null

  /** The message continues the sentence "the file …". */
  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

/** A part of a file that contains complete rows, with its position. */
export interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Number of rows, without blank ones. */
  readonly rows: number
  /** Zero-based index of the first row. */
  readonly firstRow: number
  /** One-based line on which the chunk starts. */
  readonly firstLine: number
}

/** Longest row accepted. A longer one usually comes from an unclosed quote or bracket. */
export const rowBytesMax = 1_048_576

/** Concatenates two arrays into a new buffer. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Decodes UTF-8. Throws an `InputFault` with the line if the bytes are not valid. */
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
