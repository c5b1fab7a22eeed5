/** The queue as table rows of one line; where it is narrow, as cards. */

import type { Review } from '@fairway/client'
import { Link } from 'wouter'
import { formatAmount } from '../../format.ts'
import { shortActionLabel, codeLabel } from '../../labels.ts'
import '../../ui/table-list.css'
import { rowClicks, rowLink } from '../../ui/table-row.ts'
import {
  SortChoice,
  SortHeading,
  sortRows,
  useSorting,
  type Sorter,
  type SortValues,
} from '../../ui/table-sort.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { paymentText } from './acts.tsx'
import { addressOf, isWaiting, type Filters } from './filters.ts'
import { ageText, Claimant, Due, isOverdue, Repeats, StatusChip } from './parts.tsx'
import { useIsMine } from './queries.ts'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

const sortColumns = [
  ['amount', 'Amount'],
  ['corridor', 'Corridor'],
  ['decision', 'Decision'],
  ['reason', 'Main reason'],
  ['instruction', 'Instruction'],
  ['due', 'Due'],
] as const

const sortNames = sortColumns.map(([name]) => name)
const verdicts = ['NO-GO', 'DEGRADED', 'GO']

/** Amounts are sorted within each currency. */
const sortValues: SortValues<Review> = {
  amount: ({ amount, currency }) => (amount === null ? null : [currency, amount]),
  corridor: ({ corridor }) => corridor,
  decision: ({ decision }) => verdicts.indexOf(decision),
  reason: ({ reason_codes: [reason] }) => (reason === undefined ? null : codeLabel(reason)),
  instruction: ({ recommended_action: action }) => shortActionLabel(action),
  due: ({ due_at: at }) => Date.parse(at),
}

export const useReviewSorting = (): Sorter => useSorting(sortNames)

export const sortReviews = (reviews: readonly Review[], { sorting }: Sorter): readonly Review[] =>
  sortRows(reviews, sorting, sortValues)

const linkId = (reviewId: string): string => `review-${reviewId}`

/** After the next frame, because a narrow page hides the queue while a review is open. */
export function focusRow(reviewId: string): void {
  requestAnimationFrame(() => document.getElementById(linkId(reviewId))?.focus())
}

export interface RowsProps {
  readonly items: readonly Review[]
  readonly filters: Filters
  readonly sorter: Sorter
  readonly selectedId: string | null
  readonly nowMs: number
  /** Null if the caller may not claim. */
  readonly checked: ReadonlySet<string> | null
  readonly onCheck: (id: string, isChecked: boolean) => void
  /** A review is being opened. */
  readonly onReach: (id: string) => void
}

function Check({
  review,
  isChecked,
  onCheck,
}: {
  readonly review: Review
  readonly isChecked: boolean
  readonly onCheck: RowsProps['onCheck']
}) {
  return (
    <td {...as('cell')} className="desk-check">
      {isWaiting(review) && (
        <label className="desk-check-target">
          <input
            type="checkbox"
            aria-label={`Select ${paymentText(review)}`}
            checked={isChecked}
            onChange={({ target }) => onCheck(review.review_id, target.checked)}
          />
        </label>
      )}
    </td>
  )
}

/** One line, whose rest is in the title. */
function Clip({ text }: { readonly text: string }) {
  return (
    <span className="clip" title={text}>
      {text}
    </span>
  )
}

function Row({
  of: review,
  isMine,
  filters,
  sorter,
  selectedId,
  nowMs,
  checked,
  onCheck,
  onReach,
}: Omit<RowsProps, 'items'> & { readonly of: Review; readonly isMine: boolean }) {
  const { review_id: id, reason_codes: reasons } = review
  const marks = [isOverdue(review, nowMs) && 'desk-late', isMine && 'desk-mine'].filter(
    (mark) => mark !== false,
  )
  return (
    <tr {...as('row')} {...rowClicks} className={marks.join(' ')}>
      {checked !== null && <Check review={review} isChecked={checked.has(id)} onCheck={onCheck} />}
      <th {...as('rowheader')} scope="row" className="desk-col-amount num">
        <Link
          {...rowLink}
          id={linkId(id)}
          href={sorter.keptIn(addressOf(filters, id))}
          className="desk-open figures"
          onClick={() => onReach(id)}
          {...(id === selectedId && { 'aria-current': 'true' })}
        >
          {formatAmount(review.amount, review.currency)}
        </Link>
      </th>
      <td {...as('cell')} className="desk-col-corridor">
        {review.corridor}, {review.mode}
      </td>
      <td {...as('cell')} className="desk-col-decision">
        <Verdict of={review.decision} />
      </td>
      <td {...as('cell')} className="desk-col-reason">
        <div className="desk-marks">
          <Clip text={reasons.map(codeLabel).join(', ')} />
          <Repeats of={review} />
        </div>
      </td>
      <td {...as('cell')} className="desk-col-instruction">
        <Clip text={shortActionLabel(review.recommended_action)} />
      </td>
      <td {...as('cell')} className="desk-col-due">
        <Due of={review} nowMs={nowMs} />
        <span className="desk-age figures">{ageText(review, nowMs)}</span>
      </td>
      <td {...as('cell')} className="desk-col-status">
        <div className="desk-marks">
          {/* An open review is nobody's, as the next mark says. */}
          {review.status !== 'open' && <StatusChip of={review.status} />}
          <Claimant of={review} isMine={isMine} />
        </div>
      </td>
    </tr>
  )
}

export function Rows({ items, stale, ...props }: RowsProps & { readonly stale: boolean }) {
  const isMine = useIsMine()
  const { sorter } = props
  return (
    <>
      <SortChoice columns={sortColumns} sorter={sorter} rows={items.length} order="Oldest due first." />
      <table className="table list-table desk-rows" {...as('table')} aria-label="Reviews" aria-busy={stale}>
        <thead {...as('rowgroup')}>
          <tr {...as('row')}>
            {props.checked !== null && (
              <td {...as('cell')} className="desk-check">
                <span className="sr-only">Selected</span>
              </td>
            )}
            {sortColumns.map(([name, label]) => (
              <SortHeading
                key={name}
                {...{ name, label, sorter }}
                className={`desk-col-${name}${name === 'amount' ? ' num' : ''}`}
              />
            ))}
            <th {...as('columnheader')} scope="col" className="desk-col-status">
              Status
            </th>
          </tr>
        </thead>
        <tbody {...as('rowgroup')}>
          {items.map((review) => (
            <Row key={review.review_id} of={review} isMine={isMine(review)} {...props} />
          ))}
        </tbody>
      </table>
    </>
  )
}
