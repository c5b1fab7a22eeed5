/**
 * The files of one export, in a folder that may hold files of others. A file is written under a temporary name that ends with
 * a mark: a signature of what is exported, which nobody without the key can make, and which the same command finds again.
 */

import { hash } from 'node:crypto'
import { signatureOver } from '../audit/signature.ts'
import { hashOf } from '../audit/bundle.ts'
import type { Signing } from '../log/installation-key.ts'
import type { ArchiveFolder, PartFile } from '../ports/operate/archive.ts'
import { hashFile } from './files.ts'
import type { ArchiveScope } from './manifest.ts'

const markDigits = 16

/** `finished`: under its temporary name still. */
type FileState = 'published' | 'finished' | 'changed' | 'missing'

export class OwnFiles {
  readonly folder: ArchiveFolder
  readonly #end: string

  constructor(folder: ArchiveFolder, scope: ArchiveScope, signing: Signing) {
    const { note } = signatureOver(`fairway/archive-files/1\n${hashOf(scope)}\n`, signing)
    this.folder = folder
    this.#end = `.${hash('sha256', note, 'hex').slice(0, markDigits)}.part`
  }

  temporary(name: string): string {
    return `${name}${this.#end}`
  }

  isTemporary(name: string): boolean {
    return name.endsWith(this.#end)
  }

  create(name: string): Promise<PartFile> {
    return this.folder.create(this.temporary(name))
  }

  /** Gives a finished file its name, which no other file may have. */
  publish(name: string): Promise<void> {
    return this.folder.rename(this.temporary(name), name)
  }

  /** Writes a file of this export anew, whole. */
  async replace(name: string, text: string): Promise<void> {
    const file = await this.create(name)
    try {
      await file.append(Buffer.from(text))
      await file.finish()
    } catch (error) {
      await file.discard()
      throw error
    }
    await this.folder.rename(this.temporary(name), name, { replaces: true })
  }

  /** Compares a file with its hash, under its own name or, if it was not published yet, under its temporary one. */
  async stateOf(name: string, sha256: string, names: ReadonlySet<string>): Promise<FileState> {
    const isPublished = names.has(name)
    const actual = isPublished ? name : this.temporary(name)
    if (!names.has(actual)) return 'missing'
    if ((await hashFile(this.folder, actual)).sha256 !== sha256) return 'changed'
    return isPublished ? 'published' : 'finished'
  }

  async removeTemporary(): Promise<void> {
    for (const name of await this.folder.names()) if (this.isTemporary(name)) await this.folder.remove(name)
  }
}
