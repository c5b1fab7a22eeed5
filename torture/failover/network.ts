/** Hosts of an experiment: network namespaces on a bridge, each with its own address, which can be cut off. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'

export const hubAddress = '10.77.0.1'

const ip = (...args: readonly string[]): void => void execFileSync('ip', args)

/** Call once, inside a network namespace of this process's own. */
export function openHub(): void {
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', 'hub', 'type', 'bridge')
  ip('addr', 'add', `${hubAddress}/24`, 'dev', 'hub')
  ip('link', 'set', 'hub', 'up')
}

export class Host {
  readonly name: string
  readonly address: string
  /** Keeps the namespaces of the host alive. */
  readonly #holder: ChildProcess

  private constructor(name: string, place: number, holder: ChildProcess) {
    this.name = name
    this.address = `10.77.0.${10 + place}`
    this.#holder = holder
  }

  static async open(name: string, place: number): Promise<Host> {
    // Its sockets lie in a folder of its own, as on a machine of its own.
    const script = 'mount -t tmpfs -o mode=1777 none /run/postgresql && echo up && exec sleep infinity'
    const holder = spawn('unshare', ['--net', '--mount', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    const host = new Host(name, place, holder)
    ip('link', 'add', `line-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(holder.pid))
    ip('link', 'set', `line-${name}`, 'master', 'hub', 'up')
    const setUp = `ip link set lo up && ip addr add ${host.address}/24 dev eth0 && ip link set eth0 up`
    execFileSync('nsenter', [...host.#namespaces(), 'sh', '-c', setUp])
    return host
  }

  #namespaces(): string[] {
    return ['--target', String(this.#holder.pid), '--net', '--mount']
  }

  /** Starts a program on the host as the user `postgres`, with nothing but this environment. */
  start(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    log: string,
  ): ChildProcess {
    const output = openSync(log, 'a')
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
    const child = spawn('nsenter', [...this.#namespaces(), ...asPostgres, ...command], {
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...environment },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    return child
  }

  /** Sends a signal to everything that runs on the host. */
  signal(signal: NodeJS.Signals): void {
    const network = networkOf(this.#holder.pid ?? 0)
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (Number(pid) === this.#holder.pid || networkOf(pid) !== network) continue
      try {
        process.kill(Number(pid), signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** Nothing reaches the host any more, and it reaches nothing. */
  cut(): void {
    ip('link', 'set', `line-${this.name}`, 'down')
  }

  heal(): void {
    ip('link', 'set', `line-${this.name}`, 'up')
  }
}

function networkOf(pid: string | number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return null
  }
}
