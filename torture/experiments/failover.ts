/** The cluster of `deploy/ha` under load, whose primary fails again and again: no acknowledged decision is lost or doubled. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { missingForFailover } from '../failover/needs.ts'

const inside = fileURLToPath(new URL('../failover/inside.ts', import.meta.url))

/** The first process of a namespace must wait for those whose parents have ended; a shell does. Its end ends all of them. */
const isolated = [
  '--net',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  '"$@"; exit $?',
  'sh',
]

export const experiment: Experiment = {
  promise:
    'Patroni, 2 servers: killed, stopped, cut off or without etcd, no decision is lost or doubled, no event missing',
  skipped: missingForFailover,
  async run({ print, ...options }: Options): Promise<Outcome> {
    const folder = mkdtempSync(join(tmpdir(), 'fairway-failover-outcome-'))
    const outcomeFile = join(folder, 'outcome.json')
    const args = [...isolated, process.execPath, inside, JSON.stringify(options), outcomeFile]
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const stop = (): boolean => child.kill('SIGKILL')
    process.once('exit', stop)
    try {
      createInterface(child.stdout).on('line', print)
      const [code] = (await once(child, 'close')) as [number | null]
      if (!existsSync(outcomeFile)) throw new Error(`the failover experiment ended with ${code}`)
      return JSON.parse(readFileSync(outcomeFile, 'utf8')) as Outcome
    } finally {
      process.removeListener('exit', stop)
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
