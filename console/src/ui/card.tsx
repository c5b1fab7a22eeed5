/** Cards, tiles and name-value lists. */

import { useId, type ReactNode } from 'react'
import type { Tone } from './verdict.tsx'

export function Card({
  title,
  note,
  actions,
  isPrimary = false,
  tone,
  children,
}: {
  readonly title?: ReactNode
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** The primary zone of a page, of which it has one. */
  readonly isPrimary?: boolean
  /** Marks the edge of the zone, beside a verdict or a notice that says the same in words. */
  readonly tone?: Tone
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <section
      className={['card', isPrimary && 'card-primary', tone && `edge-${tone}`].filter(Boolean).join(' ')}
      {...(title !== undefined && { 'aria-labelledby': id })}
    >
      {title !== undefined && (
        <div className="card-head">
          <h2 id={id}>{title}</h2>
          {actions !== undefined && <div className="row">{actions}</div>}
          {note !== undefined && <p className="card-note">{note}</p>}
        </div>
      )}
      {children}
    </section>
  )
}

/** One figure with its name and a note. */
export function Tile({
  name,
  value,
  note,
}: {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
}) {
  return (
    <div className="tile">
      <dt>{name}</dt>
      <dd className="tile-value">{value}</dd>
      {note !== undefined && <dd className="tile-note">{note}</dd>}
    </div>
  )
}

export function Tiles({ children }: { readonly children: ReactNode }) {
  return <dl className="tiles">{children}</dl>
}

export const figures = (text: string): ReactNode => <span className="figures">{text}</span>

/** A list of names and values. */
export function Pairs({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="pairs">
      {of.map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
