/** Reports of how payments ended. */

import type { Answer, Harness } from './harness.ts'
import { post } from './post.ts'

export const outcomeUrl = (id: string): string => `/api/v1/decision/${id}/outcome`

export function report(harness: Harness, key: string, id: string, body: unknown): Promise<Answer> {
  return post(harness, outcomeUrl(id), body, { key })
}
