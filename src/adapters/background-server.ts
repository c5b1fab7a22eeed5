/** A server that is started beside a command and goes on when that has ended; its words go to a file. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface BackgroundServer {
  /** The program, and what it is told. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logFile: string
}

const lastLines = 5

export async function startInBackground({ command, environment, logFile }: BackgroundServer) {
  await mkdir(dirname(logFile), { recursive: true })
  const { child, earlierBytes } = spawnLogged(command, environment, logFile)
  const ended = once(child, 'exit')
  let isListening = false
  // It says so to us, and not only to its log, which may be told to leave that out.
  child.once('message', () => (isListening = true))
  await once(child, 'spawn')
  // The command does not wait for it.
  child.unref()
  child.channel?.unref()
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    logFile,
    hasEnded,
    isListening: () => isListening,
    async lastWords() {
      const log = await readFile(logFile).catch(() => Buffer.alloc(0))
      // What earlier servers said does not explain the end of this one.
      const text = log.toString('utf8', earlierBytes).trimEnd()
      return text === '' ? [] : text.split('\n').slice(-lastLines)
    },
    async stop() {
      if (hasEnded()) return
      child.ref()
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** All at once: a signal that came in between would leave a server of which nobody knows. */
function spawnLogged(
  command: readonly string[],
  environment: BackgroundServer['environment'],
  logFile: string,
): { child: ChildProcess; earlierBytes: number } {
  // Whose payments are asked about is nobody else's business.
  const log = openSync(logFile, 'a', 0o600)
  try {
    const earlierBytes = fstatSync(log).size
    const child = spawn(process.execPath, command, {
      env: { ...environment },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log, 'ipc'],
    })
    return { child, earlierBytes }
  } finally {
    closeSync(log)
  }
}
