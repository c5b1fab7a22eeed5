/** The needs of the failover experiment: Debian's programs, and the right to make network namespaces. */

import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'

const programs = ['patroni', 'etcd', 'haproxy', 'ip', 'unshare', 'nsenter', 'setpriv']

/** The newest PostgreSQL of Debian's packages. */
export function postgresBinaries(): string | null {
  return globSync('/usr/lib/postgresql/*/bin').toSorted(byVersion).at(-1) ?? null
}

const byVersion = (left: string, right: string): number => left.localeCompare(right, 'en', { numeric: true })

function works(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function identityOf(user: string): { uid: number; gid: number } {
  const number = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** Why the experiment cannot run here; null where it can. */
export function missingForFailover(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'needs Linux and root, for network namespaces'
  const missing = programs.filter((program) => !works('sh', '-c', `command -v ${program}`))
  if (postgresBinaries() === null) missing.push('postgresql')
  // Patroni speaks to etcd by it, and its package does not bring it along.
  if (!works('/usr/bin/python3', '-c', 'import etcd')) missing.push('python3-etcd')
  if (missing.length > 0) return `needs ${missing.join(', ')}`
  return works(
    'unshare',
    '--net',
    '--pid',
    '--fork',
    '--mount-proc',
    'ip',
    'link',
    'add',
    'hub',
    'type',
    'bridge',
  )
    ? null
    : 'may not make network namespaces and bridges here'
}
