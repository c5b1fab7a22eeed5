/** The caller: a key by its organisation, or a person with roles and owner; and the way out. */

import type { Me } from '@fairway/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { OwnerChooser, useChosenOwner } from './people/owner-chooser.tsx'
import { roleList } from './people/roles.ts'
import { useSignOut } from './people/sign-out.ts'
import { Problem } from './problem.tsx'
import { useSession } from './session.tsx'
import { useMe, useSettings } from './caller.ts'
import { Button, LinkButton } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Chip } from './ui/verdict.tsx'

interface AccountProps {
  /** Closes the surrounding menu. */
  readonly onNavigate?: () => void
}

function SignOut({ onNavigate }: AccountProps) {
  const { busy, error, signOut } = useSignOut(onNavigate)
  return (
    <>
      <Button small busy={busy} onClick={signOut}>
        Sign out
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  )
}

function KeyAccount({ onNavigate }: AccountProps) {
  const { data } = useSettings()
  return (
    <div className="account">
      {data !== undefined && (
        <p className="account-key">
          <Link
            href="/sign-in"
            className="account-name account-line"
            title={`Your key, of ${data.organisation}`}
            {...(onNavigate && { onClick: onNavigate })}
          >
            {data.organisation}
          </Link>
          <Chip tone={data.key.environment === 'production' ? 'degraded' : 'info'}>
            {data.key.environment}
          </Chip>
        </p>
      )}
      <SignOut {...(onNavigate && { onNavigate })} />
    </div>
  )
}

/** The owner that an admin of the installation has chosen, and the way to another. */
function OwnerChoice() {
  const owner = useChosenOwner()
  const { installation } = useSession()
  const chosen = installation === null ? owner : { id: 'The whole installation', name: 'Installation' }
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="account-owner">
      <p>
        <span className="soft">Owner</span>{' '}
        {chosen === undefined ? (
          <span>none chosen</span>
        ) : (
          <strong className="account-line" title={`${chosen.name ?? ''} ${chosen.id}`}>
            {chosen.name ?? chosen.id}
          </strong>
        )}
      </p>
      <Button
        small
        aria-label={chosen === undefined ? 'Choose an owner' : 'Change owner'}
        onClick={() => setOpen(true)}
      >
        {chosen === undefined ? 'Choose' : 'Change'}
      </Button>
      <Dialog title="Choose an owner" open={isOpen} onClose={() => setOpen(false)}>
        <OwnerChooser onChosen={() => setOpen(false)} />
        <div className="dialog-actions">
          <Button variant="quiet" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

function PersonAccount({ person, onNavigate }: AccountProps & { readonly person: Me }) {
  const { choosesOwner } = useSession()
  const { name, email = '', roles, owner_name: owner, owner_id: ownerId } = useMe() ?? person
  return (
    <section className="account" aria-label="Signed in">
      <div>
        <p className="account-name anywhere">{name}</p>
        {email !== '' && email !== name && <p className="soft anywhere">{email}</p>}
        <p className="soft">{roleList(roles)}</p>
        {!choosesOwner && (
          <p className="anywhere">
            <span className="soft">Owner: </span>
            {owner ?? ownerId}
          </p>
        )}
      </div>
      {choosesOwner && <OwnerChoice />}
      <div className="account-actions">
        <LinkButton href="/sign-in" small {...(onNavigate && { onClick: onNavigate })}>
          Your account
        </LinkButton>
        <SignOut {...(onNavigate && { onNavigate })} />
      </div>
    </section>
  )
}

export function Account(props: AccountProps) {
  const { person } = useSession()
  return person === null ? <KeyAccount {...props} /> : <PersonAccount person={person} {...props} />
}
