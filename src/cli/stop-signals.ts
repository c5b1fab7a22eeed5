/** The signals that stop a command, and their exit codes. */

import type { CommandProcess } from './deps.ts'

/** SIGHUP is sent when the terminal closes. The codes are those that a shell reports. */
const exitCodes: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
}

export const stopSignals = Object.keys(exitCodes) as NodeJS.Signals[]

export const stopExitCode = (name: NodeJS.Signals): number => exitCodes[name] ?? 1

/** The reason of the abort signal when one of these signals came. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly exitCode: number

  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`)
    this.exitCode = stopExitCode(signal)
  }
}

/** Runs work that can be stopped between its steps: the first signal aborts it. */
export async function stoppable<Result>(
  process: CommandProcess,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const listener = (name: NodeJS.Signals): void => controller.abort(new Stopped(name))
  for (const name of stopSignals) process.on(name, listener)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of stopSignals) process.removeListener(name, listener)
  }
}
