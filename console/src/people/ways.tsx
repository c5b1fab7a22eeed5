/** The ways to sign in that this installation offers: its identity provider, a local account, a key. */

import type { ReactNode } from 'react'
import { useSession } from '../session.tsx'
import { SignInForm } from '../sign-in-form.tsx'
import { Icon } from '../ui/icon.tsx'
import { PasswordForm } from './password-form.tsx'

interface WaysProps {
  /** The page to open after a sign-in at the provider, which leaves this one. */
  readonly from: string
  /** Called after any other sign-in. */
  readonly onDone?: () => void
}

/** Leaves the console for the provider: a plain link, which the server redirects. */
function ProviderLink({ host, from }: { readonly host: string; readonly from: string }) {
  return (
    <a
      className="button button-primary sign-in-provider"
      data-sign-in
      href={`/auth/login?${new URLSearchParams({ from }).toString()}`}
    >
      <Icon name="user" size={16} />
      <span className="anywhere">Sign in with {host}</span>
    </a>
  )
}

function Or({ children }: { readonly children: ReactNode }) {
  return <p className="sign-in-or">{children}</p>
}

/** Whether people can sign in here, by any way. */
export function useHasPeople(): boolean {
  const { provider, password } = useSession().ways
  return provider !== null || password
}

/** The ways of people: nothing if there are none. */
export function PeopleWays({ from, onDone }: WaysProps) {
  const { provider, password } = useSession().ways
  return (
    <>
      {provider !== null && <ProviderLink host={provider} from={from} />}
      {provider !== null && password && <Or>or with a local account</Or>}
      {password && <PasswordForm {...(onDone !== undefined && { onDone })} />}
    </>
  )
}

/** All ways, for a page that asks to sign in in its place: the key is behind a click where people sign in. */
export function AllWays({ from }: { readonly from: string }) {
  const hasPeople = useHasPeople()
  if (!hasPeople) return <SignInForm />
  return (
    <div className="stack">
      <PeopleWays from={from} />
      <details className="disclosure">
        <summary>Sign in with an API key</summary>
        <SignInForm label="Sign in with key" isFirst={false} />
      </details>
    </div>
  )
}
