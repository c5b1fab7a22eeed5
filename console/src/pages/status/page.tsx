/** The status page: health, followers, signal feeds and readiness of this instance. It needs no key. */

import type { CipStatus, FairwayClient, FeedList, Health, Readiness, SignalStatus } from '@fairway/client'
import { useEffect, type ReactNode } from 'react'
import { QueryResult } from '../../query-result.tsx'
import { usePublicQuery, type Query } from '../../query.ts'
import { formatCount, formatShare } from '../../format.ts'
import { useFeedList } from '../../mode.tsx'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { codeLabel } from '../../labels.ts'
import { Attention } from './attention.tsx'
import { Followers } from './followers.tsx'
import { FeedsCard } from './live-feeds.tsx'
import { Checklist } from './readiness.tsx'
import { Signals } from './signals.tsx'
import { states } from './labels.ts'
import './status.css'

const refreshMs = 10_000

function useStatus<Answer>(name: string, load: (client: FairwayClient) => Promise<Answer>): Query<Answer> {
  return usePublicQuery([name], load, { refreshMs })
}

const levelText = (level: string, capability: string): string =>
  `${capability === 'ready' ? 'Ready' : 'Not ready'} for ${level}.`

function Overall({ readiness }: { readonly readiness: Readiness }) {
  const { items_total: all, checklist, sandbox_capability: sandbox } = readiness
  const missing = checklist.filter(({ status }) => status === 'not_available').length
  const planned = checklist.filter(({ status }) => status === 'planned').length
  const title =
    missing === 0
      ? 'No item needs attention'
      : `${missing} of ${all} items need${missing === 1 ? 's' : ''} attention`
  return (
    <Notice tone={missing === 0 ? 'go' : sandbox === 'ready' ? 'degraded' : 'nogo'} title={title}>
      <p>
        {levelText('the sandbox', sandbox)} {levelText('production', readiness.production_capability)}{' '}
        {planned > 0 && `${planned} planned. `}
        Checked at <Time at={readiness.checked_at} />.
      </p>
    </Notice>
  )
}

function Part<Answer>({
  title,
  note,
  query,
  hasCommonError,
  height,
  children,
}: {
  readonly title: string
  readonly note?: string
  readonly query: Query<Answer>
  /** Whether the error is shown above, once for all parts. */
  readonly hasCommonError: boolean
  readonly height: number
  readonly children: (answer: Answer) => ReactNode
}) {
  return (
    <Card title={title} {...(note !== undefined && { note })}>
      {hasCommonError && query.error !== undefined ? (
        query.data === undefined ? (
          <p className="soft">Unknown.</p>
        ) : (
          children(query.data)
        )
      ) : (
        <QueryResult query={query} skeleton={<Skeleton height={height} label={`Loading ${title}`} />}>
          {children}
        </QueryResult>
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
            {codeLabel(health.status)}
          </Chip>,
        ],
        ['Service version', <code key="version">{health.version}</code>],
        ['API contract', <code key="contract">{health.contract_version}</code>],
        [
          'Recorded decisions',
          <span key="n" className="figures">
            {formatCount(health.total_verifications)}
          </span>,
        ],
        ['Deciding now', `${health.modes.join(' and ')} mode`],
        ['Environment', codeLabel(health.environment)],
        ['Checked', <Time key="at" at={health.timestamp} />],
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
          'Influence',
          cip.decision_influence
            ? `${formatShare(cip.blend_weight, 1)} of a live score`
            : 'No telemetry affects any decision',
        ],
        ['Confidence', codeLabel(cip.confidence)],
        [
          'Observations',
          <span key="n" className="figures">
            {formatCount(cip.observations_collected)}
          </span>,
        ],
        ['Sources', cip.active_adapters.join(', ')],
        ['In effect since', <Time key="at" at={cip.last_updated} />],
        ['Governed by', <code key="by">{cip.governed_by}</code>],
      ]}
    />
  )
}

interface CommonError {
  /** The error of several parts: most likely one cause, shown once. */
  readonly error: unknown
  readonly onRetry: () => void
}

function OverallStatus({
  readiness,
  common,
}: {
  readonly readiness: Query<Readiness>
  readonly common: CommonError | null
}) {
  const isUnknown = readiness.error !== undefined || common !== null
  if (!isUnknown) {
    return readiness.data === undefined ? (
      <Skeleton height={84} label="Loading status" />
    ) : (
      <Overall readiness={readiness.data} />
    )
  }
  return (
    <>
      {common !== null && <Problem error={common.error} onRetry={common.onRetry} />}
      <p className="soft">Status unknown. Any data below is from the last response.</p>
    </>
  )
}

function commonOf(
  queries: readonly { readonly error: unknown; readonly mutate: () => Promise<unknown> }[],
): CommonError | null {
  const failed = queries.filter(({ error }) => error !== undefined)
  if (failed.length < 2) return null
  return { error: failed[0]?.error, onRetry: () => failed.forEach(({ mutate }) => void mutate()) }
}

/** Scrolls to the anchor once the parts above it have loaded. */
function useAnchor(queries: readonly Pick<Query<unknown>, 'data' | 'error'>[]): void {
  const isLoaded = queries.every(({ data, error }) => data !== undefined || error !== undefined)
  useEffect(() => {
    const { hash } = window.location
    if (isLoaded && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isLoaded])
}

/** The simulation says nothing to a live key, and the list of feeds has the rest. */
function Feeds({
  signals,
  feeds,
  hasCommonError,
}: {
  readonly signals: Query<SignalStatus>
  readonly feeds: Query<FeedList>
  readonly hasCommonError: boolean
}) {
  const { mode, person } = useSession()
  return (
    <div id="feeds" className="status-anchor page">
      {mode === 'live' ? (
        <Part title="Live feeds" {...{ query: feeds, hasCommonError }} height={340}>
          {(answer) => <FeedsCard list={answer} onChecked={() => void feeds.mutate()} />}
        </Part>
      ) : (
        <>
          <Part
            title="Signal feeds"
            note="The sources of the seven signals."
            {...{ query: signals, hasCommonError }}
            height={340}
          >
            {(answer) => <Signals status={answer} />}
          </Part>
          <Card title="Live feeds">
            <p className="soft">
              {person === null
                ? 'Sign in with a live key to see every feed with its corridor and partner, and to check a corridor.'
                : 'Your owner has no live key. With one, every feed is here with its corridor and partner.'}
            </p>
          </Card>
        </>
      )}
    </div>
  )
}

export default function StatusPage() {
  const { mode } = useSession()
  const readiness = useStatus('readiness', (client) => client.readiness())
  const health = useStatus('health', (client) => client.health())
  const ready = useStatus('ready', (client) => client.ready())
  const cip = useStatus('cip', (client) => client.cipStatus())
  const signals = useStatus('signals', (client) => client.signalStatus())
  const feeds = useFeedList(refreshMs)
  const common = commonOf([readiness, health, ready, cip, signals, feeds])
  const hasCommonError = common !== null
  useAnchor([readiness, health, ready, cip, mode === 'live' ? feeds : signals])
  return (
    <Page title="Status" lead="The status of this instance, updated every ten seconds.">
      <OverallStatus {...{ readiness, common }} />
      <Attention />
      <div className="columns status-pair">
        <Part title="Health" {...{ query: health, hasCommonError }} height={150}>
          {/* After an error the last response is not shown: the instance may not be healthy any more. */}
          {(answer) =>
            health.error === undefined ? (
              <HealthFacts health={answer} />
            ) : (
              hasCommonError && <p className="soft">Unknown.</p>
            )
          }
        </Part>
        <Part title="Corridor intelligence" {...{ query: cip, hasCommonError }} height={200}>
          {(answer) => <PlatformFacts cip={answer} />}
        </Part>
      </div>
      <Part
        title="Followers"
        note="Totals, webhook events and the sealed log follow each decision a moment later."
        {...{ query: ready, hasCommonError }}
        height={170}
      >
        {(answer) => <Followers followers={answer.followers} />}
      </Part>
      <Feeds {...{ signals, feeds, hasCommonError }} />
      <Part
        title="Readiness"
        note="Each item is checked on every request."
        {...{ query: readiness, hasCommonError }}
        height={600}
      >
        {(answer) => <Checklist readiness={answer} />}
      </Part>
    </Page>
  )
}
