/** A field for an expression: an ARIA combobox that completes names, with the fault's character marked below. */

import type { PolicyVariables } from '@fairway/client'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { Icon } from '../../ui/icon.tsx'
import { completionAt, type Completion, type Suggestion } from './completion.ts'
import { oneLine } from './draft.ts'

export interface ExpressionFault {
  readonly message: string
  /** The character, from 1; undefined if the fault has no place. */
  readonly position: number | undefined
  /** The expression that was checked. */
  readonly expression: string
}

function Marked({ of: { expression, position } }: { readonly of: ExpressionFault }) {
  if (position === undefined || expression === '') return null
  const at = Math.min(position - 1, expression.length)
  return (
    <code className="expression-marked">
      {expression.slice(0, at)}
      <mark>{expression.charAt(at) === '' ? '\u00a0' : expression.charAt(at)}</mark>
      {expression.slice(at + 1)}
    </code>
  )
}

function Options({
  id,
  label,
  completion,
  active,
  onChoose,
}: {
  readonly id: string
  readonly label: string
  readonly completion: Completion
  readonly active: number
  readonly onChoose: (suggestion: Suggestion) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} className="expression-options" role="listbox" tabIndex={-1} aria-label={label}>
      {completion.suggestions.map((suggestion, place) => (
        <div
          key={suggestion.name}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(suggestion)
          }}
        >
          <code>{suggestion.name}</code>
          <span className="small soft">{suggestion.type}</span>
          <span className="expression-about small soft">{suggestion.description}</span>
        </div>
      ))}
    </div>
  )
}

interface Opened extends Completion {
  readonly active: number
}

/** The suggestions at the caret, and the text after one was chosen. */
function useCompletion(
  field: RefObject<HTMLInputElement>,
  value: string,
  known: PolicyVariables | undefined,
  onChange: (value: string) => void,
) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  function open(text: string, at: number, isAsked: boolean): void {
    const found = known === undefined ? null : completionAt(text, at, known)
    // An empty part matches everything, so the list appears only when it is asked for.
    const isWanted = found !== null && (isAsked || found.from < at)
    setOpened(isWanted ? { ...found, active: 0 } : null)
  }
  function choose({ insert, back }: Suggestion): void {
    if (opened === null) return
    const end = field.current?.selectionStart ?? value.length
    caret.current = opened.from + insert.length - back
    setOpened(null)
    onChange(value.slice(0, opened.from) + insert + value.slice(end))
  }
  const move = (by: number): void => {
    if (opened === null) return
    const { length } = opened.suggestions
    setOpened({ ...opened, active: (opened.active + by + length) % length })
  }
  return { opened, open, choose, move, close: () => setOpened(null) }
}

function keyHandler(
  { opened, open, choose, move, close }: ReturnType<typeof useCompletion>,
  value: string,
): (event: KeyboardEvent<HTMLInputElement>) => void {
  return (event) => {
    const { key, currentTarget: field, ctrlKey } = event
    const asks = key === 'ArrowDown' || (key === ' ' && ctrlKey)
    if (opened === null) {
      // A form with one text field would be sent by Enter.
      if (key === 'Enter') event.preventDefault()
      if (!asks) return
      event.preventDefault()
      open(value, field.selectionStart ?? value.length, true)
      return
    }
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Escape: close,
      Enter: () => {
        const suggestion = opened.suggestions[opened.active]
        if (suggestion !== undefined) choose(suggestion)
      },
    }[key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
}

/** Line breaks would vanish without a space in their place. */
function pasteHandler(value: string, onChange: (value: string) => void) {
  return (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text')
    if (!/[\r\n]/.test(text)) return
    event.preventDefault()
    const { selectionStart: from, selectionEnd: to } = event.currentTarget
    onChange(value.slice(0, from ?? 0) + oneLine(text) + value.slice(to ?? value.length))
  }
}

function FaultView({ id, of: fault }: { readonly id: string; readonly of: ExpressionFault }) {
  return (
    <div className="expression-fault" id={id}>
      <p className="field-error">
        <Icon name="warn" size={16} />
        <span>
          {fault.message}
          {fault.position !== undefined && ` Character ${fault.position}.`}
        </span>
      </p>
      <Marked of={fault} />
    </div>
  )
}

interface ExpressionProps {
  readonly label: string
  readonly value: string
  /** The names to complete; undefined until they are loaded. */
  readonly known: PolicyVariables | undefined
  readonly fault: ExpressionFault | null
  readonly onChange: (value: string) => void
}

function Combobox({ id, value, known, fault, onChange }: Omit<ExpressionProps, 'label'> & { id: string }) {
  const field = useRef<HTMLInputElement>(null)
  const completion = useCompletion(field, value, known, onChange)
  const { opened, open, choose, close } = completion
  const listId = `${id}-names`
  return (
    <div className="expression-box">
      <input
        ref={field}
        id={id}
        className="input mono"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={opened !== null}
        aria-controls={listId}
        {...(opened !== null && { 'aria-activedescendant': `${listId}-${opened.active}` })}
        {...(fault !== null && { 'aria-invalid': true })}
        aria-describedby={fault === null ? `${id}-hint` : `${id}-hint ${id}-error`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => {
          onChange(target.value)
          open(target.value, target.selectionStart ?? target.value.length, false)
        }}
        onPaste={pasteHandler(value, onChange)}
        onKeyDown={keyHandler(completion, value)}
        onBlur={close}
      />
      {opened !== null && (
        <Options id={listId} label="Names" completion={opened} active={opened.active} onChoose={choose} />
      )}
    </div>
  )
}

/** A narrow field cuts longer expressions, so the whole is shown below it. */
const cutFrom = 34

export function ExpressionField({ label, ...props }: ExpressionProps) {
  const { value, fault } = props
  const id = useId()
  return (
    <div className="field expression">
      <label htmlFor={id}>{label}</label>
      <Combobox id={id} {...props} />
      <p className="field-hint" id={`${id}-hint`}>
        A CEL expression, like <code>amount &gt; 10000.0</code>. Arrow down lists the names.
      </p>
      {value.length > cutFrom && fault === null && (
        <code className="expression-whole" aria-hidden="true">
          {value}
        </code>
      )}
      {fault !== null && <FaultView id={`${id}-error`} of={fault} />}
    </div>
  )
}
