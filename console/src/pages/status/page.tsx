/** Status: what this instance is ready for, how its feeds are doing, and that it is up. It needs no key. */

import type { CipStatus, FairwayClient, Health, Readiness } from '@fairway/client'
import type { ReactNode } from 'react'
import { Answered } from '../../answer.tsx'
import { useOpenAsk, type Asked } from '../../ask.ts'
import { formatCount, formatShare } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import { Checklist } from './readiness.tsx'
import { Signals } from './signals.tsx'
import { states } from './words.ts'
import './status.css'

const everyMs = 10_000

function useStatus<Answer>(name: string, ask: (client: FairwayClient) => Promise<Answer>): Asked<Answer> {
  return useOpenAsk([name], ask, { everyMs })
}

const levelWords = (level: string, capability: string): string =>
  `${capability === 'ready' ? 'Ready' : 'Not ready'} for ${level}.`

function Overall({ readiness }: { readonly readiness: Readiness }) {
  const { items_total: all, checklist, sandbox_capability: sandbox } = readiness
  const missing = checklist.filter(({ status }) => status === 'not_available').length
  const planned = checklist.filter(({ status }) => status === 'planned').length
  const title =
    missing === 0
      ? 'All systems ready'
      : `${missing} of ${all} items need${missing === 1 ? 's' : ''} attention`
  return (
    <Notice tone={missing === 0 ? 'go' : sandbox === 'ready' ? 'degraded' : 'nogo'} title={title}>
      <p>
        {levelWords('the sandbox', sandbox)} {levelWords('production', readiness.production_capability)}{' '}
        {planned > 0 && `${planned} planned. `}
        Checked at <Time at={readiness.checked_at} />.
      </p>
    </Notice>
  )
}

function Part<Answer>({
  title,
  note,
  asked,
  told,
  height,
  children,
}: {
  readonly title: string
  readonly note?: string
  readonly asked: Asked<Answer>
  /** What went wrong is told above, for all parts at once. */
  readonly told: boolean
  readonly height: number
  readonly children: (answer: Answer) => ReactNode
}) {
  return (
    <Card title={title} {...(note !== undefined && { note })}>
      {told && asked.error !== undefined ? (
        asked.data === undefined ? (
          <p className="soft">Not known.</p>
        ) : (
          children(asked.data)
        )
      ) : (
        <Answered asked={asked} skeleton={<Skeleton height={height} label={`Loading ${title}`} />}>
          {children}
        </Answered>
      )}
    </Card>
  )
}

function HealthFacts({ health }: { readonly health: Health }) {
  return (
    <Pairs
      of={[
        [
          'Service',
          <Chip key="up" tone="go">
            {codeWords(health.status)}
          </Chip>,
        ],
        ['Version', <code key="version">{health.version}</code>],
        [
          'Recorded decisions',
          <span key="n" className="figures">
            {formatCount(health.total_verifications)}
          </span>,
        ],
        ['Environment', codeWords(health.environment)],
        ['Answered at', <Time key="at" at={health.timestamp} />],
      ]}
    />
  )
}

function PlatformFacts({ cip }: { readonly cip: CipStatus }) {
  return (
    <Pairs
      of={[
        ['Phase', `${cip.phase} of 3: ${states[cip.state]}`],
        [
          'In decisions',
          cip.decision_influence
            ? `Makes up ${formatShare(cip.blend_weight, 1)} of a live score`
            : 'No telemetry affects any decision',
        ],
        ['Confidence', codeWords(cip.confidence)],
        [
          'Observations',
          <span key="n" className="figures">
            {formatCount(cip.observations_collected)}
          </span>,
        ],
        ['Reads from', cip.active_adapters.join(', ')],
        ['In force since', <Time key="at" at={cip.last_updated} />],
        ['Governed by', <code key="by">{cip.governed_by}</code>],
      ]}
    />
  )
}

interface StatusLine {
  /** What went wrong with several parts: one thing, most probably, and told once. */
  readonly error: unknown
  readonly onRetry: () => void
}

function Above({
  readiness,
  common,
}: {
  readonly readiness: Asked<Readiness>
  readonly common: StatusLine | null
}) {
  const isUnknown = readiness.error !== undefined || common !== null
  if (!isUnknown) {
    return readiness.data === undefined ? (
      <Skeleton height={84} label="Loading the status" />
    ) : (
      <Overall readiness={readiness.data} />
    )
  }
  return (
    <>
      {common !== null && <Problem error={common.error} onRetry={common.onRetry} />}
      <p className="soft">
        The status is not known. What is shown below, if anything, is what was last heard.
      </p>
    </>
  )
}

function commonOf(
  asked: readonly { readonly error: unknown; readonly mutate: () => Promise<unknown> }[],
): StatusLine | null {
  const failed = asked.filter(({ error }) => error !== undefined)
  if (failed.length < 2) return null
  return { error: failed[0]?.error, onRetry: () => failed.forEach(({ mutate }) => void mutate()) }
}

export default function StatusPage() {
  const readiness = useStatus('readiness', (client) => client.readiness())
  const health = useStatus('health', (client) => client.health())
  const cip = useStatus('cip', (client) => client.cipStatus())
  const signals = useStatus('signals', (client) => client.signalStatus())
  const common = commonOf([readiness, health, cip, signals])
  const told = common !== null
  return (
    <Page title="Status" lead="How this instance is doing. It is asked every ten seconds.">
      <Above {...{ readiness, common }} />
      <div className="columns status-pair">
        <Part title="Health" {...{ asked: health, told }} height={150}>
          {/* What does not answer is not healthy, whatever it last said. */}
          {(answer) =>
            health.error === undefined ? (
              <HealthFacts health={answer} />
            ) : (
              told && <p className="soft">Not known.</p>
            )
          }
        </Part>
        <Part title="Corridor intelligence" {...{ asked: cip, told }} height={200}>
          {(answer) => <PlatformFacts cip={answer} />}
        </Part>
      </div>
      <Part
        title="Signal feeds"
        note="Where the seven signals come from."
        {...{ asked: signals, told }}
        height={340}
      >
        {(answer) => <Signals status={answer} />}
      </Part>
      <Part
        title="Readiness"
        note="Each item is looked up as it is asked for."
        {...{ asked: readiness, told }}
        height={600}
      >
        {(answer) => <Checklist readiness={answer} />}
      </Part>
    </Page>
  )
}
