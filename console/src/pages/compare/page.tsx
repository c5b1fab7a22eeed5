/** Two decisions side by side, the members that differ first. */

import { NotFoundError, type DecisionFile } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAddress } from '../../address.ts'
import { formatAmount } from '../../format.ts'
import { Keyed } from '../../keyed.tsx'
import { Problem } from '../../problem.tsx'
import type { Query } from '../../query.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import { Empty, Notice, Skeleton } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toneOf, Verdict } from '../../ui/verdict.tsx'
import '../decision/decision.css'
import { useDecisionFile } from '../decision/file.ts'
import { DecisionLink } from '../decision/section.tsx'
import './compare.css'
import { rowsOf, type CompareRow } from './rows.tsx'

const sides = ['left', 'right'] as const

type Side = (typeof sides)[number]
type Ids = Readonly<Record<Side, string>>

const sideNames: Readonly<Record<Side, string>> = { left: 'Left', right: 'Right' }

/** Changes the two ids, or exchanges them. */
function Choice({ ids, onChoose }: { readonly ids: Ids; readonly onChoose: (ids: Ids) => void }) {
  const [draft, setDraft] = useState(ids)
  const [hasTried, setTried] = useState(false)
  function submit(event: FormEvent): void {
    event.preventDefault()
    setTried(true)
    const trimmed = { left: draft.left.trim(), right: draft.right.trim() }
    if (trimmed.left !== '' && trimmed.right !== '') onChoose(trimmed)
  }
  return (
    <form className="compare-form" noValidate aria-label="Decisions to compare" onSubmit={submit}>
      {sides.map((side) => (
        <Field
          key={side}
          label={`${sideNames[side]} request id`}
          error={hasTried && draft[side].trim() === '' ? 'Enter a request id.' : undefined}
        >
          {(input) => (
            <input
              {...input}
              className="input mono"
              autoComplete="off"
              spellCheck={false}
              value={draft[side]}
              onChange={({ target }) => setDraft({ ...draft, [side]: target.value })}
            />
          )}
        </Field>
      ))}
      <div className="row">
        <Button type="submit">Compare</Button>
        <Button variant="quiet" onClick={() => onChoose({ left: draft.right, right: draft.left })}>
          Exchange
        </Button>
      </div>
    </form>
  )
}

/** One of the two, with its own error. */
function Head({
  side,
  id,
  query: { data: file, error, mutate },
}: {
  readonly side: Side
  readonly id: string
  readonly query: Query<DecisionFile>
}) {
  if (file === undefined) {
    if (error === undefined) return <Skeleton height={150} label="Loading decision" />
    if (!(error instanceof NotFoundError)) return <Problem error={error} onRetry={() => void mutate()} />
    return (
      <Notice tone="degraded" title={`${sideNames[side]}: decision not found`} live>
        <p>
          No decision of yours has the id <code className="anywhere">{id}</code>. Check it, or choose another.
        </p>
      </Notice>
    )
  }
  const { explanation, audit } = file
  return (
    <section
      className={`card card-primary compare-head bar-${toneOf[explanation.decision]}`}
      aria-label={`${sideNames[side]} decision`}
    >
      <p className="row">
        <span className="small soft">{sideNames[side]}</span>
        <Verdict of={explanation.decision} />
        {audit !== null && <strong>{formatAmount(audit.amount, audit.currency)}</strong>}
        {audit !== null && <span>{audit.corridor}</span>}
      </p>
      <DecisionLink id={file.request_id} />
      {audit !== null && (
        <p className="small soft">
          <Time at={audit.evaluated_at} />
        </p>
      )}
    </section>
  )
}

const columns: readonly Column<CompareRow>[] = [
  {
    name: 'Member',
    cell: ({ group, name }) => (
      <>
        {name}
        <span className="second">{group}</span>
      </>
    ),
  },
  { name: 'Left', cell: ({ left }) => left },
  { name: 'Right', cell: ({ right }) => right },
  { name: 'Difference', number: true, cell: ({ change }) => change },
]

const keyOf = ({ group, name }: CompareRow): string => `${group} ${name}`

function Rows({ left, right }: { readonly left: DecisionFile; readonly right: DecisionFile }) {
  const rows = rowsOf(left, right)
  const different = rows.filter(({ isSame }) => !isSame)
  const same = rows.filter(({ isSame }) => isSame)
  return (
    <div className="page compare-rows">
      <Card title="Differences" note={`${different.length} of ${rows.length} members differ.`}>
        {different.length === 0 ? (
          <p className="soft">The two decisions agree in all that is compared here.</p>
        ) : (
          <StackTable caption="Members that differ" prose columns={columns} rows={different} keyOf={keyOf} />
        )}
      </Card>
      {same.length > 0 && (
        <Card title="The same" note={`${same.length} members agree.`}>
          <StackTable
            caption="Members that agree"
            prose
            columns={columns
              .slice(0, 2)
              .map((column) => ({ ...column, name: column.name.replace('Left', 'Both') }))}
            rows={same}
            keyOf={keyOf}
          />
        </Card>
      )}
    </div>
  )
}

function Comparison({ ids }: { readonly ids: Ids }) {
  const left = useDecisionFile(ids.left)
  const right = useDecisionFile(ids.right)
  if (ids.left === '' || ids.right === '') {
    return (
      <div className="card">
        <Empty icon="search" title="Choose two decisions">
          Enter two request ids above. The page of a decision has the button “Compare with…”.
        </Empty>
      </div>
    )
  }
  return (
    <>
      <div className="compare-heads">
        <Head side="left" id={ids.left} query={left} />
        <Head side="right" id={ids.right} query={right} />
      </div>
      {left.data !== undefined && right.data !== undefined && <Rows left={left.data} right={right.data} />}
    </>
  )
}

export default function ComparePage() {
  const [params, change] = useAddress()
  const ids: Ids = { left: params.get('left') ?? '', right: params.get('right') ?? '' }
  return (
    <Page
      title="Compare decisions"
      actions={
        <LinkButton href="/verifications" variant="quiet" icon="back">
          All verifications
        </LinkButton>
      }
    >
      <Keyed what="these decisions">
        <Choice
          key={`${ids.left} ${ids.right}`}
          ids={ids}
          onChoose={(next) => change(next, { replace: false })}
        />
        <Comparison ids={ids} />
      </Keyed>
    </Page>
  )
}
