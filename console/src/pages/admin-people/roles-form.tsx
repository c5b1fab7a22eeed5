/** Replaces the roles of a person. */

import type { AdminPerson } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { roleList, type Role } from '../../people/roles.ts'
import { useRefresh } from '../../admin/list.tsx'
import type { DialogProps } from './acts.tsx'
import { RoleChecks } from './role-checks.tsx'

function Form({ of: person, onClose, onDone }: DialogProps & { readonly of: AdminPerson }) {
  const [roles, setRoles] = useState<readonly Role[]>(person.roles)
  const [hasTried, setTried] = useState(false)
  const refresh = useRefresh('people')
  const change = useAction(
    (client) => client.admin.setRoles(person.person_id, { roles: [...roles] }),
    (changed) => {
      refresh()
      onClose()
      onDone(`${person.name}: ${roleList(changed.roles)}, at once.`)
    },
  )
  // Only an admin has no owner.
  const needsAdmin = person.owner_id === null && !roles.includes('admin')
  const error =
    roles.length === 0
      ? 'Choose at least one role.'
      : needsAdmin
        ? 'Somebody without an owner must be an admin. Invite the person again for an owner.'
        : undefined
  function run(): void {
    setTried(true)
    if (error === undefined) change.run()
  }
  return (
    <Confirm
      title={`Roles of ${person.name}`}
      open
      action={{ ...change, run }}
      label="Change roles"
      look="primary"
      onClose={onClose}
    >
      <RoleChecks value={roles} error={hasTried ? error : undefined} onChange={setRoles} />
    </Confirm>
  )
}

export function ChangeRoles({ of, ...dialog }: DialogProps & { readonly of: AdminPerson | null }) {
  return of === null ? null : <Form key={of.person_id} of={of} {...dialog} />
}
