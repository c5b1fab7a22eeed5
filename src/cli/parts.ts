/** What the commands are handed: lazy, so that a command starts only what it uses. */

import type { FastifyBaseLogger } from 'fastify'
import type { Clock, Random, Store } from '../app/ports.ts'
import type { Config } from '../config.ts'

export interface RunningServer {
  readonly url: string
  readonly logger: FastifyBaseLogger
  /** Takes no new requests, lets running ones finish, closes the store. */
  stop(): Promise<void>
}

export interface CliParts {
  readonly clock: Clock
  readonly random: Random
  config(): Config
  openStore(config: Config): Promise<Store>
  serve(config: Config): Promise<RunningServer>
}

/** Ends a command with one clear line. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
