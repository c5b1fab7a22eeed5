/** The cluster of `deploy/ha` on one machine: etcd, two PostgreSQL servers under Patroni, and HAProxy, with the files of that folder. */

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import { identityOf, postgresBinaries } from './needs.ts'
import { Host, hubAddress, openHub } from './network.ts'

const files = new URL('../../deploy/ha/', import.meta.url).pathname
const pollMs = 100
const readyMsMax = 400_000
/** Longer than a server needs to come back by itself, also by a new copy. */
const stuckMs = 90_000

export interface Primary {
  readonly host: Host
  /** Grows with each promotion. */
  readonly timeline: number
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

export class Cluster {
  readonly hosts: readonly [Host, Host]
  readonly #folder: string
  readonly #password = randomBytes(12).toString('hex')
  readonly #processes = new Set<ChildProcess>()
  readonly #patronis = new Map<string, ChildProcess>()
  #etcd: ChildProcess | null = null

  private constructor(hosts: readonly [Host, Host], folder: string) {
    this.hosts = hosts
    this.#folder = folder
  }

  /** Call once, inside a network namespace of this process's own. */
  static async open(folder: string): Promise<Cluster> {
    openHub()
    const cluster = new Cluster([await Host.open('a', 1), await Host.open('b', 2)], folder)
    chmodSync(folder, 0o755)
    // The checkout may be closed to the user of the server.
    copyFileSync(join(files, 'patroni.yaml'), join(folder, 'patroni.yaml'))
    cluster.startEtcd()
    for (const host of cluster.hosts) cluster.startPatroni(host)
    cluster.#startProxy()
    await cluster.whole()
    await withDirectDatabase(cluster.url('postgres', 'postgres'), async ({ run }) => {
      await run(`CREATE ROLE fairway LOGIN PASSWORD '${cluster.#password}'`)
      await run('CREATE DATABASE fairway OWNER fairway')
    })
    return cluster
  }

  /** By way of HAProxy, to whichever server is the primary. */
  url(user: 'fairway' | 'postgres', database: 'fairway' | 'postgres' = 'fairway'): string {
    return `postgres://${user}:${this.#password}@${hubAddress}:5432/${database}`
  }

  #start(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: 'ignore',
    })
    this.#processes.add(child)
    return child
  }

  startEtcd(): void {
    const client = `http://${hubAddress}:2379`
    this.#etcd = this.#start(
      [
        'etcd',
        '--data-dir',
        join(this.#folder, 'etcd'),
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
      ],
      { ETCD_UNSUPPORTED_ARCH: process.arch },
    )
  }

  async killEtcd(): Promise<void> {
    if (this.#etcd !== null) await killed(this.#etcd)
  }

  startPatroni(host: Host): void {
    const home = join(this.#folder, host.name)
    const { uid, gid } = identityOf('postgres')
    mkdirSync(home, { recursive: true, mode: 0o700 })
    chownSync(home, uid, gid)
    const environment = {
      HOME: home,
      PATRONI_NAME: host.name,
      PATRONI_ETCD3_HOSTS: `'${hubAddress}:2379'`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${host.address}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host.address}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: postgresBinaries() ?? '',
      PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: this.#password,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: this.#password,
    }
    const child = host.start(['patroni', join(this.#folder, 'patroni.yaml')], environment, this.#logOf(host))
    this.#processes.add(child)
    this.#patronis.set(host.name, child)
  }

  #startProxy(): void {
    this.#start(['haproxy', '-db', '-f', join(files, 'haproxy.cfg')], {
      FAIRWAY_DATABASE_BIND: `${hubAddress}:5432`,
      FAIRWAY_DATABASE_A: `${this.hosts[0].address}:5432`,
      FAIRWAY_DATABASE_B: `${this.hosts[1].address}:5432`,
    })
  }

  #logOf(host: Host): string {
    return join(this.#folder, `${host.name}.log`)
  }

  /** The last lines of Patroni and its servers, for whoever reads of a failure. */
  lastWords(): string {
    const tail = (host: Host): string =>
      readFileSync(this.#logOf(host), 'utf8').split('\n').slice(-60).join('\n')
    return this.hosts.map((host) => `== ${host.name}\n${tail(host)}`).join('\n')
  }

  /** The first process of the server on this host. */
  postmasterOf(host: Host): number {
    return Number.parseInt(readFileSync(join(this.#folder, host.name, 'data', 'postmaster.pid'), 'utf8'), 10)
  }

  /** Ends everything on the host, as a loss of power does. */
  async loseHost(host: Host): Promise<void> {
    host.signal('SIGKILL')
    const patroni = this.#patronis.get(host.name)
    if (patroni !== undefined) await killed(patroni)
  }

  async #members(): Promise<readonly Member[]> {
    for (const { address } of this.hosts) {
      const answer = await fetch(`http://${address}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => null)
      if (answer !== null) return answer.members
    }
    return []
  }

  /** Whether HAProxy leads to a primary whose commits its standby confirms. */
  async #isWhole(): Promise<boolean> {
    const members = await this.#members()
    const isRunning = (role: string): boolean =>
      members.some((member) => member.role === role && /^(?:running|streaming)$/.test(member.state))
    if (!isRunning('leader') || !isRunning('sync_standby')) return false
    const sql = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`
    return withDirectDatabase(this.url('postgres', 'postgres'), ({ run }) => run(sql)).then(
      (rows) => rows.length === 1,
      () => false,
    )
  }

  /** Waits until there is a primary with its synchronous standby. Whether that took an operator is the answer. */
  async whole(): Promise<boolean> {
    const startedMs = performance.now()
    let isReinitialised = false
    while (!(await this.#isWhole())) {
      const tookMs = performance.now() - startedMs
      if (tookMs > readyMsMax) throw new Error('the cluster does not become whole again')
      if (tookMs > stuckMs && !isReinitialised) isReinitialised = await this.#reinitialise()
      await pause(pollMs)
    }
    return isReinitialised
  }

  /** As `patronictl reinit` does: the server that cannot follow is copied anew. Only a standby accepts it. */
  async #reinitialise(): Promise<boolean> {
    const request = {
      method: 'POST',
      body: '{"force":true}',
      headers: { 'content-type': 'application/json' },
    }
    const statuses = await Promise.all(
      this.hosts.map(({ address }) =>
        fetch(`http://${address}:8008/reinitialize`, { ...request, signal: AbortSignal.timeout(5_000) }).then(
          ({ status }) => status,
          () => null,
        ),
      ),
    )
    return statuses.includes(200)
  }

  /** The server that answers as primary. Null while there is none. */
  async primary(): Promise<Primary | null> {
    const sql = `SELECT host(inet_server_addr()) AS address, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS timeline`
    const url = this.url('postgres', 'postgres')
    const [row] = await withDirectDatabase(url, ({ run }) => run(sql)).catch(() => [])
    const host = this.hosts.find(({ address }) => address === row?.['address'])
    return host === undefined ? null : { host, timeline: Number.parseInt(String(row?.['timeline']), 16) }
  }

  close(): void {
    for (const child of this.#processes) child.kill('SIGKILL')
    for (const host of this.hosts) host.signal('SIGKILL')
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
