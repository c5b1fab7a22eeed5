/** Instances of two versions on one database, of which one after another is replaced. */

import { serve, type Served } from '../../test/helpers/process/process.ts'

export type Version = 'old' | 'new'

interface Instance {
  readonly version: Version
  readonly served: Served
}

/** Whether the new one is up before the old one stops. */
export type Order = 'start-first' | 'stop-first'

/** A request or a task that ended with an error, or a follower that could not go on. */
const fault = /"level":(?:50|60|"error"|"fatal")|followers: \w+ failed/
/** A hold: on a busy machine the database, or a follower, was not in time. What waited for it is repeated. */
const hold = /"type":"(?:StoreUnavailable|FollowerBehind)"|"status":503/
const heldRequest = /"status":503/

interface FleetOptions {
  readonly environment: Readonly<Record<string, string>>
  /** The entry of the old version. */
  readonly oldEntry: string
}

export class Fleet {
  /** Called with the address of each instance that has started. */
  onStart: (url: string) => void = () => {}
  readonly violations: string[] = []
  /** Requests that were answered 503, by the logs of the instances that have ended. */
  readonly held: Record<Version, number> = { old: 0, new: 0 }
  readonly #options: FleetOptions
  #instances: Instance[] = []

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** One that stops is among them until it has ended: callers learn of it by its answers. */
  get serving(): readonly Instance[] {
    return this.#instances
  }

  /** The address of an instance of this version, if one serves. */
  urlOf(version: Version): string | undefined {
    return this.#instances.find((one) => one.version === version)?.served.url
  }

  async start(version: Version): Promise<void> {
    const { environment, oldEntry } = this.#options
    const served = await serve(environment, version === 'old' ? { entry: oldEntry } : {})
    this.#instances.push({ version, served })
    this.onStart(served.url)
  }

  /** Replaces an instance of the old version. */
  async replaceOne(order: Order): Promise<void> {
    const before = this.#instances.find(({ version }) => version === 'old')
    if (before === undefined) throw new Error('every instance is new')
    if (order === 'stop-first') await this.#stop(before)
    await this.start('new')
    if (order === 'start-first') await this.#stop(before)
  }

  /** Requires that each instance takes requests, as a load balancer asks it. */
  async checkReady(when: string): Promise<void> {
    for (const { version, served } of this.serving) {
      const answer = await fetch(`${served.url}/readyz`)
      if (answer.status !== 200)
        this.violations.push(`${when}: the ${version} version is not ready: ${await answer.text()}`)
    }
  }

  /** Gracefully. */
  async stop(): Promise<void> {
    for (const instance of this.#instances) await this.#stop(instance)
  }

  kill(): void {
    for (const { served } of this.#instances) served.child.kill('SIGKILL')
    this.#instances = []
  }

  async #stop(instance: Instance): Promise<void> {
    const { version, served } = instance
    const code = await served.stop()
    this.#instances = this.#instances.filter((one) => one !== instance)
    if (code !== 0) this.violations.push(`the ${version} version ended with ${code}`)
    const faults = served
      .output()
      .split('\n')
      .filter((line) => fault.test(line))
    for (const line of faults) {
      if (heldRequest.test(line)) this.held[version] += 1
      if (!hold.test(line))
        this.violations.push(`the ${version} version logged a fault: ${line.slice(0, 500)}`)
    }
  }
}
