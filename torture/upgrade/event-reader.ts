/** A consumer of the event stream, which only the new version has, from the first new instance to the end. */

import { setTimeout as pause } from 'node:timers/promises'
import { eventIdOf } from '../../src/core/events/event.ts'
import type { DirectDatabase } from '../../test/helpers/database/sql.ts'
import { cutOff } from '../crash/book.ts'

interface Source {
  /** The address of an instance; undefined while there is none. */
  readonly url: () => string | undefined
  readonly apiKey: string
}

const retryEveryMs = 50

interface Page {
  readonly events: readonly { readonly id: string }[]
  readonly next: string
}

export class EventReader {
  readonly seen: string[] = []
  readonly violations: string[] = []
  readonly #source: Source
  readonly #reading: Promise<void>
  #isOver = false

  constructor(source: Source) {
    this.#source = source
    this.#reading = this.#read()
  }

  /** Reads to the end of what is recorded by now. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#reading
  }

  async #read(): Promise<void> {
    let after = ''
    for (let isAtEnd = false; !isAtEnd;) {
      const mayEnd = this.#isOver
      const answer = await this.#ask(`limit=1000&wait_s=${mayEnd ? 0 : 1}${after}`)
      if (answer === null) {
        await pause(retryEveryMs)
        continue
      }
      const { events, next } = (await answer.json()) as Page
      this.seen.push(...events.map(({ id }) => id))
      after = `&after=${next}`
      isAtEnd = mayEnd && events.length === 0
    }
  }

  /** Null if there is no answer, as when the instance stops. */
  async #ask(query: string): Promise<Response | null> {
    const { url, apiKey } = this.#source
    const at = url()
    if (at === undefined) return null
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${at}/api/v1/events?${query}`, { headers }).catch(cutOff)
    if (answer === null || answer.status === 200) return answer
    const text = await answer.text()
    if (!text.includes('"STOPPING"')) this.violations.push(`the stream answered ${answer.status}: ${text}`)
    return null
  }

  /** Requires each event of the owner, once, in the order of the log. */
  async compare(run: DirectDatabase['run'], ownerId: string): Promise<string[]> {
    const rows = await run('SELECT entries FROM owner_events WHERE owner_id = $1 ORDER BY last_leaf', [
      ownerId,
    ])
    const listed = rows.flatMap(({ entries }) => String(entries).split(' ').map(eventIdOf))
    const place = listed.findIndex((id, index) => this.seen[index] !== id)
    if (place === -1 && listed.length === this.seen.length) return this.violations
    return [
      ...this.violations,
      `event ${place} of the stream was read as ${this.seen[place]}; ${this.seen.length} of ${listed.length} were read`,
    ]
  }
}
