/** Reports of how payments ended. */

import type { Answer, Harness } from './harness.ts'
import { post } from './post.ts'

export const outcomeUrl = (id: string): string => `/api/v1/decision/${id}/outcome`

/** POST /api/v1/outcomes with rows of JSON. */
export const outcomesUrl = '/api/v1/outcomes'

export function reportAll(
  harness: Harness,
  key: string,
  outcomes: readonly unknown[],
  query = '',
): Promise<Answer> {
  return post(harness, `${outcomesUrl}${query}`, { outcomes }, { key })
}

export function report(harness: Harness, key: string, id: string, body: unknown): Promise<Answer> {
  return post(harness, outcomeUrl(id), body, { key })
}
