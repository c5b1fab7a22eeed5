/** The decision card: the decision, its recommended action, score, reasons and facts. */

import type { Decided, Decision, DemoVerifyResponse, Hold, Methodology } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ScoreRuler } from '../../charts/ruler.tsx'
import { formatAmount, formatMs, formatScore } from '../../format.ts'
import { FeedsLink, HoldNotice, useLiveFeeds, type LiveFeeds } from '../../mode.tsx'
import { useSession } from '../../session.tsx'
import { RetryCountdown } from '../../problem.tsx'
import { bandOf, boundsOf } from '../../rules.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, figures } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, toneOf, Verdict } from '../../ui/verdict.tsx'
import { actionLabel, signalLabel } from '../../labels.ts'
import { hasSignals } from './signals.tsx'
import type { Payment } from './payment.ts'
import type { VerificationRequest } from './verification.ts'

const meanings: readonly (readonly [Decision, string, string])[] = [
  ['GO', 'The corridor is fit for this payment.', 'Send it after the recommended action.'],
  ['DEGRADED', 'A signal is degraded, or a manual review is needed.', 'Review or reroute it before sending.'],
  ['NO-GO', 'The payment is likely to fail.', 'Do not send it.'],
]

/** Null in shadow mode, in which a person always verifies. */
function useOwnFeeds(): LiveFeeds | null {
  const { verifyMode } = useSession()
  const feeds = useLiveFeeds()
  return verifyMode === 'live' ? feeds : null
}

/** Explains the three decisions before the first one is made. With a live key, says first if none can be made. */
export function Legend() {
  const feeds = useOwnFeeds()
  return (
    <Card
      isPrimary
      title="No decision yet"
      note="Select Verify. The decision is one of three, with a score and reasons."
    >
      {feeds !== null && <HoldNotice feeds={feeds} />}
      <ul className="try-legend">
        {meanings.map(([decision, meaning, advice]) => (
          <li key={decision}>
            <Verdict of={decision} />
            <p>{meaning}</p>
            <p className="small soft">{advice}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="try-facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Score({ decision, score, rules }: Pick<Decided, 'decision' | 'score'> & { rules: Methodology }) {
  const bounds = boundsOf(rules)
  const band = bandOf(score, bounds)
  return (
    <div className="try-score">
      <h3 className="small soft">Score</h3>
      <ScoreRuler score={score} decision={decision} bounds={bounds} />
      {band !== decision && (
        <p className="small">The score alone would be {band}. A rule overrides it: see the reasons.</p>
      )}
    </div>
  )
}

function Reasons({ of }: { readonly of: Decided['reasons'] }) {
  return (
    <div>
      <h3 className="small soft">{of.length === 1 ? 'Reason' : 'Reasons'}</h3>
      <ul className="try-reasons">
        {of.map(({ code, message }) => (
          <li key={code}>
            <span>{message}</span>
            <code className="soft">{code}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Warnings({ of }: { readonly of: NonNullable<Decided['warnings']> }) {
  if (of.length === 0) return null
  return (
    <Notice tone="degraded" title={of.length === 1 ? 'Warning' : 'Warnings'}>
      <ul>
        {of.map(({ code, path, message }) => (
          <li key={path ?? code}>
            {path !== undefined && (
              <>
                <code>{path}</code>:{' '}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Cooldown({ source_request_id: id, expires_at: until }: NonNullable<Decided['cooldown']>) {
  return (
    <Notice tone="info" title="Corridor in cooldown">
      <p>
        This repeats a recent <Link href={`/verifications/${id}`}>NO-GO</Link>. The cooldown ends at{' '}
        <Time at={until} />.
      </p>
    </Notice>
  )
}

/** A demo decision has no time limit, since nothing is sent on it. */
function Validity({ of }: { readonly of: DemoVerifyResponse | Decided }) {
  const until = 'valid_until' in of ? of.valid_until : undefined
  if (until === undefined) return 'This payment, at this time'
  return (
    <>
      Until <Time at={until} />
    </>
  )
}

const titleOf = ({ amount, currency }: Payment, corridor: string): string =>
  amount === undefined
    ? `Payment without an amount on ${corridor}`
    : `${formatAmount(amount, currency.toUpperCase())} on ${corridor}`

export function DecisionCard({
  request,
  decision,
  rules,
}: {
  readonly request: VerificationRequest
  readonly decision: DemoVerifyResponse | Decided
  readonly rules: Methodology | undefined
}) {
  const { payment, idempotencyKey } = request
  const isRecorded = idempotencyKey !== null
  const cooldown = 'cooldown' in decision ? decision.cooldown : undefined
  const path = 'suggested_path' in decision ? decision.suggested_path : null
  return (
    <Card
      isPrimary
      tone={toneOf[decision.decision]}
      title={titleOf(payment, decision.corridor)}
      actions={
        isRecorded ? (
          <LinkButton href={`/verifications/${decision.request_id}`} small icon="arrow">
            View record
          </LinkButton>
        ) : (
          <Chip>Demo, not recorded</Chip>
        )
      }
    >
      <div className="try-verdict">
        <div className="stack">
          <Verdict of={decision.decision} large />
          <div>
            <p className="try-action">{actionLabel(decision.recommended_action)}</p>
            {path !== null && <p className="soft">{path}</p>}
          </div>
        </div>
        {!hasSignals(decision) ? (
          <p className="soft">No data: this corridor has no signals, so its score is 0.</p>
        ) : rules === undefined ? (
          <Skeleton height={90} label="Loading bands" />
        ) : (
          <Score {...decision} rules={rules} />
        )}
      </div>
      <Reasons of={decision.reasons} />
      <Warnings of={decision.warnings ?? []} />
      {cooldown !== undefined && <Cooldown {...cooldown} />}
      <Facts
        of={[
          ['Confidence', figures(formatScore(decision.confidence))],
          ['Partner', decision.recommended_partner ?? 'None'],
          ['Decided', <Time key="at" at={decision.evaluated_at} />],
          ['Response time', formatMs(decision.response_ms)],
          ['Validity', <Validity key="validity" of={decision} />],
        ]}
      />
      <p className="small soft">{decision.validation_note}</p>
    </Card>
  )
}

interface HoldProps {
  readonly hold: Hold
  readonly onRetry: () => void
}

/** Waiting does not bring a feed that nobody has set up, so such a hold leads to the feeds. */
function NextStep({ hold, missing, onRetry }: HoldProps & { readonly missing: LiveFeeds | null }) {
  const retry = (
    <Button icon="clock" onClick={onRetry}>
      Try again
    </Button>
  )
  if (missing !== null) {
    return (
      <>
        <p>
          A hold is not an approval. Live decisions stay on hold until the feeds are set up.{' '}
          <FeedsLink feeds={missing} />
        </p>
        <div className="row">{retry}</div>
      </>
    )
  }
  return (
    <>
      <p>
        A hold is not an approval. A retry uses the same idempotency key, so the payment is decided only once.
      </p>
      <div className="row">
        {retry}
        <RetryCountdown key={hold.requestId} seconds={hold.retryAfterSeconds} />
      </div>
    </>
  )
}

export function HoldCard({
  request: { payment },
  hold,
  onRetry,
}: HoldProps & { readonly request: VerificationRequest }) {
  const feeds = useOwnFeeds()
  const isWithoutFeed = hold.unavailableSignals.some((signal) => feeds?.missing.includes(signal))
  return (
    <Card isPrimary tone="degraded" title={titleOf(payment, payment.corridor)}>
      <div className="stack">
        <span className="verdict verdict-large tone-degraded try-hold">
          <Icon name="clock" size={26} />
          HOLD
        </span>
        <div>
          <p className="try-action">No decision could be made: hold the payment</p>
          <p className="soft">{isWithoutFeed ? 'No feed is set up for the signals below.' : hold.message}</p>
        </div>
      </div>
      {hold.unavailableSignals.length > 0 && (
        <p className="row">
          <span className="soft">Unavailable signals:</span>
          {hold.unavailableSignals.map((signal) => (
            <Chip key={signal}>{signalLabel(signal)}</Chip>
          ))}
        </p>
      )}
      <NextStep {...{ hold, onRetry }} missing={isWithoutFeed ? feeds : null} />
    </Card>
  )
}
