/** People: invitations, roles, sessions and removal. */

import type { AdminPerson } from '@fairway/client'
import { useState } from 'react'
import { useAddress } from '../../address.ts'
import { useCallerId, useIsAdmin } from '../../caller.ts'
import { AdminOnly } from '../../keyed.tsx'
import { useNowMs } from '../../now.ts'
import { roleLabels } from '../../people/roles.ts'
import { useOwnQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Notice } from '../../ui/state.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import { Choice, choiceIn, ListResult, Search } from '../../admin/list.tsx'
import { EndSessions, NewLink, Remove, Restore } from './acts.tsx'
import { Invite } from './invite.tsx'
import { useOwnerNames } from './owners.ts'
import { ChangeRoles } from './roles-form.tsx'
import { columnsAt, PersonDetails, standings, type PersonAct } from './rows.tsx'

const standingChoices = Object.entries(standings).map(([value, { label }]) => [value, label] as const)
const roleChoices = Object.entries(roleLabels)

/** All people come in one answer, so the filters act here. */
function usePeople() {
  const [params] = useAddress()
  const query = useOwnQuery(['people'], (client) => client.admin.people())
  const owners = useOwnerNames()
  const text = (params.get('q') ?? '').trim().toLowerCase()
  const [status, role] = [choiceIn(params, 'status', standingChoices), choiceIn(params, 'role', roleChoices)]
  const isWanted = (person: AdminPerson): boolean => {
    const { person_id: id, name, email, owner_id: ownerId, roles } = person
    const searched = [id, name, email, ownerId ?? '', owners.get(ownerId ?? '') ?? ''].join('\n')
    return (
      searched.toLowerCase().includes(text) &&
      (status === '' || person.status === status) &&
      (role === '' || (roles as readonly string[]).includes(role))
    )
  }
  const isRemoved = ({ status: standing }: AdminPerson): number => Number(standing === 'removed')
  const items = query.data?.people
    .filter(isWanted)
    .toSorted((left, right) => isRemoved(left) - isRemoved(right))
  return { ...query, data: items === undefined ? undefined : { items, nextCursor: null } }
}

type Act = { readonly kind: PersonAct; readonly person: AdminPerson }

const detailsOf = (person: AdminPerson) => <PersonDetails of={person} />

function People({ onInvite }: { readonly onInvite: () => void }) {
  const query = usePeople()
  const owners = useOwnerNames()
  const callerId = useCallerId()
  const nowMs = useNowMs(30_000)
  const [openId, setOpenId] = useState<string | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const columns = columnsAt(nowMs, owners, {
    callerId,
    isOpen: ({ person_id: id }) => id === openId,
    onDetails: ({ person_id: id }) => setOpenId(id === openId ? null : id),
    onAct: (kind, person) => {
      setDone(null)
      setAct({ kind, person })
    },
  })
  const of = (kind: PersonAct): AdminPerson | null => (act?.kind === kind ? act.person : null)
  const dialog = { onClose: () => setAct(null), onDone: setDone }
  return (
    <section className="card card-primary" aria-label="People">
      <div className="admin-filters">
        <Search label="Find a person" hint="Name, email, owner or id" />
        <Choice name="status" label="Status" all="All" choices={standingChoices} />
        <Choice name="role" label="Role" all="All" choices={roleChoices} />
      </div>
      {done !== null && <Notice tone="go" title={done} live />}
      <ListResult
        label="people"
        query={query}
        filters={['q', 'status', 'role']}
        empty={{
          icon: 'user',
          title: 'Nobody yet',
          text: 'Invite the first person. Whoever signs in at the identity provider appears here by the first sign-in.',
          action: <Button onClick={onInvite}>Invite a person</Button>,
        }}
      >
        {(items) => (
          <StackTable
            caption="People"
            order="Oldest first."
            columns={columns}
            rows={items}
            keyOf={({ person_id: id }) => id}
            isOpen={({ person_id: id }) => id === openId}
            below={detailsOf}
          />
        )}
      </ListResult>
      <ChangeRoles of={of('roles')} {...dialog} />
      <NewLink of={of('reset')} {...dialog} />
      <EndSessions of={of('sessions')} {...dialog} />
      <Remove of={of('remove')} {...dialog} />
      <Restore of={of('restore')} {...dialog} />
    </section>
  )
}

export default function PeoplePage() {
  const isAdmin = useIsAdmin()
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title="People"
      lead="Everybody with an account, oldest first, removed people last. A change takes effect at once, in every open window."
      actions={
        isAdmin && (
          <Button variant="primary" icon="user" onClick={() => setOpen(true)}>
            Invite a person
          </Button>
        )
      }
    >
      <AdminOnly what="the people">
        <People onInvite={() => setOpen(true)} />
        <Invite open={isOpen} onClose={() => setOpen(false)} />
      </AdminOnly>
    </Page>
  )
}
