/** Takes the policy in force out of force, after a dialog that names the one that follows it. */

import type { FairwayClient, Policy } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Problem } from '../../problem.tsx'
import { QueryResult } from '../../query-result.tsx'
import type { Query } from '../../query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { usePrevious, useRefreshPolicies } from './queries.ts'
import { ReasonField, useReason } from './reason.tsx'

export interface RolledBack {
  readonly from: string
  /** Null if no policy is in force now. */
  readonly to: string | null
}

const none = 'None: decisions follow the contract alone.'

function Effect({ active, previous }: { active: Policy; previous: Query<Policy | null> }) {
  return (
    <QueryResult query={previous} skeleton={<Skeleton height={60} label="Loading the version before" />}>
      {(policy) => (
        <Pairs
          of={[
            ['In force now', active.document.name],
            ['In force again', policy === null ? none : <strong key="again">{policy.document.name}</strong>],
            ...(policy === null ? [] : [['Version', <code key="id">{policy.policy_id}</code>] as const]),
          ]}
        />
      )}
    </QueryResult>
  )
}

/** Another person may have changed the policy in force meanwhile, so the answer says which it is. */
function useRollBack(active: Policy, previous: Query<Policy | null>, reason: string) {
  const known = [active, previous.data].filter((policy) => policy !== null && policy !== undefined)
  const nameOf = (id: string): string => known.find((policy) => policy.policy_id === id)?.document.name ?? id
  return async (client: FairwayClient): Promise<RolledBack> => {
    const { rolled_back: from, active: to } = await client.rollBackPolicy({ reason })
    return { from: nameOf(from), to: to === null ? null : nameOf(to) }
  }
}

export function RollBack({
  active,
  onDone,
}: {
  readonly active: Policy
  readonly onDone: (done: RolledBack) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReason()
  const previous = usePrevious(isOpen)
  const refresh = useRefreshPolicies()
  const action = useAction(useRollBack(active, previous, reason.text.trim()), (done) => {
    close()
    refresh()
    onDone(done)
  })
  function close(): void {
    action.clearError()
    reason.clear()
    setOpen(false)
  }
  return (
    <>
      <Button variant="danger" icon="back" onClick={() => setOpen(true)}>
        Roll back
      </Button>
      <Dialog title="Roll back the policy in force" open={isOpen} onClose={close}>
        <p>The version before it takes effect on every instance within a second.</p>
        <Effect {...{ active, previous }} />
        <ReasonField of={reason} />
        {action.error !== null && <Problem error={action.error} />}
        <div className="dialog-actions">
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" busy={action.busy} onClick={() => reason.submit(action.run)}>
            Roll back
          </Button>
        </div>
      </Dialog>
    </>
  )
}
