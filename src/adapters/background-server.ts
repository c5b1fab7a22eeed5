/** A server that is started beside a command and goes on when that has ended; its words go to a file. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile } from 'node:fs/promises'
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
  // Whose payments are asked about is nobody else's business.
  const log = await open(logFile, 'a', 0o600)
  try {
    const child = spawn(process.execPath, command, {
      env: { ...environment },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const ended = once(child, 'exit')
    await once(child, 'spawn')
    // The command does not wait for it.
    child.unref()
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
    return {
      pid: child.pid ?? 0,
      logFile,
      hasEnded,
      async lastWords() {
        const text = await readFile(logFile, 'utf8').catch(() => '')
        return text.trimEnd().split('\n').slice(-lastLines)
      },
      async stop() {
        if (hasEnded()) return
        child.ref()
        child.kill('SIGTERM')
        await ended
      },
    }
  } finally {
    await log.close()
  }
}
