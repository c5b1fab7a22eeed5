/** A missing scope: for a key with the way to another key, for a person with the role that has it. */

import { PermissionError, type FairwayError } from '@fairway/client'
import type { ReactNode } from 'react'
import { roleLabels, roleList, rolesWith, type Role, type Scope } from './people/roles.ts'
import { Problem } from './problem.tsx'
import { useSession } from './session.tsx'
import { useMe } from './caller.ts'
import { LinkButton } from './ui/button.tsx'
import { Notice } from './ui/state.tsx'
import type { Tone } from './ui/verdict.tsx'

interface MissingScopeProps {
  readonly scope: Scope
  /** For a key. */
  readonly title: string
  readonly tone?: Tone
  /** Announced by screen readers when it appears. */
  readonly live?: boolean
  /** For a key, after the scope that it lacks. */
  readonly children: ReactNode
}

/** `Approver`, `Reviewer or approver`. */
const roleChoice = (roles: readonly Role[]): string =>
  roles.map((role, place) => (place === 0 ? roleLabels[role] : roleLabels[role].toLowerCase())).join(' or ')

function personText(scope: Scope, roles: readonly Role[]): string {
  const own = roles.length === 0 ? '' : `Your roles: ${roleList(roles)}. `
  const needed = rolesWith[scope]
  if (needed === undefined) return `${own}Ask an admin for a role that allows it.`
  return needed.some((role) => roles.includes(role))
    ? `${own}In a sandbox nobody may do this, whatever the role.`
    : `${own}This needs the role ${roleChoice(needed)}: ask an admin for it.`
}

export function MissingScope({ scope, title, tone = 'degraded', live = false, children }: MissingScopeProps) {
  const { person } = useSession()
  const roles = useMe()?.roles ?? []
  if (person !== null) {
    return (
      <Notice tone={tone} title="Your role does not allow this" live={live}>
        <p>{personText(scope, roles)}</p>
      </Notice>
    )
  }
  return (
    <Notice tone={tone} title={title} live={live}>
      {children}
    </Notice>
  )
}

/** A key without the scope of a whole page. */
export function MissingPageScope({
  scope,
  title,
  tone = 'degraded',
  live = false,
}: Pick<MissingScopeProps, 'scope' | 'title' | 'tone' | 'live'>) {
  return (
    <MissingScope scope={scope} title={title} tone={tone} live={live}>
      <p>
        It lacks the scope <code>{scope}</code>. Sign in with a key that has it, or ask the operator for one.
      </p>
      <LinkButton href="/sign-in" small icon="key">
        Sign in with another key
      </LinkButton>
    </MissingScope>
  )
}

/** The error of a request; a missing scope is named. */
export function ScopeProblem({
  error,
  scope,
  title,
  onRetry,
}: {
  readonly error: FairwayError
  readonly scope: Scope
  /** For a key without the scope. */
  readonly title: string
  readonly onRetry: () => void
}) {
  if (!(error instanceof PermissionError)) return <Problem error={error} onRetry={onRetry} />
  return <MissingPageScope scope={scope} title={title} live />
}
