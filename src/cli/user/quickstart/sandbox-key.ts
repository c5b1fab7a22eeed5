/** A sandbox key for a quickstart: asked for as anybody may, where no captcha stands before it. */

import { FairwayError, InvalidRequestError, RateLimitError } from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { checked } from '../session/answer-checks.ts'
import { faultExitCode } from '../session/exit-codes.ts'
import type { Session, UserCli } from '../session/session.ts'

interface Applicant {
  readonly name?: string
  readonly email?: string
  readonly reason: string
}

/** What no captcha has given: a server that checks it will refuse it. */
const noToken = 'fairway-quickstart'

const otherWay =
  'have an operator run fairway keys issue --type test --owner NAME, and store that key with fairway login'

export async function sandboxKey(
  { parts }: UserCli,
  { open }: Session,
  applicant: Applicant,
): Promise<string> {
  const login = parts.operator()
  const { name = login, email = emailOf(login), reason } = applicant
  try {
    const answer = await open.requestAccess({ name, email, reason, recaptcha_token: noToken })
    return checked(answer, { sandbox_key: 'text' }).sandbox_key
  } catch (error) {
    const advice = error instanceof FairwayError ? adviceFor(error, email) : null
    if (advice === null) throw error
    throw Object.assign(new CommandFailure(advice, faultExitCode), { cause: error })
  }
}

/** An address that is nobody's, of a form that every server takes. */
function emailOf(login: string): string {
  const local = login
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${local === '' ? 'quickstart' : local.slice(0, 40)}@example.com`
}

/** What else leads to a key, where asking alone does not. */
function adviceFor(error: FairwayError, email: string): string | null {
  const isCaptcha =
    error.code === 'CAPTCHA_UNAVAILABLE' ||
    (error instanceof InvalidRequestError && error.errors.some(({ path }) => path === '/recaptcha_token'))
  if (isCaptcha)
    return `this server wants a captcha solved before it gives a key, which a command cannot: ${otherWay}.`
  if (error instanceof RateLimitError) {
    return `no key for ${email}: ${error.message} Give another --email, wait, or ${otherWay}.`
  }
  return null
}
