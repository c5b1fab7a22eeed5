/** Reviewers at work while a service is killed: each act is recorded as often as its answers allow. */

import type { DirectDatabase } from '../../test/helpers/database/sql.ts'
import { cutOff } from './book.ts'

interface Desk {
  readonly url: string
  /** Two principals of one owner. */
  readonly apiKey: string
  readonly approverKey: string
}

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const proposal = { action: 'HOLD', reason_code: 'SEEN_BEFORE', justification: 'The payee is known.' }

export class ReviewBook {
  /** The texts of comments that were answered, and of those whose answer was lost. */
  readonly #comments = new Set<string>()
  readonly #unsure = new Set<string>()
  readonly #approved = new Set<string>()
  #next = 0

  get acknowledged(): string {
    return `${this.#comments.size} comments and ${this.#approved.size} approvals`
  }

  /** Handles one review after the other until the service is gone. */
  async work(desk: Desk): Promise<void> {
    for (;;) {
      const listed = await ask(desk.url, desk.apiKey, '?status=open,claimed,rejected,proposed&limit=20')
      if (listed === null) return
      const reviews = (listed.body['reviews'] ?? []) as readonly { readonly review_id: string }[]
      for (const { review_id: reviewId } of reviews) if (!(await this.#handle(desk, reviewId))) return
    }
  }

  /** False once the service is gone. */
  async #handle({ url, apiKey, approverKey }: Desk, reviewId: string): Promise<boolean> {
    this.#next += 1
    const text = `comment ${this.#next}`
    this.#unsure.add(text)
    const commented = await ask(url, apiKey, `/${reviewId}/comment`, { text })
    if (commented === null) return false
    if (commented.status === 200) this.#comments.add(text)
    // A hold may have been recorded after all.
    if (commented.status < 500) this.#unsure.delete(text)
    const proposed = await ask(url, apiKey, `/${reviewId}/propose`, proposal)
    if (proposed === null) return false
    const approved = await ask(url, approverKey, `/${reviewId}/approve`, {})
    if (approved?.status === 200) this.#approved.add(reviewId)
    return approved !== null
  }

  /** Compares the books with the tables of reviews, read directly. */
  async compare(run: DirectDatabase['run']): Promise<string[]> {
    const violations: string[] = []
    const texts = await run(
      `SELECT p.personal_text AS text FROM review_changes c
        JOIN personal_texts p ON p.subject_id = c.change_id WHERE c.kind = 'commented'`,
    )
    const recorded = Map.groupBy(texts, ({ text }) => String(text))
    for (const text of this.#comments)
      if (!recorded.has(text)) violations.push(`${text} was answered, and is lost`)
    for (const [text, times] of recorded) {
      if (times.length > 1) violations.push(`${text} is recorded ${times.length} times`)
      if (!this.#comments.has(text) && !this.#unsure.has(text))
        violations.push(`${text} was refused, and is recorded`)
    }
    const idsOf = async (sql: string): Promise<Set<string>> =>
      new Set((await run(sql)).map(({ id }) => String(id)))
    const approved = await idsOf("SELECT review_id AS id FROM reviews WHERE status = 'approved'")
    const overridden = await idsOf('SELECT review_id AS id FROM overrides WHERE review_id IS NOT NULL')
    for (const id of this.#approved)
      if (!approved.has(id)) violations.push(`${id} was approved, and the approval is lost`)
    // No decision of these experiments is a `GO` that asks for something first.
    for (const id of approved)
      if (!overridden.delete(id)) violations.push(`${id} was approved without an override`)
    for (const id of overridden) violations.push(`${id} has an override, and was not approved`)
    return violations
  }
}

/** Null if the connection broke. */
async function ask(url: string, key: string, path: string, body?: object): Promise<Answered | null> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  // Not checked against the document: an instance of an earlier version may answer.
  const answer = await fetch(`${url}/api/v1/reviews${path}`, request).catch(cutOff)
  const read = (await answer?.json().catch(cutOff)) as Answered['body'] | null | undefined
  return answer === null || read === null || read === undefined ? null : { status: answer.status, body: read }
}
