/** Reads the files of an archive piece by piece, and hashes them on the way. */

import { createHash } from 'node:crypto'
import type { ArchiveFolder } from '../ports/operate/archive.ts'
import { FileFault } from '../ports/assess.ts'
import type { Hash } from '../log/merkle.ts'

export const leafBytes = 32
const newline = 0x0a
/** Far beyond any record. */
const lineBytesMax = 16 * 1024 * 1024

export interface HashedBytes {
  readonly bytes: number
  readonly sha256: string
}

/** The length and hash of a file. */
export async function hashFile(folder: ArchiveFolder, name: string): Promise<HashedBytes> {
  const file = readHashed(folder, name)
  await readToEnd(file.pieces)
  return file.result()
}

async function readToEnd(pieces: AsyncGenerator<Uint8Array>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

/** Pieces of a file; its length and hash once all are read. */
function readHashed(folder: ArchiveFolder, name: string) {
  const hash = createHash('sha256')
  let bytes = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of folder.pieces(name)) {
      hash.update(piece)
      bytes += piece.byteLength
      yield piece
    }
  }
  return { pieces: pieces(), result: (): HashedBytes => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Calls back with the lines of each piece. The rest after the last line end is a line, too, unless it is empty. */
export async function readLines(
  folder: ArchiveFolder,
  name: string,
  onLines: (lines: readonly string[]) => Promise<void>,
): Promise<HashedBytes> {
  const file = readHashed(folder, name)
  let rest = Buffer.alloc(0)
  for await (const piece of file.pieces) {
    const joined = Buffer.concat([rest, piece])
    const end = joined.lastIndexOf(newline)
    rest = joined.subarray(end + 1)
    if (rest.length > lineBytesMax) throw new FileFault(`has a line of more than ${lineBytesMax} bytes`)
    if (end >= 0) await onLines(joined.toString('utf8', 0, end).split('\n'))
  }
  if (rest.length > 0) await onLines([rest.toString('utf8')])
  return file.result()
}

/** Reads the hashes of leaves in order. */
export class LeafReader {
  readonly #pieces: AsyncGenerator<Uint8Array>
  readonly #result: () => HashedBytes
  #buffer = Buffer.alloc(0)

  constructor(folder: ArchiveFolder, name: string) {
    const { pieces, result } = readHashed(folder, name)
    this.#pieces = pieces
    this.#result = result
  }

  /** As many hashes as are at hand, at most `countMax`; empty at the end of the file. */
  async next(countMax: number): Promise<Hash[]> {
    while (this.#buffer.length < leafBytes) {
      const { value, done } = await this.#pieces.next()
      if (done === true) return []
      this.#buffer = Buffer.concat([this.#buffer, value])
    }
    const count = Math.min(countMax, Math.floor(this.#buffer.length / leafBytes))
    const hashes = Array.from({ length: count }, (_, place) =>
      this.#buffer.toString('base64', place * leafBytes, (place + 1) * leafBytes),
    )
    this.#buffer = this.#buffer.subarray(count * leafBytes)
    return hashes
  }

  /** Reads what is left. */
  async end(): Promise<HashedBytes> {
    await readToEnd(this.#pieces)
    return this.#result()
  }
}
