/** The review desk: the queue of payments that need a person, and one of them open beside it. */

import type { Review } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useAddress, type ChangeAddress } from '../../address.ts'
import { useMay } from '../../caller.ts'
import { Keyed } from '../../keyed.tsx'
import { Page } from '../../ui/page.tsx'
import '../decision/decision.css'
import { useClaim } from './acts.tsx'
import { FilterForm } from './filter-form.tsx'
import { addressOf, filtersIn } from './filters.ts'
import { useKeys } from './keys.tsx'
import { Pane } from './pane.tsx'
import { useQueue, useReview } from './queries.ts'
import { Queue } from './queue.tsx'
import './reviews.css'
import { focusRow, sortReviews, useReviewSorting } from './rows.tsx'
import { Views } from './views.tsx'

const rowsPerPage = 50

/** The rows to show. Another view starts with its first page. */
function useRowCount(address: string) {
  const [state, setState] = useState({ address, rows: rowsPerPage })
  const rows = state.address === address ? state.rows : rowsPerPage
  return { rows, more: () => setState({ address, rows: rows + rowsPerPage }) }
}

/** The selected review is the one that is open or else, by id, the one that was reached last. */
function useSelection(items: readonly Review[], openId: string | null, change: ChangeAddress) {
  const [reachedId, setReachedId] = useState(openId)
  const selectedId = openId ?? reachedId
  const place = items.findIndex(({ review_id: id }) => id === selectedId)
  const lastPlace = useRef(-1)
  useEffect(() => {
    if (place !== -1) lastPlace.current = place
  }, [place])
  function move(step: 1 | -1): void {
    // The row after one that has left the queue is now in its place.
    const from = place === -1 ? lastPlace.current - (step === 1 ? 1 : 0) : place
    const next = items[Math.max(0, Math.min(items.length - 1, from + step))]
    if (next === undefined) return
    setReachedId(next.review_id)
    // The review beside the queue is always the selected one.
    if (openId !== null) change({ review: next.review_id })
    focusRow(next.review_id)
  }
  function close(): void {
    change({ review: null })
    if (openId !== null) focusRow(openId)
  }
  function open(): void {
    if (openId === null && selectedId !== null) change({ review: selectedId }, { replace: false })
  }
  return { selectedId, listed: items[place], reach: setReachedId, move, open, close }
}

function Desk() {
  const [params, change] = useAddress()
  const [, navigate] = useLocation()
  const filters = filtersIn(params)
  const openId = params.get('review')
  const { rows, more } = useRowCount(addressOf(filters))
  const queue = useQueue(filters, rows)
  const sorter = useReviewSorting()
  const items = sortReviews(queue.shown?.items ?? [], sorter)
  const { selectedId, listed, reach, move, open, close } = useSelection(items, openId, change)
  // A review that is open need not be in the view.
  const { data: opened } = useReview(openId)
  const selected = opened ?? listed
  const claim = useClaim()
  const mayWrite = useMay('review:write')
  useKeys({
    move: (step) => {
      claim.clear()
      move(step)
    },
    open,
    close: openId === null ? null : close,
    claim: mayWrite && selected !== undefined ? () => claim.run(selected) : null,
  })
  return (
    <div className="desk">
      <div className={`desk-frame${openId === null ? '' : ' desk-open-frame'}`}>
        <div className="desk-top">
          <Views filters={filters} />
          <FilterForm
            filters={filters}
            error={queue.error}
            onChange={(to) => navigate(addressOf(to, openId))}
          />
        </div>
        <Queue
          {...{ queue, items, filters, sorter, selectedId, openId, claim }}
          onReach={reach}
          onMore={more}
        />
        {openId !== null && <Pane id={openId} listed={listed} claim={claim} onClose={close} />}
      </div>
    </div>
  )
}

export default function ReviewsPage() {
  return (
    <Page
      title="Reviews"
      lead="Payments that need a person, oldest due first. One person proposes, another approves."
    >
      <Keyed what="the review desk">
        <Desk />
      </Keyed>
    </Page>
  )
}
