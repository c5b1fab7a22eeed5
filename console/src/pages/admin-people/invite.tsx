/** Invites a person, and shows the one-time link. */

import type { InvitedPerson, Owner } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { useAction } from '../../action.ts'
import { OwnerPicker } from '../../people/owner-chooser.tsx'
import type { Role } from '../../people/roles.ts'
import { errorOf, Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Segments } from '../../ui/field.tsx'
import { useRefresh } from '../../admin/list.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { RoleChecks } from './role-checks.tsx'

const places = [
  ['owner', 'One owner'],
  ['installation', 'The installation'],
] as const

interface Draft {
  readonly email: string
  readonly roles: readonly Role[]
  readonly place: (typeof places)[number][0]
  readonly owner: Owner | null
}

const initial: Draft = { email: '', roles: ['viewer'], place: 'owner', owner: null }

/** The missing parts, by field. */
function faultsOf({ email, roles, place, owner }: Draft) {
  const needsAdmin = place === 'installation' && !roles.includes('admin')
  return {
    email: email.trim() === '' ? 'Enter an email address.' : undefined,
    roles:
      roles.length === 0
        ? 'Choose at least one role.'
        : needsAdmin
          ? 'Only an admin may have no owner. Choose Admin, or an owner.'
          : undefined,
    owner: place === 'owner' && owner === null ? 'Choose an owner.' : undefined,
  }
}

function useInvite(onInvited: (invited: InvitedPerson) => void) {
  const [draft, setDraft] = useState(initial)
  const [hasTried, setTried] = useState(false)
  const { email, roles, place, owner } = draft
  const action = useAction(
    (client) =>
      client.admin.invitePerson({
        email: email.trim(),
        roles: [...roles],
        ...(place === 'owner' && owner !== null && { owner_id: owner.owner_id }),
      }),
    onInvited,
  )
  const faults = faultsOf(draft)
  return {
    draft,
    setDraft,
    action,
    errors: hasTried ? faults : { email: undefined, roles: undefined, owner: undefined },
    submit: (event: FormEvent) => {
      event.preventDefault()
      setTried(true)
      if (Object.values(faults).every((fault) => fault === undefined)) action.run()
    },
    clear: () => {
      setDraft(initial)
      setTried(false)
      action.clearError()
    },
  }
}

function PlaceFields({
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
        label="Serves"
        options={places}
        value={draft.place}
        onChange={(place) => onDraft({ ...draft, place })}
      />
      {draft.place === 'installation' ? (
        <p className="field-hint">
          Administers the installation and serves every owner. This needs the role Admin.
        </p>
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

export function Invite({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [invited, setInvited] = useState<InvitedPerson | null>(null)
  const refresh = useRefresh('people')
  const { draft, setDraft, action, errors, submit, clear } = useInvite((person) => {
    close()
    setInvited(person)
    refresh()
  })
  function close(): void {
    clear()
    onClose()
  }
  const emailError = errors.email ?? errorOf(action.error, '/email')
  return (
    <>
      <Dialog title="Invite a person" className="dialog dialog-wide" open={open} onClose={close}>
        <form className="stack" noValidate onSubmit={submit}>
          <Field label="Email" hint="The person signs in with it. Nothing is sent." error={emailError}>
            {(input) => (
              <input
                {...input}
                type="email"
                autoComplete="off"
                spellCheck={false}
                maxLength={254}
                value={draft.email}
                onChange={({ target }) => setDraft({ ...draft, email: target.value })}
              />
            )}
          </Field>
          <PlaceFields draft={draft} error={errors.owner} onDraft={setDraft} />
          <RoleChecks
            value={draft.roles}
            error={errors.roles}
            onChange={(roles) => setDraft({ ...draft, roles })}
          />
          {action.error !== null && emailError === undefined && <Problem error={action.error} />}
          <div className="dialog-actions">
            <Button variant="quiet" onClick={close}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" busy={action.busy}>
              Create invitation
            </Button>
          </div>
        </form>
      </Dialog>
      <LinkDialog title="Invitation" invited={invited} onStored={() => setInvited(null)} />
    </>
  )
}
