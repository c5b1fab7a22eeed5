/** Notices, empty states and loading placeholders. */

import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './verdict.tsx'

const iconOf: Readonly<Record<Tone, IconName>> = { go: 'check', degraded: 'warn', nogo: 'stop', info: 'info' }

/** The title is not a heading, because a notice can appear at any level of the page. */
export function Notice({
  tone,
  title,
  live = false,
  children,
}: {
  readonly tone: Tone
  readonly title: string
  /** Announced by screen readers when it appears. */
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

/** A loading placeholder. */
export function Skeleton({ height = 120, label = 'Loading' }: { height?: number; label?: string }) {
  return (
    <div className="skeleton" style={{ height }} role="status">
      <span className="sr-only">{label}</span>
    </div>
  )
}
