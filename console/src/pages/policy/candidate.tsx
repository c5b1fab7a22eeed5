/** Makes a policy the candidate, after a dialog that says what that does. */

import type { Policy } from '@fairway/client'
import { useState } from 'react'
import { useAction } from '../../action.ts'
import { Confirm } from '../../confirm.tsx'
import { Button } from '../../ui/button.tsx'
import { useRefreshPolicies, useTheOne } from '../policies/queries.ts'

export function MakeCandidate({ policy, onDone }: { readonly policy: Policy; readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const { data: current } = useTheOne('candidate')
  const refresh = useRefreshPolicies()
  const action = useAction(
    (client) => client.makePolicyCandidate(policy.policy_id),
    () => {
      setOpen(false)
      refresh()
      onDone()
    },
  )
  return (
    <>
      <Button icon="clock" onClick={() => setOpen(true)}>
        Make candidate
      </Button>
      <Confirm
        title="Make this policy the candidate"
        open={isOpen}
        action={action}
        label="Make candidate"
        look="primary"
        onClose={() => setOpen(false)}
      >
        <p>
          From now on it is evaluated on every new decision, beside the policy in force. It changes no
          decision. Its report shows which ones it would change.
        </p>
        {current !== undefined && current !== null && (
          <p>
            <strong>{current.document.name}</strong> is the candidate now; its report ends.
          </p>
        )}
      </Confirm>
    </>
  )
}
