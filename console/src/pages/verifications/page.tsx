/** Verifications: the whole history, filtered and page by page. What is looked at is in the address. */

import { InvalidRequestError, type Page as Listed, type Verification } from '@fairway/client'
import { useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useAsk } from '../../ask.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Download } from './download.tsx'
import { FilterForm } from './filter-form.tsx'
import {
  addressOf,
  filterNames,
  isFiltered,
  noFilters,
  queryOf,
  readLooked,
  type Filters,
  type Looked,
} from './filters.ts'
import { FindDecision } from './find.tsx'
import { Newer } from './newer.tsx'
import { Pager } from './pager.tsx'
import './records.css'
import { Rows } from './rows.tsx'

const fieldPaths: ReadonlySet<string> = new Set(filterNames.map((name) => `/${name}`))

/** Whether each fault of a refused request is told beside a field of the form. */
function isToldInForm(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.errors.every(({ path }) => fieldPaths.has(path))
}

function Trouble({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return isToldInForm(error) ? (
    <Notice tone="nogo" title="A filter is not understood">
      <p>Correct the field that is marked, and apply again.</p>
    </Notice>
  ) : (
    <Problem error={error} onRetry={onRetry} />
  )
}

function Nothing({ filters, onClear }: { readonly filters: Filters; readonly onClear: () => void }) {
  return isFiltered(filters) ? (
    <Empty
      icon="search"
      title="Nothing matches"
      action={<Button onClick={onClear}>Clear all filters</Button>}
    >
      No decision of yours fits all of these filters at once.
    </Empty>
  ) : (
    <Empty
      icon="list"
      title="No verifications yet: try one"
      action={
        <LinkButton look="primary" icon="bolt" href="/">
          Try a verification
        </LinkButton>
      }
    >
      Every decision that your key asks for is kept, and listed here.
    </Empty>
  )
}

/** The answer knows to which question it belongs: an older one may be shown until it is there. */
interface Answer extends Listed<Verification> {
  readonly to: string
}

function Results({
  looked,
  onFilter,
}: {
  readonly looked: Looked
  readonly onFilter: (to: Filters) => void
}) {
  const { filters, limit, cursor } = looked
  const address = addressOf(looked)
  const asked = useAsk<Answer>(['verifications', address], async (client) => {
    const query = { ...queryOf(filters), limit, ...(cursor !== null && { cursor }) }
    return { ...(await client.verifications(query).page()), to: address }
  })
  const top = useRef<HTMLDivElement>(null)
  const { data, error, mutate } = asked
  const isStale = data !== undefined && data.to !== address
  const shown = isStale && error !== undefined ? undefined : data
  return (
    <div className="stack" ref={top}>
      {/* Where nothing was ever decided there is nothing to choose from. */}
      {(shown?.items.length !== 0 || isFiltered(filters)) && (
        <FilterForm filters={filters} error={error} onChange={onFilter} />
      )}
      {error !== undefined && <Trouble error={error} onRetry={() => void mutate()} />}
      {shown === undefined && error === undefined && <Skeleton height={420} label="Loading the decisions" />}
      {shown?.items.length === 0 && (
        <div className="card">
          <Nothing filters={filters} onClear={() => onFilter(noFilters)} />
        </div>
      )}
      {shown !== undefined && shown.items.length > 0 && (
        <section className="card" aria-label="History">
          <div className="records-head">
            <Download filters={filters} key={JSON.stringify(filters)} />
            {cursor === null && !isStale && (
              <Newer looked={looked} items={shown.items} onShow={() => void mutate()} />
            )}
          </div>
          <Rows items={shown.items} stale={isStale} />
          <Pager
            looked={looked}
            nextCursor={isStale ? null : shown.nextCursor}
            onTurn={() => top.current?.scrollIntoView({ block: 'start' })}
          />
        </section>
      )}
    </div>
  )
}

export default function Verifications() {
  const looked = readLooked(useSearch())
  const [, navigate] = useLocation()
  return (
    <Page
      title="Verifications"
      lead="Every decision, newest first, with what followed it."
      actions={<FindDecision />}
    >
      <Keyed what="your verifications">
        <Results
          looked={looked}
          onFilter={(filters) => navigate(addressOf({ ...looked, filters, cursor: null }))}
        />
      </Keyed>
    </Page>
  )
}
