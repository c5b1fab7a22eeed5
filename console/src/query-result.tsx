/** Renders a query: a skeleton while it loads, its error, and the last data even after an error. */

import type { ReactNode } from 'react'
import type { Query } from './query.ts'
import { Problem } from './problem.tsx'
import { Skeleton } from './ui/state.tsx'

const block = <Skeleton height={240} />

export function QueryResult<Answer>({
  query,
  skeleton = block,
  children,
}: {
  readonly query: Query<Answer>
  readonly skeleton?: ReactNode
  readonly children: (answer: Answer) => ReactNode
}) {
  const { data, error, mutate } = query
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? error === undefined && skeleton : children(data)}
    </>
  )
}
