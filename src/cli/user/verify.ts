/** `fairway verify`: one decision before money moves, and an exit code that a script can gate on. */

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
import { given, oneOf, parseTypedAmount, refuseLoneCurrency, type TypedAmount } from '../arguments.ts'
import { decisionCell, labelCell, amountText, type Screen } from './session/screen.ts'
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
      .description('ask for one decision before a payment; it is recorded')
      .argument('<corridor>', 'from where to where, like GB-NG')
      .argument('[amount]', 'a plain number, like 1000 or 1000.50', parseTypedAmount)
      .option('--currency <currency>', 'of the amount; GBP unless given')
      .option('--mode <mode>', 'shadow or live; what the key is for unless given', oneOf(['shadow', 'live']))
      .option('--idempotency-key <key>', 'one for each payment: asking again with it never decides twice')
      .option('--correlation-id <id>', 'your own name for the payment, kept with the record'),
  )
    .addHelpText(
      'after',
      `
The exit code is 0 for GO, 10 for DEGRADED, 20 for NO-GO, and 75 for hold: nothing could be decided now, so wait and ask
again with the idempotency key that is shown. A 503 is told at once. 1 means that the command or the key is at fault.

Example:
  fairway verify GB-NG 1000 --currency GBP
  fairway verify GB-NG 1000 --currency GBP && echo "pay"`,
    )
    .action((corridor: string, typed: TypedAmount | undefined, options: VerifyOptions, command: Command) => {
      const { currency, correlationId, mode } = options
      const amount = typed?.amount
      refuseLoneCurrency(command, amount, currency)
      return runUser(cli, options, async (session) => {
        // Made here, so that every try of this command is one and the same question.
        const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
        const body = { corridor, ...given({ amount, currency, correlation_id: correlationId }) }
        const client = session.keyed()
        const result = await verdictOf(session, client, body, { idempotencyKey, ...given({ mode }) })
        if (result.held) {
          const again = againWords(body, typed?.text, { mode, idempotencyKey })
          return tellHold(session, session.hint(...again), result)
        }
        show(session.screen, asSent(result), () => verdictLines(session, body, result))
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
 * A hold wherever no decision could be had now: 503, too many requests, a fault of the server, no answer. Likewise where
 * something else than Fairway said yes: a decision may stand behind it, which the key of the hold finds again.
 */
export async function verdictOf(
  session: Session,
  client: FairwayClient,
  body: VerifyRequest,
  options: { readonly idempotencyKey: string; readonly mode?: Mode },
): Promise<Decided | Held> {
  try {
    const result = await session.ask(() => client.verify(body, options))
    // What people could not be shown is no decision for programs either.
    if (!result.held) shaped(() => verdictLines(session, body, checked(result, essentials)))
    return result
  } catch (error) {
    const isHold =
      error instanceof FairwayError && (isTemporary(error) || error instanceof UnexpectedAnswerError)
    if (isHold) return heldBy(error, options.idempotencyKey)
    throw error
  }
}

/** Of a hold that the server did not order it is not known when to ask again. */
type Held = Omit<Hold, 'retryAfterSeconds'> & { readonly retryAfterSeconds: number | null }

function heldBy(error: FairwayError, idempotencyKey: string): Held {
  const { code, requestId, retryAfterSeconds, unavailableSignals } = error
  const message = messageOf(error)
  return { held: true, message, code, requestId, retryAfterSeconds, unavailableSignals, idempotencyKey }
}

/** As the server sent it. */
export function asSent({ held: _held, ...answer }: Decided): VerifyResponse {
  return answer
}

/** A script that looks at nothing but the decision still sees that there is none. */
function holdJson(hold: Held) {
  return {
    decision: 'HOLD',
    code: hold.code,
    message: hold.message,
    request_id: hold.requestId,
    retry_after_seconds: hold.retryAfterSeconds,
    unavailable_signals: hold.unavailableSignals,
    idempotency_key: hold.idempotencyKey,
  }
}

function tellHold({ screen }: Session, again: string, hold: Held): number {
  show(screen, holdJson(hold), () => holdLines(screen, again, hold))
  if (screen.isJson) screen.warn(`hold: ${hold.message}`)
  return holdExitCode
}

export function holdLines(screen: Screen, again: string, hold: Held): string[] {
  const { message, unavailableSignals, idempotencyKey, retryAfterSeconds } = hold
  return [
    `${screen.cell(decisionCell('HOLD'))}  nothing could be decided: do not pay now, and ask again ${laterText(retryAfterSeconds)}`,
    '',
    ...screen.facts([
      ['Why', message],
      ...(unavailableSignals.length === 0 ? [] : [['Signals', unavailableSignals.join(', ')] as const]),
      ['Idempotency key', idempotencyKey],
    ]),
    '',
    `Ask again: ${screen.paint('bold', screen.cell(again))}`,
  ]
}

/** The command as it can be typed again, with the key that makes it the same question, and the amount as it was typed. */
export function againWords(
  { corridor, currency, correlation_id: correlationId }: VerifyRequest,
  typedAmount: string | undefined,
  { mode, idempotencyKey }: { readonly mode?: Mode | undefined; readonly idempotencyKey: string },
): string[] {
  const options = { currency, mode, 'correlation-id': correlationId, 'idempotency-key': idempotencyKey }
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
  return ['verify', corridor, ...(typedAmount === undefined ? [] : [typedAmount]), ...words]
}

/** For a terminal. */
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
    probe.risk_value.toFixed(3),
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
      ...(answer.idempotency_hit
        ? [['Repeated', 'the answer that this idempotency key had before'] as const]
        : []),
      ['Note', answer.validation_note],
    ]),
    '',
    ...screen.table(
      [{ title: 'SIGNAL' }, { title: 'STATUS' }, { title: 'RISK VALUE', align: 'right' }],
      signals,
    ),
    '',
    ...screen.facts([['Request', id]]),
    `Why this decision: ${screen.paint('bold', screen.cell(hint('explain', id)))}`,
  ]
}
