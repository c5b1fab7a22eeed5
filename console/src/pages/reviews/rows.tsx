/** The queue as table rows; where it is narrow, as cards. */

import type { Review } from '@fairway/client'
import { Link } from 'wouter'
import { formatAmount } from '../../format.ts'
import { actionLabel, codeLabel } from '../../labels.ts'
import { Verdict } from '../../ui/verdict.tsx'
import { paymentText } from './acts.tsx'
import { addressOf, isWaiting, type Filters } from './filters.ts'
import { ageText, Claimant, Due, isOverdue, Repeats, StatusChip } from './parts.tsx'
import { useIsMine } from './queries.ts'

/** Explicit roles, because table elements displayed as blocks lose their implicit ones. */
const as = (role: string) => ({ role })

const columns = [
  ['due', 'Due'],
  ['payment', 'Payment'],
  ['verdict', 'Decision'],
  ['why', 'Reason, instruction'],
  ['status', 'Status'],
] as const

const linkId = (reviewId: string): string => `review-${reviewId}`

/** After the next frame, because a narrow page hides the queue while a review is open. */
export function focusRow(reviewId: string): void {
  requestAnimationFrame(() => document.getElementById(linkId(reviewId))?.focus())
}

export interface RowsProps {
  readonly items: readonly Review[]
  readonly filters: Filters
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
        <input
          type="checkbox"
          aria-label={`Select ${paymentText(review)}`}
          checked={isChecked}
          onChange={({ target }) => onCheck(review.review_id, target.checked)}
        />
      )}
    </td>
  )
}

function Row({
  of: review,
  isMine,
  filters,
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
    <tr {...as('row')} className={marks.join(' ')}>
      {checked !== null && <Check review={review} isChecked={checked.has(id)} onCheck={onCheck} />}
      <td {...as('cell')} className="desk-col-due">
        <Due of={review} nowMs={nowMs} />
        <span className="desk-second figures">{ageText(review, nowMs)}</span>
      </td>
      <th {...as('rowheader')} scope="row" className="desk-col-payment">
        <Link
          id={linkId(id)}
          href={addressOf(filters, id)}
          className="desk-open figures"
          onClick={() => onReach(id)}
          {...(id === selectedId && { 'aria-current': 'true' })}
        >
          {formatAmount(review.amount, review.currency)}
        </Link>
        <span className="desk-second">
          {review.corridor}, {review.mode}
        </span>
      </th>
      <td {...as('cell')} className="desk-col-verdict">
        <div className="desk-marks">
          <Verdict of={review.decision} />
          <Repeats of={review} />
        </div>
      </td>
      <td {...as('cell')} className="desk-col-why">
        {reasons.map(codeLabel).join(', ')}
        <span className="desk-second">{actionLabel(review.recommended_action)}</span>
      </td>
      <td {...as('cell')} className="desk-col-status">
        <div className="desk-marks">
          <StatusChip of={review.status} />
          <Claimant of={review} isMine={isMine} />
        </div>
      </td>
    </tr>
  )
}

export function Rows({ items, stale, ...props }: RowsProps & { readonly stale: boolean }) {
  const isMine = useIsMine()
  return (
    <table
      className="table desk-rows"
      {...as('table')}
      aria-label="Reviews, oldest due first"
      aria-busy={stale}
    >
      <thead {...as('rowgroup')}>
        <tr {...as('row')}>
          {props.checked !== null && (
            <td {...as('cell')} className="desk-check">
              <span className="sr-only">Selected</span>
            </td>
          )}
          {columns.map(([name, label]) => (
            <th key={name} {...as('columnheader')} scope="col" className={`desk-col-${name}`}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as('rowgroup')}>
        {items.map((review) => (
          <Row key={review.review_id} of={review} isMine={isMine(review)} {...props} />
        ))}
      </tbody>
    </table>
  )
}
