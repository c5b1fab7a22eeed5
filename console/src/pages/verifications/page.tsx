/** The verifications page: all decisions, with filters and pages in the URL. */

import { InvalidRequestError, type Page as Listed, type Verification } from '@fairway/client'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { shownFor, useQuery } from '../../query.ts'
import { Keyed } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Download } from './download.tsx'
import { FilterForm } from './filter-form.tsx'
import { addressOf, defaultView, filterNames, isFiltered, queryOf, viewIn, type ListView } from './filters.ts'
import { FindDecision } from './find.tsx'
import { Newer } from './newer.tsx'
import { Pager } from './pager.tsx'
import './records.css'
import { Rows } from './rows.tsx'

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
  const address = addressOf(view)
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

function Results({ view, onView }: { readonly view: ListView; readonly onView: (to: ListView) => void }) {
  const { filters, cursor } = view
  const { shown, error, isStale, reload } = usePage(view)
  const top = useRef<HTMLDivElement>(null)
  const first = (): void => onView({ ...view, cursor: null })
  const clear = (): void => onView(defaultView)
  return (
    <div className="stack" ref={top}>
      {/* Hidden while there are no decisions at all. */}
      {(shown?.items.length !== 0 || isFiltered(filters) || cursor !== null) && (
        <FilterForm
          filters={filters}
          error={error}
          onChange={(to) => onView({ ...view, filters: to, cursor: null })}
          onClear={clear}
        />
      )}
      {error !== undefined && <ListError error={error} onRetry={reload} onFirst={first} />}
      {shown === undefined && error === undefined && <Skeleton height={420} label="Loading decisions" />}
      {shown?.items.length === 0 && (
        <div className="card">
          <NoDecisions view={view} onClear={clear} onFirst={first} />
        </div>
      )}
      {shown !== undefined && shown.items.length > 0 && (
        <section className="card" aria-label="Verifications">
          <div className="records-head">
            <Download filters={filters} key={JSON.stringify(filters)} />
            {cursor === null && !isStale && <Newer view={view} items={shown.items} onShow={reload} />}
          </div>
          <Rows items={shown.items} stale={isStale} />
          <Pager
            view={view}
            nextCursor={isStale ? null : shown.nextCursor}
            onTurn={() => top.current?.scrollIntoView({ block: 'start' })}
          />
        </section>
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
    <Page
      title="Verifications"
      lead="Every decision, newest first, with its override and outcome."
      actions={<FindDecision />}
    >
      <Keyed what="your verifications">
        <Results view={view} onView={(to) => navigate(addressOf(to))} />
      </Keyed>
    </Page>
  )
}
