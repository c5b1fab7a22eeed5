/** Checks personal texts, which leaves commit to by salted hashes. A text that is missing is excused by its erasure alone. */

import type { Subject } from '../ports/log.ts'
import type { ErasureStore } from '../ports/privacy/erasure.ts'
import { isText } from './personal-text.ts'

type Report = (place: string, message: string) => void

export class TextChecks {
  readonly #erasures: Pick<ErasureStore, 'erasedAmong'>
  readonly #report: Report
  /** By subject: its place, and the finding unless it was erased. */
  readonly #missing = new Map<string, readonly [place: string, message: string]>()

  constructor(erasures: Pick<ErasureStore, 'erasedAmong'>, report: Report) {
    this.#erasures = erasures
    this.#report = report
  }

  check(place: string, subjectId: string, subject: Subject): void {
    if (subject.kind === 'outcome' || subject.kind === 'act') return
    if (subject.kind !== 'review' && subject.value.form === 1) return
    const { personalText } = subject.value
    const text = personalTextIn(subject)
    const name = `the personal text of the ${subject.kind}`
    if (personalText === null) {
      if (text !== null) this.#report(place, `${name} was added after it was sealed`)
    } else if (text === null) this.#missing.set(subjectId, [place, `${name} is missing`])
    else if (!isText(personalText, text)) this.#report(place, `${name} was changed after it was sealed`)
  }

  /** After a page: an erasure that came meanwhile is listed by now. Returns how many were erased. */
  async excuse(): Promise<number> {
    if (this.#missing.size === 0) return 0
    const erased = await this.#erasures.erasedAmong([...this.#missing.keys()])
    for (const [subjectId, finding] of this.#missing) if (!erased.has(subjectId)) this.#report(...finding)
    this.#missing.clear()
    return erased.size
  }
}

function personalTextIn(
  subject: Extract<Subject, { kind: 'record' | 'override' | 'review' }>,
): string | null {
  if (subject.kind === 'record') return subject.value.correlationId
  return subject.kind === 'override' ? subject.value.justification : subject.value.text
}
