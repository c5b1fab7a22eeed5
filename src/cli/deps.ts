/** Dependencies of the commands. They are lazy: a command loads only the code that it uses. */

import type { FastifyBaseLogger } from 'fastify'
import type { Readable } from 'node:stream'
import type { ChunkJob, ChunkResult } from '../app/assess/assess-chunk.ts'
import type { ArchiveFolder, ToParquet } from '../app/ports/operate/archive.ts'
import type { Backups } from '../app/ports/operate/backup.ts'
import type { DatabaseLook, Machine } from '../app/ports/operate/doctor.ts'
import type { After, Clock, Random } from '../app/ports/system.ts'
import type { WorkerPool, InputFile, OutputFolder } from '../app/ports/assess.ts'
import type { Captcha } from '../app/ports/identity/access.ts'
import type { EventSink } from '../app/ports/events.ts'
import type { FeedSet } from '../app/ports/feeds.ts'
import type { KeyFile } from '../app/ports/log.ts'
import type { Store } from '../app/ports/store.ts'
import type { Config } from '../config.ts'
import type { Policy } from '../core/decision/policy.ts'
import type { NatsSettings } from '../core/events/nats-servers.ts'
import type { Corridor } from '../core/reference/corridor.ts'
import type { ReadSettings } from './settings-faults.ts'
import type { UserDeps } from './user/session/deps.ts'

export interface RunningServer {
  readonly url: string
  readonly logger: FastifyBaseLogger
  /** Reloads the live feeds; null if there are none. An invalid file is logged and changes nothing. */
  readonly reload: (() => void) | null
  /** Stops accepting requests, waits for running ones, closes the store. */
  stop(): Promise<void>
}

/** A request to the webhook receiver. */
export interface ReceivedEvent {
  /** Includes the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The exact bytes that the signature covers. */
  readonly body: Uint8Array
  readonly at: Date
}

interface ReceiverOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The HTTP status of every response. */
  readonly status: number
  readonly onRequest: (received: ReceivedEvent) => void
}

type OpenedFeeds =
  | { readonly kind: 'open'; readonly feeds: FeedSet & { close(): Promise<void> } }
  /** One finding for each fault in the file, with its line and field. */
  | { readonly kind: 'bad'; readonly findings: readonly string[] }

export interface StoreOptions {
  /** For commands that may come before the first start of the service. */
  readonly mayCreate?: boolean
}

/** An output stream of a command: a terminal, a file or a pipe. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
}

type SignalListener = (signal: NodeJS.Signals) => void

/** The part of `process` that a command may use. Tests pass their own for each command. */
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
  /** Sends a message to the parent process; undefined without an IPC channel. */
  send?(message: object, handle?: undefined, options?: undefined, sent?: () => void): unknown
}

export interface CliDeps {
  readonly process: CommandProcess
  openReceiver(options: ReceiverOptions): Promise<{ readonly url: string; close(): Promise<void> }>
  /** `-` reads standard input. */
  openInput(path: string, signal: AbortSignal): Promise<InputFile>
  /** Fails if one of the named files would overwrite the input. */
  openOutput(path: string, names: readonly string[], inputId: string | null): Promise<OutputFolder>
  openWorkerPool(policy: Policy): Promise<WorkerPool<ChunkJob, ChunkResult>>
  readonly clock: Clock
  readonly random: Random
  /** The operating system's user name, recorded with operator actions. */
  readonly operator: () => string
  /** How the person calls this program, for commands in messages. */
  readonly command: string
  config(): Config
  /** Every fault of the settings, where `config` throws the first. */
  settings(): ReadSettings
  /**
   * Fails if the SQLite file does not exist, unless `mayCreate` is set. A new file has no records, so a mistyped path would
   * look like an empty installation.
   */
  openStore(config: Config, options?: StoreOptions): Promise<Store>
  openBackups(config: Config): Promise<Backups>
  openKeyFile(path: string): KeyFile
  openEventSink(settings: NatsSettings): Promise<EventSink>
  /** Creates the folder, unless it is only read. */
  openArchive(path: string, access: { readonly isRead: boolean }): Promise<ArchiveFolder>
  /** Null if the package for it is not installed. */
  openParquet(): Promise<ToParquet | null>
  serve(config: Config): Promise<RunningServer>
  /** Some feeds read outcomes from the store; without it they have no history. Throws `FileFault` without a file. */
  openFeeds(path: string, store: Store | null): Promise<OpenedFeeds>
  /** The corridors of a feeds file that its probe observes. Needs none of the secrets of its headers. */
  observedCorridors(path: string): Promise<Corridor[]>
  /** The JSON Schema of the feeds file. */
  feedsSchema(): Promise<object>
  /** Opens a database to look at it, and changes nothing. Null if there is no such file. */
  lookAtDatabase(databaseUrl: string): Promise<DatabaseLook | null>
  machine(): Promise<Machine>
  /** Fails with one clear line if the packages that FAIRWAY_NATS_URL needs are not installed. */
  checkPackages(of: 'nats' | 'telemetry'): Promise<void>
  /** `onFailure` gets the cause when the service gives no verdict. */
  openCaptcha(
    settings: NonNullable<Config['captcha']>,
    onFailure: (cause: string) => void,
  ): Promise<Captcha & { close(): Promise<void> }>
  readonly after: After
  /** The page on how Fairway decides. */
  methodology(): Promise<string>
  /** For user commands, which have a server and a key but no store. */
  readonly user: UserDeps
}

/** Control characters, line ends and invisible marks, except the joiners that some scripts need for spelling. */
const invisible = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu

/** One line without terminal control sequences, invisible characters or changes of text direction. */
export function plain(text: string): string {
  return text.replaceAll(invisible, ' ')
}

/** Ends a command with a one-line error message. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number
  /** Further lines, printed below the message. */
  readonly details: readonly string[]

  constructor(message: string, exitCode = 1, details: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.details = details
  }
}

/** Runs work on the store and prints its result. */
export type WithStore = (work: (store: Store) => Promise<string>) => Promise<void>

/** Opens the store for one command and always closes it afterwards. */
export function storeWork(deps: CliDeps, options: StoreOptions = {}): WithStore {
  return async (work) => {
    const store = await deps.openStore(deps.config(), options)
    try {
      deps.process.stdout.write(`${await work(store)}\n`)
    } finally {
      await store.close()
    }
  }
}
