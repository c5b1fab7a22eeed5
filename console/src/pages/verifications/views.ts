/** The views of the list that everybody has. */

import type { OwnView } from '../../views/views-bar.tsx'
import { addressOf, defaultView, noFilters, viewIn, type Filters } from './filters.ts'

/** Without the page and the order. */
export const addressOfFilters = (filters: Filters): string => addressOf({ ...defaultView, filters })

export const normalAddress = (address: string): string =>
  addressOfFilters(viewIn(address.split('?')[1] ?? '').filters)

const viewOf = (name: string, filters: Partial<Filters>): OwnView => ({
  name,
  address: addressOfFilters({ ...noFilters, ...filters }),
})

export const views: readonly [OwnView, ...OwnView[]] = [
  viewOf('All', {}),
  viewOf('Overridden', { override: 'true' }),
  viewOf('Failed payments', { outcome: 'FAILED' }),
  viewOf('No outcome yet', { outcome: 'none' }),
]
