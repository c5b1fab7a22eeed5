/** A decision at a glance: the verdict, what it asks for, the score on its bands, and the facts around it. */

import type { Decided, Decision, DemoVerifyResponse, Hold, Methodology } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ScoreRuler } from '../../charts/ruler.tsx'
import { formatAmount, formatMs, formatScore } from '../../format.ts'
import { ComeBack } from '../../problem.tsx'
import { bandOf, boundsOf } from '../../rules.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, figures } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip, Verdict } from '../../ui/verdict.tsx'
import { actionWords, signalWords } from '../../words.ts'
import type { Payment } from './payment.ts'
import type { Question } from './verification.ts'

const meanings: readonly (readonly [Decision, string, string])[] = [
  ['GO', 'The corridor is fit for this payment.', 'Send it, once the recommended action is done.'],
  ['DEGRADED', 'Something is short, or a person must look.', 'Review or reroute it before it is sent.'],
  ['NO-GO', 'The payment would probably go wrong.', 'Do not send it.'],
]

/** What stands there before the first decision. */
export function Legend() {
  return (
    <Card
      title="No decision yet"
      note="Press Verify. The answer is one of three, with a score and its reasons."
    >
      <ul className="try-legend">
        {meanings.map(([decision, means, act]) => (
          <li key={decision}>
            <Verdict of={decision} />
            <p>{means}</p>
            <p className="small soft">{act}</p>
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
      <ScoreRuler score={score} bounds={bounds} />
      {band !== decision && (
        <p className="small">The score alone would be {band}. A rule goes before it: see the reasons.</p>
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

function Cooldown({ source_request_id: id, expires_at: until }: NonNullable<Decided['cooldown']>) {
  return (
    <Notice tone="info" title="The corridor is cooling down">
      <p>
        A recent <Link href={`/verifications/${id}`}>NO-GO</Link> is repeated until <Time at={until} />.
        Nothing was computed anew.
      </p>
    </Notice>
  )
}

const titleOf = ({ amount, currency }: Payment, corridor: string): string =>
  amount === undefined
    ? `A payment without an amount on ${corridor}`
    : `${formatAmount(amount, currency.toUpperCase())} on ${corridor}`

export function DecisionCard({
  question,
  decision,
  rules,
}: {
  readonly question: Question
  readonly decision: DemoVerifyResponse | Decided
  readonly rules: Methodology | undefined
}) {
  const { payment, recordedUnder } = question
  const isRecorded = recordedUnder !== null
  const cooldown = 'cooldown' in decision ? decision.cooldown : undefined
  const decidedAt = <Time at={decision.evaluated_at} />
  const path = 'suggested_path' in decision ? decision.suggested_path : null
  return (
    <Card
      title={titleOf(payment, decision.corridor)}
      actions={
        isRecorded ? (
          <LinkButton href={`/verifications/${decision.request_id}`} small icon="arrow">
            See its record
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
            <p className="try-action">{actionWords(decision.recommended_action)}</p>
            {path !== null && <p className="soft">{path}</p>}
          </div>
        </div>
        {rules === undefined ? (
          <Skeleton height={90} label="Loading the bands" />
        ) : (
          <Score {...decision} rules={rules} />
        )}
      </div>
      <Reasons of={decision.reasons} />
      {cooldown !== undefined && <Cooldown {...cooldown} />}
      <Facts
        of={[
          ['Confidence', figures(formatScore(decision.confidence))],
          ['Partner', decision.recommended_partner ?? 'None'],
          ['Decided', decidedAt],
          ['Took', formatMs(decision.response_ms)],
          ['Valid', 'For this payment, at this time'],
        ]}
      />
      <p className="small soft">{decision.validation_note}</p>
    </Card>
  )
}

export function HoldCard({
  question: { payment },
  hold,
  onAgain,
}: {
  readonly question: Question
  readonly hold: Hold
  readonly onAgain: () => void
}) {
  return (
    <Card title={titleOf(payment, payment.corridor)}>
      <div className="stack">
        <span className="verdict verdict-large tone-degraded try-hold">
          <Icon name="clock" size={26} />
          HOLD
        </span>
        <div>
          <p className="try-action">There is no decision: the payment waits</p>
          <p className="soft">{hold.message}</p>
        </div>
      </div>
      {hold.unavailableSignals.length > 0 && (
        <p className="row">
          <span className="soft">Out of reach:</span>
          {hold.unavailableSignals.map((signal) => (
            <Chip key={signal}>{signalWords(signal)}</Chip>
          ))}
        </p>
      )}
      <p>
        A hold is never an allow. It is asked again under the same idempotency key, so that nothing is decided
        twice.
      </p>
      <div className="row">
        <Button icon="clock" onClick={onAgain}>
          Ask again
        </Button>
        <ComeBack key={hold.requestId} seconds={hold.retryAfterSeconds} />
      </div>
    </Card>
  )
}
