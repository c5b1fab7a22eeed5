/** The rows of a file before assessment. Rejected rows can be corrected in place. */

import type { FieldError } from '@fairway/client'
import { useId, useState, type FormEvent } from 'react'
import { useAddress } from '../../address.ts'
import { formatCount, formatRows } from '../../format.ts'
import { Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { unknownColumns, visibleColumns } from './csv.ts'
import type { Loaded } from './file.ts'
import { Pager, pageIn, sliceOf } from './pager.tsx'
import { isNumber, Row } from './sheet-row.tsx'
import { ChooseFile } from './source.tsx'
import type { Work } from './work.ts'

/** Errors by the place of their row. */
function byRow(faults: readonly FieldError[]): ReadonlyMap<number, readonly FieldError[]> {
  const rows = new Map<number, FieldError[]>()
  for (const fault of faults) {
    if (fault.row === undefined) continue
    const place = fault.row - 1
    rows.set(place, [...(rows.get(place) ?? []), fault])
  }
  return rows
}

function FaultNotice({
  faults,
  bad,
  all,
}: {
  readonly faults: readonly FieldError[]
  readonly bad: number
  readonly all: number
}) {
  const ofFile = faults.filter(({ row }) => row === undefined)
  if (ofFile.length > 0) {
    return (
      <Notice tone="nogo" title="The file was not assessed" live>
        {ofFile.map(({ path, message, line }) => (
          <p key={path + message}>{`The file ${message}${line === undefined ? '' : ` (line ${line})`}.`}</p>
        ))}
        <p>Correct the file and choose it again.</p>
      </Notice>
    )
  }
  return (
    <Notice
      tone="degraded"
      title={`${formatCount(bad)} of ${formatRows(all)} ${bad === 1 ? 'needs' : 'need'} attention`}
      live
    >
      <p>
        Nothing was assessed: all rows must be valid. Correct the cells below and assess again, or choose a
        corrected file.
      </p>
    </Notice>
  )
}

function AssessForm({ work }: { readonly work: Work }) {
  const [name, setName] = useState('')
  const { batch, assess } = work
  function submit(event: FormEvent): void {
    event.preventDefault()
    void assess(name)
  }
  return (
    <form className="assess-form" onSubmit={submit}>
      <Field label="Report name (optional)">
        {(input) => (
          <input
            {...input}
            value={name}
            maxLength={200}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={batch.busy}>
        {batch.faults.length > 0
          ? 'Assess again'
          : `Assess ${formatRows(batch.loaded?.sheet.rows.length ?? 0)}`}
      </Button>
    </form>
  )
}

export function SheetCard({ work, loaded }: { readonly work: Work; readonly loaded: Loaded }) {
  const { batch, load, clear } = work
  const { names, rows } = loaded.sheet
  const unknown = unknownColumns(names)
  const bad = byRow(batch.faults)
  return (
    <Card
      title={<span className="anywhere">{loaded.name}</span>}
      actions={
        <>
          <ChooseFile load={load} label="Choose another file" />
          <Button small variant="quiet" onClick={clear}>
            Start over
          </Button>
        </>
      }
    >
      <p className="card-note anywhere">
        {`${formatRows(rows.length)} to assess. Nothing is recorded.${unknown.length === 0 ? '' : ` Unknown columns: ${unknown.slice(0, 12).join(', ')}.`}`}
      </p>
      <AssessForm work={work} />
      {batch.error !== null && <Problem error={batch.error} />}
      {batch.faults.length > 0 && <FaultNotice faults={batch.faults} bad={bad.size} all={rows.length} />}
      <SheetTable work={work} loaded={loaded} bad={bad} />
    </Card>
  )
}

function RowFilter({
  onlyBad,
  bad,
  all,
}: {
  readonly onlyBad: boolean
  readonly bad: number
  readonly all: number
}) {
  const [, change] = useAddress()
  return (
    <div className="row">
      <Segments
        label="Rows shown"
        value={onlyBad ? 'attention' : 'all'}
        options={[
          ['attention', `Needs attention (${formatCount(bad)})`],
          ['all', `All rows (${formatCount(all)})`],
        ]}
        onChange={(show) => change({ show, page: null })}
      />
    </div>
  )
}

function SheetTable({
  work,
  loaded,
  bad,
}: {
  readonly work: Work
  readonly loaded: Loaded
  readonly bad: ReadonlyMap<number, readonly FieldError[]>
}) {
  const [address, change] = useAddress()
  const id = useId()
  const { names, rows } = loaded.sheet
  const onlyBad = bad.size > 0 && address.get('show') !== 'all'
  const places = onlyBad ? [...bad.keys()] : rows.map((_row, place) => place)
  const page = pageIn(address.get('page'), places.length)
  const columns = visibleColumns(names)
  return (
    <>
      {bad.size > 0 && <RowFilter onlyBad={onlyBad} bad={bad.size} all={rows.length} />}
      <div className="table-frame" tabIndex={0} role="region" aria-label="File rows">
        <table className={onlyBad ? 'table sheet sheet-bad' : 'table sheet'}>
          <caption className="sr-only">File rows</caption>
          <thead>
            <tr>
              <th scope="col" className="num">
                Row
              </th>
              {columns.map((place) => (
                <th key={place} scope="col" {...(isNumber(loaded, place) && { className: 'num' })}>
                  {names[place]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sliceOf(places, page).map((place) => (
              <Row
                key={place}
                id={`${id}-${place}`}
                {...{ work, loaded, place, columns }}
                faults={bad.get(place) ?? []}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} count={places.length} onPage={(next) => change({ page: String(next) })} />
    </>
  )
}
