/** The first steps with Fairway: a checklist until the first recorded decision, and what is left of it for a while. */

import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from './caller.ts'
import { useLiveFeeds } from './mode.tsx'
import { useQuery } from './query.ts'
import { dismissFirstSteps, isFirstStepsDismissed } from './tab-storage.ts'
import { Button } from './ui/button.tsx'
import { Card } from './ui/card.tsx'
import { Icon } from './ui/icon.tsx'
import './first-steps.css'

/** After so many decisions nobody needs the list. */
const recordedMax = 25

interface Step {
  readonly name: string
  readonly text: string
  readonly href: string
  readonly isDone: boolean
}

/** The newest decisions, looked up again with another `version`; disabled without it and without the scope. */
export function useFirstDecisions(version: string | null | undefined) {
  const may = useMe()?.scopes.includes('decision:read') === true
  return useQuery(
    may && version !== undefined ? ['first decisions', version] : null,
    (client) => client.verifications({ limit: recordedMax }).page(),
    { keepPrevious: true },
  )
}

/** The state of each step, from the records and endpoints of the caller's owner; undefined until it is known. */
function useSteps(
  version: string | null,
): { readonly recorded: number; readonly steps: readonly Step[] } | undefined {
  const me = useMe()
  const feeds = useLiveFeeds()
  const { data: page } = useFirstDecisions(version)
  const mayHook = me?.scopes.includes('webhook:manage') === true
  const { data: hooks } = useQuery(mayHook ? ['webhooks'] : null, (client) => client.webhooks())
  if (page === undefined || (mayHook && hooks === undefined)) return undefined
  const [newest] = page.items
  const steps: Step[] = [
    {
      name: 'Make a decision',
      text: 'Verify a payment: the decision is recorded.',
      href: '/',
      isDone: newest !== undefined,
    },
    {
      name: 'Report how a payment ended',
      text: 'Open a decision, read why it was made, and report its outcome.',
      href: newest === undefined ? '/verifications' : `/verifications/${newest.request_id}`,
      isDone: page.items.some(({ outcome }) => outcome !== null),
    },
  ]
  if (mayHook) {
    steps.push({
      name: 'Register a webhook',
      text: 'Your systems receive each decision as a signed request.',
      href: '/webhooks?dialog=register',
      isDone: hooks !== undefined && hooks.length > 0,
    })
  }
  steps.push({
    name: 'Go live',
    text: 'A live key decides from your own feeds, one for each signal.',
    href: '/status#feeds',
    isDone: feeds !== null && feeds.missing.length === 0,
  })
  return { recorded: page.items.length, steps }
}

function StepList({ of }: { readonly of: readonly Step[] }) {
  return (
    <ol className="first-steps">
      {of.map(({ name, text, href, isDone }) => (
        <li key={name} {...(isDone && { className: 'first-step-done' })}>
          <Icon name={isDone ? 'check' : 'none'} size={20} />
          <span>
            <Link href={href}>{name}</Link>
            <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
            <span className="check-list-note">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Folded once there is a decision, until it is dismissed. */
function Remaining({
  steps,
  onDismiss,
}: {
  readonly steps: readonly Step[]
  readonly onDismiss: () => void
}) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <details className="disclosure">
      <summary>{`First steps: ${done} of ${steps.length} done`}</summary>
      <div className="stack">
        <StepList of={steps} />
        <div>
          <Button small onClick={onDismiss}>
            Dismiss
          </Button>
        </div>
      </div>
    </details>
  )
}

export function FirstSteps({
  version = null,
  isPrimary = false,
}: {
  /** Changes with what is recorded, so that the steps are looked up again. */
  readonly version?: string | null
  readonly isPrimary?: boolean
}) {
  const ownerId = useMe()?.owner_id ?? ''
  const [isDismissed, setDismissed] = useState(false)
  const known = useSteps(version)
  if (known === undefined) return null
  const { recorded, steps } = known
  if (recorded === 0) {
    return (
      <Card isPrimary={isPrimary} title="First steps" note="Fairway has recorded no decision for you yet.">
        <StepList of={steps} />
      </Card>
    )
  }
  const isOver = recorded >= recordedMax || steps.every(({ isDone }) => isDone)
  if (isOver || isDismissed || isFirstStepsDismissed(ownerId)) return null
  function dismiss(): void {
    dismissFirstSteps(ownerId)
    setDismissed(true)
  }
  return <Remaining steps={steps} onDismiss={dismiss} />
}
