/** The flipped decisions of a report: the newest of each flip, filtered by a flip or a rule. */

import type { PolicyReport } from '@fairway/client'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { rowLink } from '../../ui/table-row.ts'
import { Verdict } from '../../ui/verdict.tsx'
import { flipOf, flipText, type Sample } from './flips.ts'

export interface FlipFilter {
  readonly flip: string | null
  readonly rule: string | null
}

/** The API lists this many of each flip. */
const samplesOfFlipMax = 100
const shownFirst = 10

const columns: readonly StackColumn<Sample>[] = [
  {
    name: 'Decision',
    cell: ({ from, to }) => (
      <span className="policy-flip">
        <Verdict of={from} />
        <Icon name="arrow" size={15} />
        <span className="sr-only">becomes</span>
        <Verdict of={to} />
      </span>
    ),
  },
  {
    name: 'Rules that fired',
    place: 'plain',
    fluid: 1,
    cell: ({ rules }) =>
      rules.length === 0 ? (
        <span className="soft">None: a cap or a floor</span>
      ) : (
        <span className="policy-rule-ids">
          {rules.map((rule) => (
            <code key={rule} className="chip">
              {rule}
            </code>
          ))}
        </span>
      ),
  },
  {
    name: 'Request id',
    place: 'plain',
    cell: ({ request_id: id }) => (
      <Link href={`/verifications/${encodeURIComponent(id)}`} className="mono anywhere" {...rowLink}>
        {id}
      </Link>
    ),
  },
]

function titleOf({ flip, rule }: FlipFilter): string {
  if (flip !== null) return `Flipped decisions: ${flipText(flip)}`
  return rule === null ? 'Flipped decisions' : `Flipped decisions: rule ${rule}`
}

/** The heading takes the focus when a cell or a bar was followed to it. */
function useFollowed(filter: FlipFilter) {
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(filter)
  useEffect(() => {
    const isSame = before.current.flip === filter.flip && before.current.rule === filter.rule
    before.current = filter
    if (isSame || (filter.flip === null && filter.rule === null)) return
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [filter])
  return heading
}

export function Flipped({
  report: { samples, flips },
  filter,
  clearHref,
}: {
  readonly report: PolicyReport
  readonly filter: FlipFilter
  readonly clearHref: string
}) {
  const heading = useFollowed(filter)
  const [isAll, setAll] = useState(false)
  const matching = samples.filter(
    ({ from, to, rules }) =>
      (filter.flip === null || flipOf(from, to) === filter.flip) &&
      (filter.rule === null || rules.includes(filter.rule)),
  )
  const shown = isAll ? matching : matching.slice(0, shownFirst)
  const isCut = Object.values(flips).some((count) => count > samplesOfFlipMax)
  const isFiltered = filter.flip !== null || filter.rule !== null
  return (
    <section className="policy-part policy-flipped" aria-label="Flipped decisions">
      <div className="policy-part-head">
        <h3 ref={heading} tabIndex={-1}>
          {titleOf(filter)}
        </h3>
        {isFiltered && (
          <LinkButton href={clearHref} variant="quiet" small icon="close">
            Show all flips
          </LinkButton>
        )}
      </div>
      {isCut && <p className="card-note">The newest {samplesOfFlipMax} of each flip.</p>}
      {matching.length === 0 ? (
        <p className="soft">None{isFiltered ? ' match.' : '.'}</p>
      ) : (
        <StackTable
          caption="Flipped decisions"
          columns={columns}
          rows={shown}
          keyOf={({ request_id: id }) => id}
        />
      )}
      {shown.length < matching.length && (
        <div>
          <Button small onClick={() => setAll(true)}>
            {`Show all ${formatCount(matching.length)}`}
          </Button>
        </div>
      )}
    </section>
  )
}
