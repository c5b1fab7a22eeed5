/** A captcha service on the loopback interface that speaks the siteverify protocol, and answers as it is told. */

import { openTestReceiver, type Reaction, type TestReceiver } from './receiver.ts'

export interface CaptchaService {
  /** Where it checks tokens, as `FAIRWAY_RECAPTCHA_URL`. */
  readonly url: string
  readonly requests: TestReceiver['requests']
  /** The fields of each form that it was sent. */
  readonly forms: () => Record<string, string>[]
}

export const accepted: Reaction = {
  status: 200,
  body: '{"success":true,"challenge_ts":"2026-03-01T12:00:00Z"}',
}

/** Runs a test with a service of its own, and always stops it. */
export async function withCaptchaService(
  answer: (fields: Readonly<Record<string, string>>) => Reaction,
  work: (service: CaptchaService) => Promise<void>,
): Promise<void> {
  const fieldsOf = (body: Buffer): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(body.toString()))
  const receiver = await openTestReceiver(({ body }) => answer(fieldsOf(body)))
  const { url, requests } = receiver
  try {
    await work({ url, requests, forms: () => requests.map(({ body }) => fieldsOf(body)) })
  } finally {
    await receiver.close()
  }
}
