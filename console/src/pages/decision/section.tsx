/** A section of the decision page: a card with an anchor, filled from a member of the decision's file. */

import { PermissionError, type DecisionFile } from '@fairway/client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { QueryResult } from '../../query-result.tsx'
import type { Query } from '../../query.ts'
import { useSession } from '../../session.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/state.tsx'
import type { MemberName } from './file.ts'

export function Section({
  id,
  title,
  note,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div id={id} className="decision-anchor">
      <Card title={title} {...(note !== undefined && { note })}>
        {children}
      </Card>
    </div>
  )
}

/** Says why a member is missing. A missing scope shows as plain text, because it is not a failure. */
export function Absent({
  file: { withheld, unavailable },
  name,
}: {
  readonly file: DecisionFile
  readonly name: MemberName
}) {
  const { person } = useSession()
  const scope = withheld.find(({ member }) => member === name)?.scope
  if (scope !== undefined) {
    return (
      <p className="soft">
        {person === null ? 'This key' : 'Your role'} lacks the scope <code>{scope}</code>.
      </p>
    )
  }
  return unavailable.includes(name) ? (
    <p className="soft">This could not be read just now. Load the page again later.</p>
  ) : null
}

/** Renders a query's data. A missing scope shows as plain text, because it is not a failure. */
export function Part<Answer>({
  query,
  height,
  children,
}: {
  readonly query: Query<Answer>
  readonly height: number
  readonly children: (answer: Answer) => ReactNode
}) {
  if (query.data === undefined && query.error instanceof PermissionError) {
    return <p className="soft">{query.error.message}</p>
  }
  return (
    <QueryResult query={query} skeleton={<Skeleton height={height} />}>
      {children}
    </QueryResult>
  )
}

const decisionHref = (id: string): string => `/verifications/${encodeURIComponent(id)}`

export function DecisionLink({ id }: { readonly id: string }) {
  return (
    <Link href={decisionHref(id)} className="mono anywhere">
      {id}
    </Link>
  )
}
