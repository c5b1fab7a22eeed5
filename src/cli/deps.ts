/** What the commands are handed: lazy, so that a command starts only what it uses. */

import type { FastifyBaseLogger } from 'fastify'
import type { Readable } from 'node:stream'
import type { ChunkJob, ChunkResult } from '../app/assess/assess-chunk.ts'
import type { Backups } from '../app/ports/backup.ts'
import type { Clock, Random } from '../app/ports/system.ts'
import type { WorkerPool, InputFile, OutputFolder } from '../app/ports/assess.ts'
import type { LiveFeeds } from '../app/ports/feeds.ts'
import type { Store } from '../app/ports/store.ts'
import type { Config } from '../config.ts'
import type { Policy } from '../core/decision/policy.ts'
import type { UserDeps } from './user/session/deps.ts'

export interface RunningServer {
  readonly url: string
  readonly logger: FastifyBaseLogger
  /** Reads the live feeds again; null where there are none. A bad file is logged, and changes nothing. */
  readonly reload: (() => void) | null
  /** Takes no new requests, lets running ones finish, closes the store. */
  stop(): Promise<void>
}

/** A request that somebody made of the receiver. */
export interface ReceivedEvent {
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The exact bytes: a signature is over these. */
  readonly body: Uint8Array
  readonly at: Date
}

interface ReceiverOptions {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** What it answers. */
  readonly status: number
  readonly onRequest: (received: ReceivedEvent) => void
}

type OpenedFeeds =
  | { readonly kind: 'open'; readonly feeds: LiveFeeds; close(): Promise<void> }
  /** What is wrong with the file, each with its line and field. */
  | { readonly kind: 'bad'; readonly findings: readonly string[] }

/** An output of a command: a terminal, or anything else that takes text. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

type SignalListener = (signal: NodeJS.Signals) => void

/** As much of the process as a command may touch: the program's own, or one that is made for a single command. */
export interface CommandProcess {
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number }
  readonly stdout: Output
  readonly stderr: Output
  readonly pid: number
  on(name: NodeJS.Signals, listener: SignalListener): unknown
  once(name: NodeJS.Signals, listener: SignalListener): unknown
  removeListener(name: NodeJS.Signals, listener: SignalListener): unknown
  kill(pid: number, name: NodeJS.Signals): unknown
  exit(code: number): void
  /** To the process that started this one, where it listens. */
  send?(message: object, handle?: undefined, options?: undefined, sent?: () => void): unknown
}

export interface CliDeps {
  readonly process: CommandProcess
  openReceiver(options: ReceiverOptions): Promise<{ readonly url: string; close(): Promise<void> }>
  /** `-` is the standard input. */
  openInput(path: string, signal: AbortSignal): Promise<InputFile>
  /** Refuses to overwrite the input with one of the named files. */
  openOutput(path: string, names: readonly string[], inputId: string | null): Promise<OutputFolder>
  openWorkerPool(policy: Policy): Promise<WorkerPool<ChunkJob, ChunkResult>>
  readonly clock: Clock
  readonly random: Random
  /** The name of the login, for what is recorded of people. */
  operator(): string
  config(): Config
  openStore(config: Config): Promise<Store>
  openBackups(config: Config): Promise<Backups>
  serve(config: Config): Promise<RunningServer>
  /** The store is for feeds that read it; without one they have no history. Throws `FileFault` where there is no file. */
  openFeeds(path: string, store: Store | null): Promise<OpenedFeeds>
  /** The form of the feeds file, as JSON Schema. */
  feedsSchema(): Promise<object>
  /** For the commands of users, who have a server and a key but no store. */
  readonly user: UserDeps
}

/** Controls, line ends, and marks that are not seen; but for the joiners, without which some words are not spelt. */
const unseen = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu

/** On one line, and nothing that a terminal would obey, that hides, or that would turn the rest of the line around. */
export function plain(text: string): string {
  return text.replaceAll(unseen, ' ')
}

/** Ends a command with one clear line. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number
  /** What belongs to it, a line each. */
  readonly details: readonly string[]

  constructor(message: string, exitCode = 1, details: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.details = details
  }
}

/** Runs work on the store and prints what it says. */
export type WithStore = (work: (store: Store) => Promise<string>) => Promise<void>

/** Opens the store for one command, and closes it after it whatever happens. */
export function storeWork(parts: CliDeps): WithStore {
  return async (work) => {
    const store = await parts.openStore(parts.config())
    try {
      parts.process.stdout.write(`${await work(store)}\n`)
    } finally {
      await store.close()
    }
  }
}
