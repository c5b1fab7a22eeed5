/** The verifications page: all decisions, with filters and pages in the URL. */

import { InvalidRequestError, type Page as Listed, type Verification } from '@fairway/client'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { DecisionTable, sortColumns, useDecisionSorting } from '../../decision-table.tsx'
import { shownFor, useQuery } from '../../query.ts'
import { Keyed } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { SortChoice } from '../../ui/table-sort.tsx'
import { ViewsBar } from '../../views/views-bar.tsx'
import { Download } from './download.tsx'
import { FilterForm } from './filter-form.tsx'
import { addressOf, defaultView, filterNames, isFiltered, queryOf, viewIn, type ListView } from './filters.ts'
import { Newer } from './newer.tsx'
import { Pager } from './pager.tsx'
import './records.css'
import { Totals } from './totals.tsx'
import { addressOfFilters, normalAddress, views } from './views.ts'

const fieldPaths: ReadonlySet<string> = new Set(filterNames.map((name) => `/${name}`))

/** Whether the form shows all errors of a rejected request. */
function isShownInForm(error: unknown): boolean {
  return error instanceof InvalidRequestError && error.errors.every(({ path }) => fieldPaths.has(path))
}

function ListError({
  error,
  onRetry,
  onFirst,
}: {
  error: unknown
  onRetry: () => void
  onFirst: () => void
}) {
  if (errorOf(error, '/cursor') !== undefined) {
    return (
      <Notice tone="nogo" title="Page not found" live>
        <p>The URL is incomplete or outdated. Go to the first page.</p>
        <Button small onClick={onFirst}>
          First page
        </Button>
      </Notice>
    )
  }
  return isShownInForm(error) ? (
    <Notice tone="nogo" title="Invalid filter">
      <p>Correct the marked field and select Apply.</p>
    </Notice>
  ) : (
    <Problem error={error} onRetry={onRetry} />
  )
}

function NoDecisions({
  view,
  onClear,
  onFirst,
}: {
  view: ListView
  onClear: () => void
  onFirst: () => void
}) {
  if (view.cursor !== null) {
    return (
      <Empty icon="list" title="No more decisions" action={<Button onClick={onFirst}>First page</Button>}>
        The list ends here. Go to the first page.
      </Empty>
    )
  }
  return isFiltered(view.filters) ? (
    <Empty
      icon="search"
      title="No matching decisions"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      No decision matches all of these filters. Change or clear them.
    </Empty>
  ) : (
    <Empty
      icon="list"
      title="No verifications yet"
      action={
        <LinkButton variant="primary" icon="bolt" href="/">
          Try a verification
        </LinkButton>
      }
    >
      Every decision is recorded and listed here.
    </Empty>
  )
}

/** A page of results with the URL it belongs to, to detect a stale one. */
interface Result extends Listed<Verification> {
  readonly address: string
}

function usePage(view: ListView) {
  const { filters, limit, cursor } = view
  // The order of the rows is the browser's own work.
  const address = addressOf({ ...view, sort: null })
  const result = useQuery<Result>(
    ['verifications', address],
    async (client) => {
      const query = { ...queryOf(filters), limit, ...(cursor !== null && { cursor }) }
      return { ...(await client.verifications(query).page()), address }
    },
    { keepPrevious: true },
  )
  return shownFor(address, result)
}

/** The rows of a page, and the notice that one page looks at a part of the history only. */
function PageOfDecisions({
  view,
  shown,
  isStale,
  onNewest,
  onTurn,
}: {
  readonly view: ListView
  readonly shown: Result
  readonly isStale: boolean
  readonly onNewest: () => void
  readonly onTurn: () => void
}) {
  const sorter = useDecisionSorting()
  const { items, nextCursor } = shown
  const isPart = nextCursor !== null && items.length < view.limit
  return (
    <section className="card records-card" aria-label="Verifications">
      <div className="records-head">
        {items.length > 0 && (
          <SortChoice columns={sortColumns} sorter={sorter} rows={items.length} order="Newest first." />
        )}
        <div className="row">
          {view.cursor === null && !isStale && <Newer view={view} items={items} onShow={onNewest} />}
          <Download filters={view.filters} key={JSON.stringify(view.filters)} />
        </div>
      </div>
      {items.length > 0 ? (
        <DecisionTable caption="Decisions" items={items} sorter={sorter} stale={isStale} />
      ) : (
        <Empty icon="search" title="No match so far">
          One page searches 2,000 decisions. Older ones may match.
        </Empty>
      )}
      {isPart && items.length > 0 && (
        <p className="small soft">One page searches 2,000 decisions. Older ones may match, too.</p>
      )}
      <Pager view={view} nextCursor={isStale ? null : nextCursor} isSearch={isPart} onTurn={onTurn} />
    </section>
  )
}

function Results({ view, onView }: { readonly view: ListView; readonly onView: (to: ListView) => void }) {
  const { filters, cursor } = view
  const { shown, error, isStale, reload } = usePage(view)
  const top = useRef<HTMLDivElement>(null)
  const first = (): void => onView({ ...view, cursor: null })
  const clear = (): void => onView(defaultView)
  const isEnd = shown?.items.length === 0 && shown.nextCursor === null
  return (
    <div className="stack" ref={top}>
      {/* Hidden while there are no decisions at all. */}
      {(!isEnd || isFiltered(filters) || cursor !== null) && (
        <>
          <ViewsBar
            of="verification"
            unit="decision"
            views={views}
            here={addressOfFilters(filters)}
            normal={normalAddress}
          />
          <FilterForm
            filters={filters}
            error={error}
            onChange={(to) => onView({ ...view, filters: to, cursor: null })}
            onClear={clear}
          />
        </>
      )}
      {error !== undefined && <ListError error={error} onRetry={reload} onFirst={first} />}
      {shown === undefined && error === undefined && <Skeleton height={420} label="Loading decisions" />}
      {isEnd && (
        <div className="card">
          <NoDecisions view={view} onClear={clear} onFirst={first} />
        </div>
      )}
      {shown !== undefined && !isEnd && (
        <>
          <Totals filters={filters} />
          <PageOfDecisions
            {...{ view, shown, isStale }}
            onNewest={reload}
            onTurn={() => top.current?.scrollIntoView({ block: 'start' })}
          />
        </>
      )}
    </div>
  )
}

/** Returns to the first page when the caller or the owner changes: a cursor is valid for one owner's list only. */
function useFirstPageOfEachKey(view: ListView): void {
  const { number } = useSession()
  const [, navigate] = useLocation()
  const previous = useRef(number)
  useEffect(() => {
    if (previous.current === number) return
    previous.current = number
    navigate(addressOf({ ...view, cursor: null }), { replace: true })
  }, [number, view, navigate])
}

export default function Verifications() {
  const view = viewIn(useSearch())
  const [, navigate] = useLocation()
  useFirstPageOfEachKey(view)
  return (
    <Page title="Verifications" lead="Every decision, newest first, with its override and outcome.">
      <Keyed what="your verifications">
        <Results view={view} onView={(to) => navigate(addressOf(to))} />
      </Keyed>
    </Page>
  )
}
