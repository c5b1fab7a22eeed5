/** Starts a server that outlives the command that started it, with its output in a log file. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface BackgroundServer {
  /** The script and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logFile: string
}

const lastLinesCount = 5

export async function startInBackground({ command, environment, logFile }: BackgroundServer) {
  await mkdir(dirname(logFile), { recursive: true })
  const { child, earlierBytes } = spawnLogged(command, environment, logFile)
  const ended = once(child, 'exit')
  let isListening = false
  // Sent over IPC, because the log level may suppress the log line.
  child.once('message', () => (isListening = true))
  await once(child, 'spawn')
  // The command may exit while the server runs.
  child.unref()
  child.channel?.unref()
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    logFile,
    hasEnded,
    isListening: () => isListening,
    async lastLogLines() {
      const log = await readFile(logFile).catch(() => Buffer.alloc(0))
      // Skip the output of earlier servers.
      const text = log.toString('utf8', earlierBytes).trimEnd()
      return text === '' ? [] : text.split('\n').slice(-lastLinesCount)
    },
    async stop() {
      if (hasEnded()) return
      child.ref()
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Synchronous, because a signal in between would leave an orphaned server. */
function spawnLogged(
  command: readonly string[],
  environment: BackgroundServer['environment'],
  logFile: string,
): { child: ChildProcess; earlierBytes: number } {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  // Readable by the owner only: the log mentions payments. Never through a link, which somebody may have planted.
  const log = openSync(logFile, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
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
