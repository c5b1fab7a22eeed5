/** Requests for access, as a visitor sends them. */

import type { Answer, Harness } from './harness.ts'
import { post, type PostOptions } from './post.ts'

export const form = {
  name: 'Payments team',
  email: 'payments@example.com',
  reason: 'We pay suppliers in Lagos.',
  recaptcha_token: 'a-token',
} as const

/** No test of something else meets the limit of an address. */
export const unlimited = { FAIRWAY_LIMIT_ACCESS: '100000/60' } as const

export function askFor(
  harness: Harness,
  more: Readonly<Record<string, unknown>> = {},
  options: PostOptions = {},
): Promise<Answer> {
  return post(harness, '/api/v1/request-access', { ...form, ...more }, options)
}

/** The request that was recorded, and its key. */
export async function received(
  harness: Harness,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; key: string }> {
  const { status, body, text } = await askFor(harness, more)
  if (status !== 200) throw new Error(text)
  return { id: body.access_request_id as string, key: body.sandbox_key as string }
}
