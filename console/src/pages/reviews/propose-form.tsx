/** Proposes what to do with the payment. The draft survives a refusal, a reload and a move to another review. */

import { InvalidRequestError, type Review } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { faultsOf, noDraft, serverFaults, type Draft, type Faults } from '../../override/draft.ts'
import { OverrideFields, useFocusOnFault } from '../../override/fields.tsx'
import { useStoredDraft } from '../../stored-draft.ts'
import { Button } from '../../ui/button.tsx'
import { ActProblem, useReviewAct } from './acts.tsx'
import { Blocked } from './blocked.tsx'

const isEmpty = ({ action, reason, justification }: Draft): boolean =>
  action === null && reason === '' && justification === ''

function useProposal(id: string, onDone: () => void) {
  const [draft, setDraft] = useStoredDraft(`propose.${id}`, noDraft)
  const [attempts, setAttempts] = useState(0)
  const { action, reason, justification } = draft
  const act = useReviewAct(
    async (client) => {
      try {
        return await client.proposeReview(id, {
          action: action ?? 'HOLD',
          reason_code: reason,
          justification,
        })
      } catch (error) {
        setAttempts(attempts + 1)
        throw error
      }
    },
    () => {
      setDraft(noDraft)
      setAttempts(0)
      onDone()
    },
  )
  const rejected = act.error instanceof InvalidRequestError ? serverFaults(act.error) : {}
  const faults: Faults = attempts > 0 ? { ...rejected, ...faultsOf(draft) } : {}
  return {
    draft,
    attempts,
    faults,
    busy: act.busy,
    /** Faults of fields are shown at the fields. */
    error: Object.keys(rejected).length > 0 ? null : act.error,
    edit: (changed: Draft) => {
      act.clearError()
      setDraft(changed)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (Object.keys(faultsOf(draft)).length > 0) setAttempts(attempts + 1)
      else act.run()
    },
  }
}

/** `blocked` is the reason why nothing can be proposed now; the form is then shown only if it has text. */
export function ProposeForm({
  review,
  blocked,
  isMine,
  onDone,
}: {
  readonly review: Review
  readonly blocked: string | null
  readonly isMine: boolean
  readonly onDone: () => void
}) {
  const { draft, attempts, faults, busy, error, edit, submit } = useProposal(review.review_id, onDone)
  const form = useFocusOnFault(attempts)
  if (blocked !== null && isEmpty(draft)) return <ActProblem error={error} />
  return (
    <details className="disclosure desk-propose" open={isMine || !isEmpty(draft)}>
      <summary>Propose an action</summary>
      <form ref={form} className="stack" noValidate aria-label="Propose an action" onSubmit={submit}>
        <OverrideFields draft={draft} faults={faults} onDraft={edit} />
        <ActProblem error={error} />
        {blocked === null ? (
          <div className="row">
            <Button type="submit" variant="primary" busy={busy}>
              Propose
            </Button>
            <span className="small soft">
              {isMine ? 'Nothing happens until it is approved.' : 'This also claims the review.'}
            </span>
          </div>
        ) : (
          <Blocked reason={blocked} onDiscard={() => edit(noDraft)} />
        )}
      </form>
    </details>
  )
}
