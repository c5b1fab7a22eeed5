/** Shows an answer: its shape while it is awaited, the error where there is one, and the old answer beside a new error. */

import type { ReactNode } from 'react'
import type { Asked } from './ask.ts'
import { Problem } from './problem.tsx'
import { Skeleton } from './ui/state.tsx'

const block = <Skeleton height={240} />

export function Answered<Answer>({
  asked,
  skeleton = block,
  children,
}: {
  readonly asked: Asked<Answer>
  readonly skeleton?: ReactNode
  readonly children: (answer: Answer) => ReactNode
}) {
  const { data, error, mutate } = asked
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={() => void mutate()} />}
      {data === undefined ? error === undefined && skeleton : children(data)}
    </>
  )
}
