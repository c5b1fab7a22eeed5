/** One row of the file: text if it is valid, inputs with error messages if it is not. */

import type { FieldError } from '@fairway/client'
import { Icon } from '../../ui/icon.tsx'
import { normalName } from './csv.ts'
import type { Loaded } from './file.ts'
import type { Work } from './work.ts'

const changedText = 'Changed. Assess again to check it.'

/** The error of a rejected input, replaced by the next step once it is edited. */
function InputMessage({
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
        {changedText}
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
  /** Prefix of the element ids in this row. */
  readonly id: string
  readonly work: Work
  readonly loaded: Loaded
  readonly place: number
  readonly columns: readonly number[]
  readonly faults: readonly FieldError[]
}

/** A row whose cells do not fit the header, edited as one line. */
function LineCell({ id, work, loaded, place, columns, faults }: RowProps) {
  const { batch, editLine } = work
  const isChanged = batch.changed.has(`${place}/`)
  const message = faults.find(({ column }) => column === undefined)?.message
  return (
    <td colSpan={columns.length}>
      <input
        className="input mono"
        aria-label={`Row ${place + 1}, full line`}
        aria-invalid={isChanged ? undefined : true}
        aria-describedby={id}
        spellCheck={false}
        value={batch.lines.get(place) ?? loaded.sheet.rows[place]?.raw ?? ''}
        onChange={({ target }) => editLine(place, target.value)}
      />
      <InputMessage
        id={id}
        message={message === undefined ? undefined : `this row ${message}`}
        changed={isChanged}
      />
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
  const name = normalName(loaded.sheet.names[column] ?? '')
  const messages = faults.filter((fault) => fault.column === name).map(({ message }) => message)
  const message = messages.length === 0 ? undefined : messages.join('; ')
  const isChanged = batch.changed.has(`${place}/${column}`)
  const hasMessage = message !== undefined || isChanged
  return (
    <td data-name={name}>
      <input
        className="input"
        aria-label={`Row ${place + 1}, ${name}`}
        aria-invalid={message !== undefined && !isChanged ? true : undefined}
        aria-describedby={hasMessage ? `${id}-${column}` : undefined}
        spellCheck={false}
        value={loaded.sheet.rows[place]?.cells[column] ?? ''}
        onChange={({ target }) => editCell(place, column, target.value)}
      />
      <InputMessage id={`${id}-${column}`} message={message} changed={isChanged} />
    </td>
  )
}

export const isNumber = ({ sheet }: Loaded, column: number): boolean =>
  normalName(sheet.names[column] ?? '') === 'amount'

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
