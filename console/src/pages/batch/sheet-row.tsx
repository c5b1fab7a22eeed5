/** One row of the file: text where it is good, fields with their faults beneath where it is not. */

import type { FieldError } from '@fairway/client'
import { Icon } from '../../ui/icon.tsx'
import { plainName } from './csv.ts'
import type { Loaded } from './file.ts'
import type { Work } from './work.ts'

const changedWords = 'Changed: assess again to check it.'

/** A field that was refused says why until it is changed; then, what to do next. */
function Said({
  id,
  message,
  changed,
}: {
  readonly id: string
  readonly message: string | undefined
  readonly changed: boolean
}) {
  if (changed) {
    return (
      <p className="field-hint" id={id}>
        {changedWords}
      </p>
    )
  }
  if (message === undefined) return null
  return (
    <p className="field-error" id={id}>
      <Icon name="warn" size={16} />
      <span>{message.charAt(0).toUpperCase() + message.slice(1)}.</span>
    </p>
  )
}

interface RowProps {
  /** Of this row, for the ids of its parts. */
  readonly id: string
  readonly work: Work
  readonly loaded: Loaded
  readonly place: number
  readonly columns: readonly number[]
  readonly faults: readonly FieldError[]
}

/** A row whose cells do not fit the header: the whole line is there to be mended. */
function LineCell({ id, work, loaded, place, columns, faults }: RowProps) {
  const { batch, editLine } = work
  const isChanged = batch.changed.has(`${place}/`)
  const message = faults.find(({ column }) => column === undefined)?.message
  return (
    <td colSpan={columns.length}>
      <input
        className="input mono"
        aria-label={`Row ${place + 1}, the whole line`}
        aria-invalid={isChanged ? undefined : true}
        aria-describedby={id}
        spellCheck={false}
        value={batch.lines.get(place) ?? loaded.sheet.rows[place]?.raw ?? ''}
        onChange={({ target }) => editLine(place, target.value)}
      />
      <Said id={id} message={message === undefined ? undefined : `this row ${message}`} changed={isChanged} />
    </td>
  )
}

function Cell({
  id,
  work,
  loaded,
  place,
  column,
  faults,
}: Omit<RowProps, 'columns'> & { readonly column: number }) {
  const { batch, editCell } = work
  const name = plainName(loaded.sheet.names[column] ?? '')
  const messages = faults.filter((fault) => fault.column === name).map(({ message }) => message)
  const message = messages.length === 0 ? undefined : messages.join('; ')
  const isChanged = batch.changed.has(`${place}/${column}`)
  const isTold = message !== undefined || isChanged
  return (
    <td data-name={name}>
      <input
        className="input"
        aria-label={`Row ${place + 1}, ${name}`}
        aria-invalid={message !== undefined && !isChanged ? true : undefined}
        aria-describedby={isTold ? `${id}-${column}` : undefined}
        spellCheck={false}
        value={loaded.sheet.rows[place]?.cells[column] ?? ''}
        onChange={({ target }) => editCell(place, column, target.value)}
      />
      <Said id={`${id}-${column}`} message={message} changed={isChanged} />
    </td>
  )
}

export const isNumber = ({ sheet }: Loaded, column: number): boolean =>
  plainName(sheet.names[column] ?? '') === 'amount'

export function Row(row: RowProps) {
  const { loaded, place, columns, faults } = row
  const cells = loaded.sheet.rows[place]?.cells ?? []
  const isLine = faults.some(({ column }) => column === undefined)
  return (
    <tr {...(faults.length > 0 && { className: 'row-bad' })}>
      <th scope="row" className="num">
        {place + 1}
      </th>
      {isLine ? (
        <LineCell {...row} />
      ) : (
        columns.map((column) =>
          faults.length > 0 ? (
            <Cell key={column} {...row} column={column} />
          ) : (
            <td key={column} className={isNumber(loaded, column) ? 'num' : 'anywhere'}>
              {cells[column]}
            </td>
          ),
        )
      )}
    </tr>
  )
}
