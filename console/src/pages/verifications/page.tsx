/** Verifications: the whole history, filtered and page by page. What is looked at is in the address. */

import { InvalidRequestError, type Page as Listed, type Verification } from '@fairway/client'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useAsk } from '../../ask.ts'
import { Keyed } from '../../keyed.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import { Download } from './download.tsx'
import { FilterForm } from './filter-form.tsx'
import { addressOf, allLooked, filterNames, isFiltered, queryOf, readLooked, type Looked } from './filters.ts'
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

function Trouble({ error, onRetry, onFirst }: { error: unknown; onRetry: () => void; onFirst: () => void }) {
  if (errorOf(error, '/cursor') !== undefined) {
    return (
      <Notice tone="nogo" title="There is no such page of the list" live>
        <p>Its address may be cut short, or of an older version.</p>
        <Button small onClick={onFirst}>
          First page
        </Button>
      </Notice>
    )
  }
  return isToldInForm(error) ? (
    <Notice tone="nogo" title="A filter is not understood">
      <p>Correct the field that is marked, and apply again.</p>
    </Notice>
  ) : (
    <Problem error={error} onRetry={onRetry} />
  )
}

function Nothing({ looked, onClear, onFirst }: { looked: Looked; onClear: () => void; onFirst: () => void }) {
  if (looked.cursor !== null) {
    return (
      <Empty icon="list" title="Nothing further here" action={<Button onClick={onFirst}>First page</Button>}>
        The list has no decision after this point.
      </Empty>
    )
  }
  return isFiltered(looked.filters) ? (
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

/** The answer to what is looked at; the one before it stays until it is there, but not beside an error. */
function usePage(looked: Looked) {
  const { filters, limit, cursor } = looked
  const address = addressOf(looked)
  const asked = useAsk<Answer>(
    ['verifications', address],
    async (client) => {
      const query = { ...queryOf(filters), limit, ...(cursor !== null && { cursor }) }
      return { ...(await client.verifications(query).page()), to: address }
    },
    { keepPrevious: true },
  )
  const { data, error, mutate } = asked
  const isStale = data !== undefined && data.to !== address
  return {
    error,
    isStale,
    shown: isStale && error !== undefined ? undefined : data,
    again: () => void mutate(),
  }
}

function Results({ looked, onLook }: { readonly looked: Looked; readonly onLook: (to: Looked) => void }) {
  const { filters, cursor } = looked
  const { shown, error, isStale, again } = usePage(looked)
  const top = useRef<HTMLDivElement>(null)
  const first = (): void => onLook({ ...looked, cursor: null })
  const clear = (): void => onLook(allLooked)
  return (
    <div className="stack" ref={top}>
      {/* Where nothing was ever decided there is nothing to choose from. */}
      {(shown?.items.length !== 0 || isFiltered(filters) || cursor !== null) && (
        <FilterForm
          filters={filters}
          error={error}
          onChange={(to) => onLook({ ...looked, filters: to, cursor: null })}
          onClear={clear}
        />
      )}
      {error !== undefined && <Trouble error={error} onRetry={again} onFirst={first} />}
      {shown === undefined && error === undefined && <Skeleton height={420} label="Loading the decisions" />}
      {shown?.items.length === 0 && (
        <div className="card">
          <Nothing looked={looked} onClear={clear} onFirst={first} />
        </div>
      )}
      {shown !== undefined && shown.items.length > 0 && (
        <section className="card" aria-label="History">
          <div className="records-head">
            <Download filters={filters} key={JSON.stringify(filters)} />
            {cursor === null && !isStale && <Newer looked={looked} items={shown.items} onShow={again} />}
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

/** A place in the list of one key is none in that of another. */
function useFirstPageOfEachKey(looked: Looked): void {
  const { number } = useSession()
  const [, navigate] = useLocation()
  const seen = useRef(number)
  useEffect(() => {
    if (seen.current === number) return
    seen.current = number
    navigate(addressOf({ ...looked, cursor: null }), { replace: true })
  }, [number, looked, navigate])
}

export default function Verifications() {
  const looked = readLooked(useSearch())
  const [, navigate] = useLocation()
  useFirstPageOfEachKey(looked)
  return (
    <Page
      title="Verifications"
      lead="Every decision, newest first, with what followed it."
      actions={<FindDecision />}
    >
      <Keyed what="your verifications">
        <Results looked={looked} onLook={(to) => navigate(addressOf(to))} />
      </Keyed>
    </Page>
  )
}
