/** The sessions of the person who is signed in, each with the way to end it. */

import type { PersonSession } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { useSignOut } from '../../people/sign-out.ts'
import { browserName } from '../../people/user-agent.ts'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import { useOwnQuery } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { StackTable } from '../../ui/stack-table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

const refreshMs = 15_000

function End({ of: session, onEnded }: { readonly of: PersonSession; readonly onEnded: () => void }) {
  const other = useAction((client) => client.endMySession(session.session_id), onEnded)
  const own = useSignOut()
  const error = session.is_current ? own.error : other.error
  return (
    <>
      <Button
        small
        busy={session.is_current ? own.busy : other.busy}
        onClick={session.is_current ? own.signOut : other.run}
        aria-label={`End the session in ${browserName(session.user_agent)} from ${session.client_address}`}
      >
        End
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  )
}

const columnsWith = (onEnded: () => void): readonly Column<PersonSession>[] => [
  {
    name: 'Browser',
    cell: ({ user_agent: agent, is_current: isCurrent }) => (
      <span className="row" title={agent}>
        {browserName(agent)}
        {isCurrent && <Chip tone="go">This session</Chip>}
      </span>
    ),
  },
  { name: 'Address', cell: ({ client_address: address }) => <code>{address}</code> },
  { name: 'Started', cell: ({ created_at: at }) => <Time at={at} seconds={false} /> },
  {
    name: 'Last used',
    // Uses are recorded a moment later.
    cell: ({ last_used_at: at, is_current: isCurrent }) =>
      isCurrent || at === null ? (
        <span className="soft">{isCurrent ? 'Now' : 'Not yet'}</span>
      ) : (
        <Time at={at} seconds={false} />
      ),
  },
  { name: 'Expires', cell: ({ expires_at: at }) => <Time at={at} seconds={false} /> },
  { name: 'Action', cell: (session) => <End of={session} onEnded={onEnded} /> },
]

export function Sessions() {
  const query = useOwnQuery(['sessions'], (client) => client.mySessions(), { refreshMs })
  const [ended, setEnded] = useState(0)
  function onEnded(): void {
    setEnded(ended + 1)
    void query.mutate()
  }
  return (
    <Card title="Sessions" note="Where you are signed in. End those that you do not know, and tell an admin.">
      <p className="sr-only" role="status">
        {ended > 0 ? 'Session ended.' : ''}
      </p>
      <QueryResult query={query}>
        {({ sessions }) => (
          <StackTable
            caption="Sessions"
            columns={columnsWith(onEnded)}
            rows={sessions}
            keyOf={({ session_id: id }) => id}
          />
        )}
      </QueryResult>
    </Card>
  )
}
