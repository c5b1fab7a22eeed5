/** What stands where there is nothing to show: not yet, not at all, or not as it should. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './verdict.tsx'

const iconOf: Readonly<Record<Tone, IconName>> = { go: 'check', degraded: 'warn', nogo: 'stop', info: 'info' }

/** Its title is no heading: it stands wherever something went wrong, at no level of the page. */
export function Notice({
  tone,
  title,
  live = false,
  children,
}: {
  readonly tone: Tone
  readonly title: string
  /** Read out as it appears. */
  readonly live?: boolean
  readonly children?: ReactNode
}) {
  return (
    <div className={`notice tone-${tone}`} {...(live && { role: tone === 'nogo' ? 'alert' : 'status' })}>
      <Icon name={iconOf[tone]} />
      <div className="notice-body">
        <p className="state-title">{title}</p>
        {children}
      </div>
    </div>
  )
}

export function Empty({
  icon,
  title,
  children,
  action,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="empty">
      <Icon name={icon} size={36} />
      <p className="state-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

/** The shape of what is to come. */
export function Skeleton({ height = 120, label = 'Loading' }: { height?: number; label?: string }) {
  return (
    <div className="skeleton" style={{ height }} role="status">
      <span className="sr-only">{label}</span>
    </div>
  )
}
