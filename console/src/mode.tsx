/** The mode of what the caller sees: the banner of every page, and why live decisions are on hold. */

import type { FeedList, SignalName, SignalStatus } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { signalLabel } from './labels.ts'
import { useChosenOwner } from './people/owner-chooser.tsx'
import { usePublicQuery, useQuery, type Query } from './query.ts'
import { useSession } from './session.tsx'
import { Icon, type IconName } from './ui/icon.tsx'
import { Empty, Notice } from './ui/state.tsx'
import type { Tone } from './ui/verdict.tsx'

const refreshMs = 30_000
export const signalCount = 7

export interface LiveFeeds {
  /** Signals without a feed. */
  readonly missing: readonly SignalName[]
  /** Signals whose feed failed when it was last read; if several feeds read it, all of them. */
  readonly failing: readonly SignalName[]
  /** Signals that only some corridors or partners cannot read: other payments are still decided. */
  readonly partly: readonly SignalName[]
}

export const liveFeedsOf = ({ available, roadmap }: SignalStatus): LiveFeeds => ({
  missing: roadmap.feeds.map(({ signal }) => signal),
  failing: available.feeds.flatMap(({ signal, live }) => (live?.status === 'failing' ? [signal] : [])),
  partly: [],
})

/** The public status has the worst feed of each signal; the list of feeds says whether another one works. */
function refined(status: LiveFeeds, { feeds }: FeedList): LiveFeeds {
  const works = (signal: SignalName): boolean =>
    feeds.some((feed) => feed.signal === signal && feed.status !== 'failing')
  return {
    ...status,
    failing: status.failing.filter((signal) => !works(signal)),
    partly: status.failing.filter(works),
  }
}

/** Every feed of live mode; none in shadow mode. */
export function useFeedList(everyMs: number): Query<FeedList> {
  const { mode } = useSession()
  return useQuery(mode === 'live' ? ['feeds'] : null, (client) => client.liveFeeds(), { refreshMs: everyMs })
}

/** Null in shadow mode, and until the status is known. */
export function useLiveFeeds(): LiveFeeds | null {
  const { mode } = useSession()
  const { data } = usePublicQuery(mode === 'live' ? ['signals'] : null, (client) => client.signalStatus(), {
    refreshMs,
  })
  const { data: list } = useFeedList(refreshMs)
  if (mode !== 'live' || data === undefined) return null
  return list === undefined ? liveFeedsOf(data) : refined(liveFeedsOf(data), list)
}

/** Why live decisions are on hold; null if they are not. */
function holdReason({ missing, failing }: LiveFeeds): string | null {
  if (missing.length > 0) return `no feed is set up for ${missing.length} of ${signalCount} signals`
  if (failing.length > 0) return `${failing.length} of ${signalCount} feeds cannot be read`
  return null
}

/** Leads to the feeds on the status page, also from there. */
export function FeedsLink({ feeds: { missing } }: { readonly feeds: LiveFeeds }) {
  return (
    <Link href="/status#feeds" onClick={() => document.getElementById('feeds')?.scrollIntoView()}>
      {missing.length > 0 ? 'Set up feeds' : 'Show feeds'}
    </Link>
  )
}

interface BannerLook {
  readonly tone: Tone
  readonly icon: IconName
  readonly text: ReactNode
}

function bannerOf(feeds: LiveFeeds | null): BannerLook {
  if (feeds === null) return { tone: 'info', icon: 'info', text: 'Live mode.' }
  const reason = holdReason(feeds)
  if (reason === null && feeds.partly.length > 0) {
    return {
      tone: 'degraded',
      icon: 'warn',
      text: (
        <>
          Live mode. Some corridors or partners cannot be read. <FeedsLink feeds={feeds} />
        </>
      ),
    }
  }
  if (reason === null) {
    return { tone: 'go', icon: 'check', text: 'Live mode. Decisions are made from your feeds.' }
  }
  return {
    tone: 'degraded',
    icon: 'clock',
    text: (
      <>
        Live mode. Live decisions are on hold: {reason}. <FeedsLink feeds={feeds} />
      </>
    ),
  }
}

const shadow: BannerLook = { tone: 'info', icon: 'info', text: 'Shadow mode: signals are simulated.' }

/** The choice of the installation concerns its policies alone; every other page asks for an owner. */
const ofInstallation: BannerLook = {
  tone: 'info',
  icon: 'policy',
  text: (
    <>
      <Link href="/policies">Policies of the installation</Link>: they apply to every owner.
    </>
  ),
}

export function ModeBanner() {
  const { mode, installation } = useSession()
  const feeds = useLiveFeeds()
  const owner = useChosenOwner()
  if (mode === null && installation === null) return null
  const { tone, icon, text } =
    installation !== null ? ofInstallation : mode === 'live' ? bannerOf(feeds) : shadow
  return (
    <div className={`mode-banner tone-${tone}`}>
      <Icon name={icon} size={16} />
      <p>
        {/* Also where the sidebar is behind a button. */}
        {owner !== undefined && <strong className="anywhere">{owner.name ?? owner.id}. </strong>}
        {text}
      </p>
    </div>
  )
}

const namesOf = (signals: readonly SignalName[]): string =>
  signals.length === signalCount ? 'any of the seven signals' : signals.map(signalLabel).join(', ')

function reasonText({ missing, failing }: LiveFeeds): string {
  return missing.length > 0
    ? `No feed is set up for ${namesOf(missing)}.`
    : `The feed could not be read for ${namesOf(failing)}.`
}

/** Why live decisions are on hold, and what to do about it. Empty if they are not. */
export function HoldNotice({
  feeds,
  tone = 'degraded',
  children,
}: {
  readonly feeds: LiveFeeds
  readonly tone?: Tone
  readonly children?: ReactNode
}) {
  if (holdReason(feeds) === null) return null
  return (
    <Notice tone={tone} title="Live decisions are on hold">
      <p>
        {reasonText(feeds)} {children ?? <FeedsLink feeds={feeds} />}
      </p>
    </Notice>
  )
}

/** Stands in for a page of simulated results, which a live key never gets. */
export function NotForLive({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="card card-primary">
      <Empty icon="info" title={title}>
        {children} Sign in with a test key to use this page.
      </Empty>
    </div>
  )
}
