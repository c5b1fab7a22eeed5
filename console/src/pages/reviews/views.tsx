/** The views of the queue, with what waits in each. */

import type { ReviewSummary } from '@fairway/client'
import { ViewsBar, type OwnView } from '../../views/views-bar.tsx'
import { addressOf, filtersIn, views, type Filters, type View } from './filters.ts'
import { useClaims, useSummary } from './queries.ts'

function countsOf(summary: ReviewSummary | undefined, claims: readonly string[] | undefined) {
  return new Map([
    ['Waiting', summary?.waiting],
    ['Unclaimed', summary?.unclaimed],
    ['Mine', claims?.length],
    ['To approve', summary?.proposed],
    ['Overdue', summary?.overdue],
  ])
}

const normal = (address: string): string => addressOf(filtersIn(new URLSearchParams(address.split('?')[1])))

export function Views({ filters }: { readonly filters: Filters }) {
  const counts = countsOf(useSummary(), useClaims())
  const viewOf = ({ name, filters: target }: View): OwnView => ({
    name,
    address: addressOf(target),
    count: counts.get(name),
    isUrgent: name === 'Overdue',
  })
  const [first, ...others] = views
  return (
    <ViewsBar
      of="review"
      unit="review"
      views={[viewOf(first), ...others.map(viewOf)]}
      here={addressOf(filters)}
      normal={normal}
    />
  )
}
