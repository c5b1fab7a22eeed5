/** Ports of the doctor: the machine and the database as they are found. Looking changes nothing. */

import type { Store } from '../store.ts'

export interface FileLook {
  /** `unknown` if a folder above it cannot be searched. */
  readonly kind: 'file' | 'folder' | 'other' | 'unknown'
  readonly isReadable: boolean
  readonly isWritable: boolean
  /** The permissions of owner, group and others; null on a system without them. */
  readonly mode: number | null
  readonly bytes: number
}

export type PortLook =
  | { readonly kind: 'free' }
  /** A server of this program holds the port. `version` is null if its store does not respond. */
  | { readonly kind: 'fairway'; readonly answeredMs: number; readonly version: string | null }
  | { readonly kind: 'taken' }
  /** The address cannot be opened at all. */
  | { readonly kind: 'unusable'; readonly code: string }

export interface Machine {
  /** The version of Node.js, and those that run the program, as a manifest names them. */
  node(): { readonly version: string; readonly needed: string }
  /** Null if there is nothing at this path. */
  lookAt(path: string): Promise<FileLook | null>
  /** The path behind links. */
  realPath(path: string): string
  /** Of the real path. */
  folderOf(path: string): string
  freeBytes(folder: string): Promise<number>
  lookAtPort(host: string, port: number): Promise<PortLook>
}

/** A database opened to read: nothing is created, migrated or written. */
export interface DatabaseLook {
  readonly engine: 'SQLite' | 'PostgreSQL'
  readonly version: string
  /** The newest migration of the database, 0 without any, and the newest of this program. */
  readonly schema: number
  readonly schemaKnown: number
  readonly isPrimary: boolean
  readonly bytes: number
  /** The server's clock; null without a server. */
  serverNowMs(): Promise<number | null>
  /** When the newest decision was recorded; null if there is none. */
  newestRecordAtMs(): Promise<number | null>
  /** Whether a server owns the file; null for a database that servers share. */
  isOwned(): boolean | null
  /** Its reads need the current schema, and its writes fail. */
  readonly store: Store
  close(): Promise<void>
}
