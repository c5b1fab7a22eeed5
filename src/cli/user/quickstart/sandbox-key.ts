/** Requests a sandbox key for quickstart. This works only if the server requires no captcha. */

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

/** A placeholder: a server that checks captcha tokens rejects it. */
const placeholderToken = 'fairway-quickstart'

const otherWay =
  'ask an operator to run fairway keys issue --type test --owner NAME, and store that key with fairway login'

export async function sandboxKey(
  { deps }: UserCli,
  { open }: Session,
  applicant: Applicant,
): Promise<string> {
  const login = deps.operator()
  const { name = login, email = emailOf(login), reason } = applicant
  try {
    const answer = await open.requestAccess({ name, email, reason, recaptcha_token: placeholderToken })
    return checked(answer, { sandbox_key: 'text' }).sandbox_key
  } catch (error) {
    const advice = error instanceof FairwayError ? adviceFor(error, email) : null
    if (advice === null) throw error
    throw Object.assign(new CommandFailure(advice, faultExitCode), { cause: error })
  }
}

/** A fictitious address in a form that every server accepts. */
function emailOf(login: string): string {
  const local = login
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${local === '' ? 'quickstart' : local.slice(0, 40)}@example.com`
}

/** Advice for errors that another way to a key solves; null for all others. */
function adviceFor(error: FairwayError, email: string): string | null {
  const isCaptcha =
    error.code === 'CAPTCHA_UNAVAILABLE' ||
    (error instanceof InvalidRequestError && error.errors.some(({ path }) => path === '/recaptcha_token'))
  if (isCaptcha) return `this server requires a captcha, which a command cannot solve: ${otherWay}.`
  if (error instanceof RateLimitError) {
    return `no key for ${email}: ${error.message} Use another --email, wait, or ${otherWay}.`
  }
  return null
}
