/** Reads the feeds of one corridor now, as a verify would, and shows the values. */

import type { AdminFeeds, FeedChecks } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAction } from '../../action.ts'
import { formatAmount, formatMs, formatScore, formatShortAge } from '../../format.ts'
import { signalLabel } from '../../labels.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { CorridorSelect } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { StackTable, type StackColumn } from '../../ui/stack-table.tsx'
import { kindLabel } from '../status/labels.ts'
import { feedFaults } from './faults.ts'

type Check = FeedChecks['checks'][number]
type Signal = Check['feeds'][number]

function Value({ of: { value, error, detail } }: { readonly of: Signal }) {
  if (error === null) return <code>{String(value)}</code>
  return (
    <span className="feed-fault" title={detail ?? undefined}>
      <Icon name="stop" size={15} />
      {feedFaults[error]}
      {detail !== null && detail !== '' && <span className="soft"> {detail}</span>}
    </span>
  )
}

const columns: readonly StackColumn<Signal>[] = [
  { name: 'Signal', cell: ({ signal }) => signalLabel(signal) },
  { name: 'Value', place: 'plain', cell: (signal) => <Value of={signal} /> },
  {
    name: 'Source',
    place: 'plain',
    cell: ({ source }) =>
      source === null ? <span className="soft">none</span> : kindLabel({ kind: source }),
  },
  {
    name: 'Health',
    number: true,
    cell: ({ risk_value: risk }) => (risk === null ? <span className="soft">none</span> : formatScore(risk)),
  },
  {
    name: 'Age',
    number: true,
    cell: ({ age_ms: age }) => (age === null ? <span className="soft">none</span> : formatShortAge(age)),
  },
  { name: 'Latency', number: true, cell: ({ latency_ms: ms }) => formatMs(ms) },
]

function Result({ of: check }: { readonly of: Check }) {
  const { corridor, partner, amount, currency, feeds } = check
  const failed = feeds.filter(({ error }) => error !== null).length
  const name = partner === null ? corridor : `${corridor}, ${partner}`
  return (
    <div className="stack">
      <Notice
        tone={failed === 0 ? 'go' : 'nogo'}
        title={
          failed === 0
            ? `${name}: all ${feeds.length} signals were read`
            : `${name}: ${failed} of ${feeds.length} signals could not be read`
        }
        live
      >
        <p>{`For ${formatAmount(amount, currency)}. ${failed === 0 ? 'A live verify can be decided.' : 'A live verify is on hold.'}`}</p>
      </Notice>
      <StackTable
        caption={`Check of ${name}`}
        columns={columns}
        rows={feeds}
        keyOf={({ signal }) => signal}
      />
    </div>
  )
}

interface Draft {
  readonly corridor: string
  readonly partner: string
  readonly amount: string
  readonly currency: string
}

function Fields({
  draft,
  corridors,
  fault,
  onDraft,
}: {
  readonly draft: Draft
  readonly corridors: AdminFeeds['corridors']
  readonly fault: unknown
  readonly onDraft: (draft: Draft) => void
}) {
  const partners = corridors.find(({ corridor }) => corridor === draft.corridor)?.partners ?? []
  const text = (name: 'amount' | 'currency', label: string, more: object) => (
    <Field label={label} error={errorOf(fault, `/${name}`)}>
      {(input) => (
        <input
          {...input}
          {...more}
          autoComplete="off"
          value={draft[name]}
          onChange={({ target }) => onDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <>
      <CorridorSelect
        codes={corridors.map(({ corridor }) => corridor)}
        value={draft.corridor}
        onChoose={(corridor) => onDraft({ ...draft, corridor, partner: '' })}
      />
      {partners.length > 0 && (
        <Field label="Partner">
          {(input) => (
            <select
              {...input}
              value={draft.partner}
              onChange={({ target }) => onDraft({ ...draft, partner: target.value })}
            >
              <option value="">All partners</option>
              {partners.map((partner) => (
                <option key={partner}>{partner}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {text('amount', 'Amount', { inputMode: 'decimal' })}
      {text('currency', 'Currency', { placeholder: 'Its first', maxLength: 3, spellCheck: false })}
    </>
  )
}

export function CheckNow({
  corridors,
  onChecked,
}: {
  readonly corridors: AdminFeeds['corridors']
  readonly onChecked: () => void
}) {
  const [draft, setDraft] = useState<Draft>({
    corridor: corridors[0]?.corridor ?? '',
    partner: '',
    amount: '1000',
    currency: '',
  })
  const [checks, setChecks] = useState<FeedChecks['checks'] | null>(null)
  const { corridor, partner, amount, currency } = draft
  const action = useAction(
    (client) =>
      client.admin.checkFeeds({
        corridor,
        ...(partner !== '' && { partner }),
        amount: Number(amount),
        ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
      }),
    (answer) => {
      setChecks(answer.checks)
      onChecked()
    },
  )
  const isShownAtField = ['/amount', '/currency'].some((path) => errorOf(action.error, path) !== undefined)
  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecks(null)
    action.run()
  }
  return (
    <section className="card card-primary" aria-label="Check now">
      <form className="admin-filters" onSubmit={submit}>
        <Fields draft={draft} corridors={corridors} fault={action.error} onDraft={setDraft} />
        <Button type="submit" variant="primary" icon="pulse" busy={action.busy}>
          Check now
        </Button>
      </form>
      {checks === null && !action.busy && action.error === null && (
        <p className="small soft">
          Asks the providers as a verify would, and records the check in the activity log. Nothing is decided.
        </p>
      )}
      {action.busy && <p className="small soft" role="status">{`Reading the feeds of ${corridor} …`}</p>}
      {action.error !== null && !isShownAtField && <Problem error={action.error} />}
      {checks?.map((check) => (
        <Result key={`${check.corridor} ${check.partner ?? ''}`} of={check} />
      ))}
    </section>
  )
}
