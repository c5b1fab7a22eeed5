/** Issues a key, for a new owner or an existing one. */

import type { IssuedKey, Owner } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAction } from '../../action.ts'
import { OwnerPicker } from '../../people/owner-chooser.tsx'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { actsAsYou, LimitFields, ScopeFields, useKeyTerms } from '../../admin/key-terms.tsx'
import { NewKeyDialog } from '../../admin/new-key.tsx'

const types = [
  ['test', 'Test'],
  ['live', 'Live'],
] as const
type KeyType = (typeof types)[number][0]

const typeMeanings: Readonly<Record<KeyType, string>> = {
  test: 'Decides in shadow mode, on simulated signals. Does not expire.',
  live: 'Decides on your live feeds. Expires after 90 days.',
}

const ownerKinds = [
  ['new', 'New owner'],
  ['existing', 'Existing owner'],
] as const

interface Draft {
  readonly kind: (typeof ownerKinds)[number][0]
  readonly name: string
  readonly owner: Owner | null
  readonly type: KeyType
}

const initial: Draft = { kind: 'new', name: '', owner: null, type: 'test' }

function OwnerFields({
  draft,
  error,
  onDraft,
}: {
  readonly draft: Draft
  readonly error: string | undefined
  readonly onDraft: (draft: Draft) => void
}) {
  return (
    <>
      <Segments
        label="Owner"
        options={ownerKinds}
        value={draft.kind}
        onChange={(kind) => onDraft({ ...draft, kind })}
      />
      {draft.kind === 'new' ? (
        <Field label="Name of the owner" hint="The organisation or team that the key is for." error={error}>
          {(input) => (
            <input
              {...input}
              autoComplete="off"
              maxLength={200}
              value={draft.name}
              onChange={({ target }) => onDraft({ ...draft, name: target.value })}
            />
          )}
        </Field>
      ) : (
        <OwnerPicker
          chosenId={draft.owner?.owner_id ?? null}
          length={5}
          error={error}
          onChoose={(owner) => onDraft({ ...draft, owner })}
        />
      )}
    </>
  )
}

function useIssue(onIssued: (issued: IssuedKey) => void) {
  const [draft, setDraft] = useState(initial)
  const [hasTried, setTried] = useState(false)
  const terms = useKeyTerms()
  const { kind, name, owner, type } = draft
  const isMissing = kind === 'new' ? name.trim() === '' : owner === null
  const ownerOf = kind === 'new' ? { owner: name.trim() } : { owner_id: owner?.owner_id ?? '' }
  const action = useAction(
    (client) => client.admin.issueKey({ type, ...ownerOf, ...terms.request() }),
    onIssued,
  )
  const missing = kind === 'new' ? 'Enter a name.' : 'Choose an owner.'
  return {
    draft,
    setDraft,
    terms,
    action,
    ownerError: hasTried && isMissing ? missing : errorOf(action.error, '/owner'),
    submit: (event: FormEvent) => {
      event.preventDefault()
      setTried(true)
      const isWhole = terms.request() !== null
      if (isWhole && !isMissing) action.run()
    },
    clear: () => {
      setDraft(initial)
      setTried(false)
      terms.clear()
      action.clearError()
    },
  }
}

const fieldPaths = ['/owner', '/limit_verify']

export function Issue({
  open,
  onClose,
  onIssued,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly onIssued: () => void
}) {
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const form = useIssue((key) => {
    close()
    setIssued(key)
    onIssued()
  })
  const { draft, setDraft, terms, action, ownerError } = form
  function close(): void {
    form.clear()
    onClose()
  }
  const isShownAtField = fieldPaths.some((path) => errorOf(action.error, path) !== undefined)
  return (
    <>
      <Dialog title="Issue a key" className="dialog dialog-wide" open={open} onClose={close}>
        <form className="stack" noValidate onSubmit={form.submit}>
          <OwnerFields draft={draft} error={ownerError} onDraft={setDraft} />
          <div className="field">
            <Segments
              label="Type"
              options={types}
              value={draft.type}
              onChange={(type) => setDraft({ ...draft, type })}
            />
            <p className="field-hint">{typeMeanings[draft.type]}</p>
          </div>
          <ScopeFields of={terms} />
          <LimitFields of={terms} fault={action.error} />
          <Notice tone="info" title="Issued by you">
            <p>{actsAsYou}</p>
          </Notice>
          {action.error !== null && !isShownAtField && <Problem error={action.error} />}
          <div className="dialog-actions">
            <Button variant="quiet" onClick={close}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" busy={action.busy}>
              Issue key
            </Button>
          </div>
        </form>
      </Dialog>
      <NewKeyDialog title="Key issued" issued={issued} onStored={() => setIssued(null)} />
    </>
  )
}
