/** Where payments come from: a file, dropped or chosen; a text, pasted; or the sample. */

import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { columnsRead } from './csv.ts'
import { takeFile, takeText, type Refusal } from './file.ts'
import templateUrl from './template.csv?url'
import type { Work } from './work.ts'

type Take = Work['take']

const accept = '.csv,text/csv,text/plain'

/** The whole of the page takes a file that is dropped on it. */
export function DropArea({ take, children }: { readonly take: Take; readonly children: ReactNode }) {
  const [over, setOver] = useState(false)
  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) void take(takeFile(file))
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

function FileInput({ id, take }: { readonly id: string; readonly take: Take }) {
  return (
    <input
      id={id}
      type="file"
      className="sr-only"
      accept={accept}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        if (file !== undefined) void take(takeFile(file))
        // So that the same file, mended, can be chosen again.
        target.value = ''
      }}
    />
  )
}

/** A small one, for another file. */
export function ChooseFile({ take, words }: { readonly take: Take; readonly words: string }) {
  const id = useId()
  return (
    <span className="choose-file">
      <FileInput id={id} take={take} />
      <label htmlFor={id} className="button button-secondary button-small">
        <Icon name="upload" size={16} />
        {words}
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

function Paste({ take }: { readonly take: Take }) {
  const text = useRef<HTMLTextAreaElement>(null)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void take(takeText('The pasted text', text.current?.value ?? ''))
      }}
    >
      <Field label="Or paste the rows" hint="With the header row.">
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
        <Button type="submit">Show the rows</Button>
      </div>
    </form>
  )
}

export function Source({ take, onSample }: { readonly take: Take; readonly onSample: () => void }) {
  const id = useId()
  return (
    <Card title="Choose a file of payments" note="Nothing is recorded: the file is assessed and forgotten.">
      <div className="source">
        <div className="stack">
          <div className="drop-zone">
            <FileInput id={id} take={take} />
            <label htmlFor={id}>
              <Icon name="upload" size={36} />
              <strong>Drop a CSV file here, or choose one</strong>
              <span className="small soft">Up to 500 payments and 1 MiB</span>
            </label>
          </div>
          <div className="row">
            <Button icon="layers" onClick={onSample}>
              Use the sample
            </Button>
            <a className="button button-quiet" href={templateUrl} download="fairway-payments.csv">
              <Icon name="download" size={16} />
              Download a template
            </a>
          </div>
        </div>
        <Paste take={take} />
      </div>
      <p className="small soft">
        The header row names the columns, in any order. Only <code>corridor</code> is needed;{' '}
        {columnsRead.filter((name) => name !== 'corridor').join(', ')} are read too. With{' '}
        <code>actual_outcome</code> the report compares each verdict with what became of the payment.
      </p>
    </Card>
  )
}
