/** Approves an access request: a live key, for a new owner or in place of a key. */

import type { AccessRequestView, ApproveAccessRequest, ApprovedAccess } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAction } from '../../action.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { Notice } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { OverlapEnd, overlaps, type Overlap } from '../admin-keys/rotate.tsx'
import { LimitFields, ScopeFields, useKeyTerms } from '../../admin/key-terms.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { NewKeyDialog } from '../../admin/new-key.tsx'
import { NoteField } from './note.tsx'

const kinds = [
  ['new', 'New owner'],
  ['replaces', 'Replace a key'],
] as const

interface Draft {
  readonly kind: (typeof kinds)[number][0]
  readonly replaces: string
  readonly overlap: Overlap
  readonly note: string
}

interface FieldsProps {
  readonly draft: Draft
  readonly sandboxKeyId: string
  readonly error: string | undefined
  readonly onDraft: (draft: Draft) => void
}

function OwnerFields({ draft, sandboxKeyId, error, onDraft }: FieldsProps) {
  return (
    <>
      <Segments
        label="Owner of the live key"
        options={kinds}
        value={draft.kind}
        onChange={(kind) => onDraft({ ...draft, kind })}
      />
      {draft.kind === 'new' ? (
        <p className="field-hint">
          The live key belongs to a new owner, which cannot read the records of the sandbox key.
        </p>
      ) : (
        <>
          <Field
            label="Id of the key to replace"
            hint="The live key gets its owner, its records and its principal."
            error={error}
          >
            {(input) => (
              <input
                {...input}
                autoComplete="off"
                spellCheck={false}
                placeholder={sandboxKeyId}
                maxLength={40}
                value={draft.replaces}
                onChange={({ target }) => onDraft({ ...draft, replaces: target.value })}
              />
            )}
          </Field>
          <Segments
            label="The replaced key ends after"
            options={overlaps}
            value={draft.overlap}
            onChange={(overlap) => onDraft({ ...draft, overlap })}
          />
          <OverlapEnd overlap={draft.overlap} expiresAt={null} />
        </>
      )}
    </>
  )
}

function useApproval(request: AccessRequestView, onApproved: (approved: ApprovedAccess) => void) {
  const [draft, setDraft] = useState<Draft>({ kind: 'new', replaces: '', overlap: '86400', note: '' })
  const [hasTried, setTried] = useState(false)
  const terms = useKeyTerms()
  const { kind, replaces, overlap, note } = draft
  const isMissing = kind === 'replaces' && replaces.trim() === ''
  const body: ApproveAccessRequest = {
    ...(kind === 'replaces' && { replaces: replaces.trim(), overlap_s: Number(overlap) }),
    ...(note.trim() !== '' && { note: note.trim() }),
  }
  const action = useAction(
    (client) => client.admin.approveAccess(request.access_request_id, { ...body, ...terms.request() }),
    onApproved,
  )
  const isUnknown = errorOf(action.error, '/replaces') !== undefined
  return {
    draft,
    setDraft,
    terms,
    action,
    keyError:
      hasTried && isMissing ? 'Enter the id of a key.' : isUnknown ? 'There is no such key.' : undefined,
    submit: (event: FormEvent) => {
      event.preventDefault()
      setTried(true)
      const isWhole = terms.request() !== null
      if (isWhole && !isMissing) action.run()
    },
  }
}

function Form({
  of: request,
  onClose,
  onApproved,
}: {
  readonly of: AccessRequestView
  readonly onClose: () => void
  readonly onApproved: (approved: ApprovedAccess) => void
}) {
  const { draft, setDraft, terms, action, keyError, submit } = useApproval(request, onApproved)
  const isShownAtField = ['/replaces', '/limit_verify'].some(
    (path) => errorOf(action.error, path) !== undefined,
  )
  return (
    <Dialog title={`Approve ${request.name}`} className="dialog dialog-wide" open onClose={onClose}>
      <form className="stack" noValidate onSubmit={submit}>
        <p className="anywhere">
          {request.email} <span className="soft">(not verified)</span>
        </p>
        <OwnerFields
          draft={draft}
          sandboxKeyId={request.sandbox_key_id}
          error={keyError}
          onDraft={setDraft}
        />
        <ScopeFields of={terms} />
        <LimitFields of={terms} fault={action.error} />
        <NoteField value={draft.note} onChange={(note) => setDraft({ ...draft, note })} />
        {draft.kind === 'new' && (
          <Notice tone="info" title="A principal of its own">
            <p>You see the key once. It may do at most what your roles allow.</p>
          </Notice>
        )}
        {action.error !== null && !isShownAtField && <Problem error={action.error} />}
        <div className="dialog-actions">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" busy={action.busy}>
            Approve and create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function Approve({
  of: request,
  onClose,
}: {
  readonly of: AccessRequestView | null
  readonly onClose: () => void
}) {
  const [approved, setApproved] = useState<ApprovedAccess | null>(null)
  const refresh = useRefresh('access requests', 'admin keys', 'owners')
  return (
    <>
      {request !== null && (
        <Form
          key={request.access_request_id}
          of={request}
          onClose={onClose}
          onApproved={(done) => {
            setApproved(done)
            onClose()
            refresh()
          }}
        />
      )}
      <NewKeyDialog title="Request approved" issued={approved} onStored={() => setApproved(null)}>
        {approved !== null && approved.replaced_key_ends_at !== null && (
          <p>
            The replaced key <code>{approved.replaced_key_id}</code> ends{' '}
            <Time at={approved.replaced_key_ends_at} />.
          </p>
        )}
      </NewKeyDialog>
    </>
  )
}
