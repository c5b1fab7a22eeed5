/** Writes one part of an archive: a file of records, and a file with the hashes of all leaves in its range. */

import type { PartFile, SealedDecision, ToParquet } from '../ports/operate/archive.ts'
import type { LogLeaf } from '../ports/log.ts'
import { withheldNames, withheldOverride, withheldRecord } from '../audit/withheld.ts'
import type { Mask } from '../operate/mask.ts'
import { hashFile } from './files.ts'
import { lineOf } from './line.ts'
import { noDecisions, type ArchiveFormat, type ArchivePart } from './manifest.ts'
import type { OwnFiles } from './own-files.ts'
import { archiveColumns, headerText, rowText } from './table.ts'

const bufferBytes = 1 << 21
/** The most UTF-8 bytes that one UTF-16 code unit can need. */
const bytesPerUnitMax = 3

const buffer = (): Buffer => Buffer.from(new SharedArrayBuffer(bufferBytes))

/** Texts are gathered in one buffer while the other is written and hashed. */
class BufferedFile {
  readonly #file: PartFile
  #written: Promise<void> = Promise.resolve()
  #buffer = buffer()
  #other = buffer()
  /** The bytes in use of the buffer. */
  #end = 0
  bytes = 0

  constructor(file: PartFile) {
    this.#file = file
  }

  add(text: string, encoding: BufferEncoding = 'utf8'): void {
    const endMax = this.#end + bytesPerUnitMax * text.length
    if (endMax > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer.subarray(0, this.#end)], 2 * endMax)
    this.#end += this.#buffer.write(text, this.#end, encoding)
  }

  async flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#end)
    await this.#written
    this.#written = this.#file.append(bytes)
    // The next call fails with it.
    this.#written.catch(() => undefined)
    this.bytes += bytes.byteLength
    const written = this.#buffer
    this.#buffer = this.#other
    this.#other = written
    this.#end = 0
  }

  async finish(): Promise<string> {
    await this.flush()
    await this.#written
    return this.#file.finish()
  }

  async discard(): Promise<void> {
    await this.#written.catch(() => undefined)
    await this.#file.discard()
  }
}

/** The form of a part, and its files. */
export interface PartDeps {
  readonly files: OwnFiles
  readonly format: ArchiveFormat
  /** For Parquet alone. */
  readonly toParquet: ToParquet | null
  readonly mask: Mask
}

const numbered = (kind: string, number: number, extension: string): string =>
  `${kind}-${String(number).padStart(6, '0')}.${extension}`

/** How a decision is written in each format. Parquet is made of CSV. */
const textsOf: Readonly<
  Record<ArchiveFormat, (leaf: LogLeaf, decision: SealedDecision, mask: Mask) => readonly string[]>
> = {
  jsonl: (leaf, decision, mask) => lineOf(leaf, withheldIn(decision, mask)),
  csv: (leaf, decision, mask) => [rowText(leaf, decision, { mask, isForPeople: true })],
  parquet: (leaf, decision, mask) => [rowText(leaf, decision, { mask, isForPeople: false })],
}

/** Sealed members cannot be changed: masked texts are left out, as after an erasure. */
function withheldIn(decision: SealedDecision, mask: Mask): SealedDecision {
  if (mask.names.size === 0) return decision
  const { record, override, outcome } = decision
  return {
    record: withheldRecord(record, mask),
    override: override === null ? null : { ...override, value: withheldOverride(override.value, mask) },
    outcome,
  }
}

/** The masked members that the files would have. */
export function maskedIn(format: ArchiveFormat, { names }: Pick<Mask, 'names'>): string[] {
  const members = format === 'jsonl' ? withheldNames : Object.keys(archiveColumns({ names }))
  return members.filter((name) => names.has(name))
}

export class PartWriter {
  readonly #deps: PartDeps
  readonly #number: number
  readonly #records: BufferedFile
  readonly #leaves: BufferedFile
  readonly #firstLeaf: number
  readonly #decisions = { ...noDecisions }
  #endLeaf: number
  records = 0

  private constructor(
    deps: PartDeps,
    place: { readonly number: number; readonly firstLeaf: number },
    files: { readonly records: BufferedFile; readonly leaves: BufferedFile },
  ) {
    this.#deps = deps
    this.#number = place.number
    this.#firstLeaf = place.firstLeaf
    this.#endLeaf = place.firstLeaf
    this.#records = files.records
    this.#leaves = files.leaves
    if (deps.format !== 'jsonl') files.records.add(headerText)
  }

  static async open(
    deps: PartDeps,
    place: { readonly number: number; readonly firstLeaf: number },
  ): Promise<PartWriter> {
    const { files, format } = deps
    const records = new BufferedFile(
      await files.create(numbered('records', place.number, format === 'parquet' ? 'csv' : format)),
    )
    const leaves = new BufferedFile(await files.create(numbered('leaves', place.number, 'bin')))
    return new PartWriter(deps, place, { records, leaves })
  }

  /** The decision is null for a leaf whose record is not part of the archive. */
  add(leaf: LogLeaf, decision: SealedDecision | null): void {
    this.#endLeaf = leaf.index + 1
    this.#leaves.add(leaf.leafHash, 'base64')
    if (decision === null) return
    for (const text of textsOf[this.#deps.format](leaf, decision, this.#deps.mask)) this.#records.add(text)
    this.#decisions[decision.record.verdict] += 1
    this.records += 1
  }

  /** Writes what was added since the last call. */
  async flush(): Promise<void> {
    await this.#records.flush()
    await this.#leaves.flush()
  }

  /** Waits for the disk. The files keep their temporary names. */
  async finish(): Promise<ArchivePart> {
    const { format } = this.#deps
    const leavesSha256 = await this.#leaves.finish()
    const sha256 = await this.#records.finish()
    const written =
      format === 'parquet'
        ? await this.#convert()
        : { file: numbered('records', this.#number, format), bytes: this.#records.bytes, sha256 }
    return {
      ...written,
      records: this.records,
      decisions: this.#decisions,
      first_leaf: this.#firstLeaf,
      end_leaf: this.#endLeaf,
      leaves_file: numbered('leaves', this.#number, 'bin'),
      leaves_sha256: leavesSha256,
    }
  }

  async #convert(): Promise<Pick<ArchivePart, 'file' | 'bytes' | 'sha256'>> {
    const { files, toParquet, mask } = this.#deps
    const { folder } = files
    const csv = files.temporary(numbered('records', this.#number, 'csv'))
    const file = numbered('records', this.#number, 'parquet')
    const parquet = files.temporary(file)
    await toParquet?.(folder, { csv, parquet }, archiveColumns(mask))
    await folder.remove(csv)
    return { file, ...(await hashFile(folder, parquet)) }
  }

  async discard(): Promise<void> {
    await this.#records.discard()
    await this.#leaves.discard()
  }
}
