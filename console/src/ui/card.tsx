/** Cards, tiles and name-value lists. */

import { useId, type ReactNode } from 'react'

export function Card({
  title,
  note,
  actions,
  children,
}: {
  readonly title?: ReactNode
  readonly note?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <section className="card" {...(title !== undefined && { 'aria-labelledby': id })}>
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
