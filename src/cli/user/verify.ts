/** `fairway verify`: requests one decision; scripts can gate on the exit code. */

import type { Command } from 'commander'
import {
  FairwayError,
  UnexpectedAnswerError,
  type FairwayClient,
  type Hold,
  type Mode,
  type VerifyRequest,
  type VerifyResponse,
  type Decided,
} from '../../../client/src/index.ts'
import { checked, shaped, show } from './session/answer-checks.ts'
import { decisionExitCodes, holdExitCode } from './session/exit-codes.ts'
import { isTemporary, laterText, messageOf } from './session/failure.ts'
import {
  definedMembers,
  oneOf,
  parseTypedAmount,
  refuseLoneCurrency,
  type TypedAmount,
} from '../arguments.ts'
import {
  decisionCell,
  labelCell,
  amountText,
  riskText,
  settlementText,
  timeText,
  type Screen,
} from './session/screen.ts'
import {
  runUser,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface VerifyOptions extends SharedOptions {
  readonly currency?: string
  readonly mode?: Mode
  readonly idempotencyKey?: string
  readonly correlationId?: string
}

export function registerVerify(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('verify')
      .description('Request a decision on a payment and record it')
      .argument('<corridor>', 'Corridor, such as GB-NG')
      .argument('[amount]', 'Plain number, such as 1000, 1,000 or 1000.50', parseTypedAmount)
      .option('--currency <currency>', 'Currency of the amount; default: GBP')
      .option('--mode <mode>', 'shadow or live; default: the mode of the key', oneOf(['shadow', 'live']))
      .option('--idempotency-key <key>', 'Unique key for each payment; a retry with it never decides twice')
      .option('--correlation-id <id>', 'Your reference for the payment, stored with the record'),
  )
    .addHelpText(
      'after',
      `
The exit code is 0 for GO, 10 for DEGRADED, 20 for NO-GO, and 75 for a hold: no decision is possible now; retry later
with the idempotency key shown. A 503 is reported at once, without retries. 1 means that the command or key is invalid.

Example:
  fairway verify GB-NG 1000 --currency GBP
  fairway verify GB-NG 1000 --currency GBP && echo "pay"`,
    )
    .action((corridor: string, typed: TypedAmount | undefined, options: VerifyOptions, command: Command) => {
      const { currency, correlationId, mode } = options
      const amount = typed?.amount
      refuseLoneCurrency(command, amount, currency)
      return runUser(cli, options, async (session) => {
        // Created here, so that all attempts of this command share one key.
        const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
        const body = { corridor, ...definedMembers({ amount, currency, correlation_id: correlationId }) }
        const client = session.keyed()
        const result = await requestDecision(session, client, body, {
          idempotencyKey,
          ...definedMembers({ mode }),
        })
        if (result.held) {
          const words = retryArguments(body, typed?.text, { mode, idempotencyKey })
          return showHold(session, session.hint(...words), result)
        }
        show(session.screen, responseOf(result), () => verdictLines(session, body, result))
        return decisionExitCodes[result.decision]
      })
    })
}

const essentials = {
  request_id: 'text',
  corridor: 'text',
  score: 'number',
  confidence: 'number',
  reasons: 'list',
  probe_details: 'members',
} as const

/**
 * Returns a hold if no decision is possible now: 503, rate limit, server error, no response. An invalid success is also
 * a hold: a decision may have been recorded, and a retry with the same idempotency key returns it.
 */
export async function requestDecision(
  session: Session,
  client: FairwayClient,
  body: VerifyRequest,
  options: { readonly idempotencyKey: string; readonly mode?: Mode },
): Promise<Decided | Held> {
  try {
    const result = await session.call(() => client.verify(body, options))
    // A response that cannot be shown as text is not a decision in JSON either.
    if (!result.held) shaped(() => verdictLines(session, body, checked(result, essentials)))
    return result
  } catch (error) {
    const isHold =
      error instanceof FairwayError && (isTemporary(error) || error instanceof UnexpectedAnswerError)
    if (isHold) return heldBy(error, options.idempotencyKey)
    throw error
  }
}

/** A hold that the server did not send has no retry time. */
type Held = Omit<Hold, 'retryAfterSeconds'> & { readonly retryAfterSeconds: number | null }

function heldBy(error: FairwayError, idempotencyKey: string): Held {
  const { code, requestId, retryAfterSeconds, unavailableSignals, signalsWithoutFeed } = error
  const message = messageOf(error)
  return {
    held: true,
    message,
    code,
    requestId,
    retryAfterSeconds,
    unavailableSignals,
    signalsWithoutFeed,
    idempotencyKey,
  }
}

/** The response without the client's own member. */
export function responseOf({ held: _held, ...answer }: Decided): VerifyResponse {
  return answer
}

/** `decision` is set, so that a script that reads only this member sees the hold. */
function holdJson(hold: Held) {
  return {
    decision: 'HOLD',
    code: hold.code,
    message: hold.message,
    request_id: hold.requestId,
    retry_after_seconds: hold.retryAfterSeconds,
    unavailable_signals: hold.unavailableSignals,
    signals_without_feed: hold.signalsWithoutFeed,
    idempotency_key: hold.idempotencyKey,
  }
}

function showHold({ screen }: Session, retryCommand: string, hold: Held): number {
  show(screen, holdJson(hold), () => holdLines(screen, retryCommand, hold))
  if (screen.isJson) screen.warn(`hold: ${hold.message}`)
  return holdExitCode
}

export function holdLines(screen: Screen, retryCommand: string, hold: Held): string[] {
  const { message, unavailableSignals, idempotencyKey, retryAfterSeconds } = hold
  // Waiting does not bring a feed that nobody has set up.
  const isForWantOfFeeds = hold.signalsWithoutFeed.length > 0
  const when = isForWantOfFeeds ? 'set up the live feeds first' : `retry ${laterText(retryAfterSeconds)}`
  return [
    `${screen.cell(decisionCell('HOLD'))}  no decision: do not pay now; ${when}`,
    '',
    ...screen.facts([
      ['Reason', message],
      ...(unavailableSignals.length === 0 ? [] : [['Signals', unavailableSignals.join(', ')] as const]),
      ['Idempotency key', idempotencyKey],
    ]),
    '',
    `${isForWantOfFeeds ? 'Set up FAIRWAY_LIVE_FEEDS (docs/live.md), then retry' : 'Retry'}: ${screen.paint('bold', screen.cell(retryCommand))}`,
  ]
}

/** The words of the retry command, with the same idempotency key and the amount as typed. */
export function retryArguments(
  { corridor, currency, correlation_id: correlationId }: VerifyRequest,
  typedAmount: string | undefined,
  { mode, idempotencyKey }: { readonly mode?: Mode | undefined; readonly idempotencyKey: string },
): string[] {
  const options = { currency, mode, 'correlation-id': correlationId, 'idempotency-key': idempotencyKey }
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`--${name}`, value],
  )
  return ['verify', corridor, ...(typedAmount === undefined ? [] : [typedAmount]), ...words]
}

/** The decision as text. */
export function verdictLines(
  { screen, hint }: Pick<Session, 'screen' | 'hint'>,
  body: VerifyRequest,
  answer: VerifyResponse,
): string[] {
  const { decision, score, confidence, request_id: id, cooldown, reasons } = answer
  const amount = amountText(body.amount ?? null, body.currency ?? 'GBP')
  const signals = Object.entries(answer.probe_details).map(([signal, probe]) => [
    signal,
    labelCell(probe.signal),
    riskText(probe.risk_value),
  ])
  return [
    `${screen.cell(decisionCell(decision))}  score ${score.toFixed(2)}, confidence ${confidence.toFixed(2)}`,
    '',
    ...screen.facts([
      ['Payment', `${amount} on ${answer.corridor}, ${answer.mode} mode`],
      ['Action', answer.recommended_action],
      ['Partner', answer.recommended_partner ?? 'none'],
      ...reasons.map(({ code, message }, at) => [at === 0 ? 'Reasons' : '', `${code}: ${message}`] as const),
      ...(cooldown === undefined
        ? []
        : [['Cooldown', `repeats ${cooldown.source_request_id} until ${cooldown.expires_at}`] as const]),
      ...(answer.idempotency_hit ? [['Replay', 'the first answer to this idempotency key'] as const] : []),
      ...(answer.valid_until === undefined
        ? []
        : [['Valid', `until ${timeText(answer.valid_until)}`] as const]),
      ...(answer.settlement_window === undefined || answer.settlement_window === null
        ? []
        : [['Settlement', settlementText(answer.settlement_window)] as const]),
      ['Note', answer.validation_note],
      ...(answer.warnings ?? []).map(
        ({ path, message }) => ['Warning', path === undefined ? message : `${path}: ${message}`] as const,
      ),
    ]),
    '',
    ...screen.table([{ title: 'SIGNAL' }, { title: 'STATUS' }, { title: 'HEALTH', align: 'right' }], signals),
    '',
    ...screen.facts([['Request', id]]),
    `Explain this decision: ${screen.paint('bold', screen.cell(hint('explain', id)))}`,
  ]
}
