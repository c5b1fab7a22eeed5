/** The sources of a batch: a dropped or chosen file, pasted text, or the sample. */

import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { knownColumns } from './csv.ts'
import { loadFile, loadText, type Refusal } from './file.ts'
import templateUrl from './template.csv?url'
import type { Work } from './work.ts'

type Load = Work['load']

const accept = '.csv,text/csv,text/plain'

/** Accepts a file dropped anywhere on the page. */
export function DropArea({ load, children }: { readonly load: Load; readonly children: ReactNode }) {
  const [over, setOver] = useState(false)
  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) void load(loadFile(file))
  }
  return (
    <div
      className={`stack drop-area${over ? ' drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}

function FileInput({ id, load }: { readonly id: string; readonly load: Load }) {
  return (
    <input
      id={id}
      type="file"
      className="sr-only"
      accept={accept}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file !== undefined) void load(loadFile(file))
        // Reset, so that the same file can be chosen again after a correction.
        target.value = ''
      }}
    />
  )
}

/** A small button that replaces the loaded file. */
export function ChooseFile({ load, label }: { readonly load: Load; readonly label: string }) {
  const id = useId()
  return (
    <span className="choose-file">
      <FileInput id={id} load={load} />
      <label htmlFor={id} className="button button-secondary button-small">
        <Icon name="upload" size={16} />
        {label}
      </label>
    </span>
  )
}

export function RefusalNotice({ refusal }: { readonly refusal: Refusal }) {
  return (
    <Notice tone="nogo" title={refusal.title} live>
      <p className="anywhere">{refusal.body}</p>
      {refusal.command !== undefined && <Code title="On the command line" text={refusal.command} />}
    </Notice>
  )
}

function Paste({ load }: { readonly load: Load }) {
  const text = useRef<HTMLTextAreaElement>(null)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void load(loadText('Pasted text', text.current?.value ?? ''))
      }}
    >
      <Field label="Or paste rows" hint="Include the header row.">
        {(input) => (
          <textarea
            {...input}
            ref={text}
            rows={7}
            spellCheck={false}
            className="input mono"
            placeholder={'id,corridor,amount,currency\nPAY-00001,GB-NG,558,GBP'}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit">Load rows</Button>
      </div>
    </form>
  )
}

export function Source({ load, onSample }: { readonly load: Load; readonly onSample: () => void }) {
  const id = useId()
  return (
    <Card
      isPrimary
      title="Payments file"
      note="The file is assessed. It is stored only if you keep the report."
    >
      <div className="source">
        <div className="stack">
          <div className="drop-zone">
            <FileInput id={id} load={load} />
            <label htmlFor={id}>
              <Icon name="upload" size={36} />
              <strong>Drop a CSV file here, or choose one</strong>
              <span className="small soft">Up to 500 payments and 1 MiB</span>
            </label>
          </div>
          <div className="row">
            <Button icon="layers" onClick={onSample}>
              Use sample
            </Button>
            <a className="button button-quiet" href={templateUrl} download="fairway-payments.csv">
              <Icon name="download" size={16} />
              Download template
            </a>
          </div>
        </div>
        <Paste load={load} />
      </div>
      <p className="small soft">
        The header row names the columns, in any order. Required: <code>corridor</code>. Optional:{' '}
        {knownColumns.filter((name) => name !== 'corridor').join(', ')}. With <code>actual_outcome</code> the
        report compares each verdict with the payment’s outcome.
      </p>
    </Card>
  )
}
