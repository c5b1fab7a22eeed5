/** What a run of a document has on the machine while it lasts, processes and folders: taken away however it ends. */

import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const groups = new Set<number>()
const folders = new Set<string>()
let isWatching = false

/** A folder that is removed when this process ends, if nobody has removed it before. */
export function madeFolder(prefix: string): string {
  watch()
  // As the shell spells it, which knows no links above its folder.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  folders.add(folder)
  return folder
}

/** Ends what still runs in a folder that was made here, and removes it. */
export function removeFolder(folder: string): void {
  for (const pid of atHomeIn(folder)) endProcess(pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  folders.delete(folder)
}

/** A group of processes, named by its leader, that must not outlive this process. */
export function watchGroup(pid: number | undefined): void {
  if (pid === undefined) return
  watch()
  groups.add(pid)
}

/** The leader has ended: its number may soon be another's. */
export function forgetGroup(pid: number | undefined): void {
  if (pid !== undefined) groups.delete(pid)
}

export function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Whoever was started in this folder has its home in it, also what left its group and its terminal. Linux alone can tell. */
function atHomeIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  const home = `\0HOME=${folder}/`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(home)
      } catch {
        // It has ended, or is another user's.
        return false
      }
    })
    .map(Number)
}

function watch(): void {
  if (isWatching) return
  isWatching = true
  process.once('exit', sweep)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      sweep()
      // The listener is gone, so that this ends us as it would have.
      process.kill(process.pid, signal)
    })
  }
}

function sweep(): void {
  for (const pid of groups) endProcess(-pid, 'SIGKILL')
  for (const folder of folders) removeFolder(folder)
}
