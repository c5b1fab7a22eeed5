/** The sign-in page: the ways to sign in and a sandbox key; when signed in, the caller's own account or key. */

import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { EndedNotice, PendingSession } from '../../keyed.tsx'
import { PeopleWays, useHasPeople } from '../../people/ways.tsx'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { destinationIn } from '../../sign-in-href.ts'
import { SignInForm } from '../../sign-in-form.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { GetAKey } from './get-a-key.tsx'
import { SignInProblem } from './sign-in-problem.tsx'
import { YourAccount } from './your-account.tsx'
import { YourKey } from './your-key.tsx'
import './sign-in.css'

const uses: readonly (readonly [IconName, string])[] = [
  ['list', 'It records decisions permanently, and only its owner can read them.'],
  ['chart', 'It gives access to your overview, verifications, batches, partners and webhooks.'],
  [
    'key',
    'It is stored in this tab until you close the tab or sign out; a duplicated tab has it too. It is never part of a URL, and is sent only to this server.',
  ],
]

function KeyUses() {
  return (
    <ul className="key-uses">
      {uses.map(([icon, text]) => (
        <li key={icon}>
          <Icon name={icon} />
          {text}
        </li>
      ))}
    </ul>
  )
}

function AboutKeys() {
  return (
    <Card title="About keys">
      <KeyUses />
      <p className="soft">
        Get a sandbox key at once with the form below. Ask the operator of this server for a test or live key.
      </p>
    </Card>
  )
}

/** Scrolls to the anchor: the browser does not, because the page renders after the load. */
function useAnchor(): void {
  useEffect(() => {
    if (window.location.hash === '#get-a-key') document.getElementById('get-a-key')?.scrollIntoView()
  }, [])
}

function SignedOut() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { ended, problem, askAgain } = useSession()
  const hasPeople = useHasPeople()
  /** A caller who was rejected on this page signs in again on this page. */
  const [wasHere] = useState(ended !== null)
  useAnchor()
  const leave = (): void => {
    if (!wasHere) navigate(destinationIn(search))
  }
  return (
    <>
      <SignInProblem />
      <EndedNotice />
      {problem !== null && <Problem error={problem} onRetry={askAgain} />}
      <div className="columns key-columns">
        {hasPeople && (
          <Card
            isPrimary
            title="Your account"
            note="For people: everything that you do is recorded with your name."
          >
            <PeopleWays from={destinationIn(search)} onDone={leave} />
          </Card>
        )}
        <Card title="Your key" isPrimary={!hasPeople}>
          <SignInForm
            onDone={leave}
            getKeyHref="#get-a-key"
            {...(hasPeople && { label: 'Sign in with key', isFirst: false })}
          />
          {hasPeople && <KeyUses />}
        </Card>
        {!hasPeople && <AboutKeys />}
      </div>
      <GetAKey onUse={leave} />
    </>
  )
}

const leads = {
  people: 'Sign in as a person, or with an API key.',
  keys: 'Sign in with an API key. This server has no identity provider and no local accounts.',
} as const

export default function SignInPage() {
  const { ownClient, person, isPending } = useSession()
  const hasPeople = useHasPeople()
  if (person !== null) {
    return (
      <Page
        title="Your account"
        lead="This browser is signed in, in every tab, until you sign out or the session expires."
      >
        <SignInProblem />
        <YourAccount person={person} />
      </Page>
    )
  }
  if (ownClient !== null) {
    return (
      <Page
        title="Your key"
        lead="This tab is signed in until you close it or sign out. A duplicated tab has the key too."
      >
        <YourKey />
      </Page>
    )
  }
  return (
    <Page
      title="Sign in"
      hasTimes={false}
      {...(!isPending && { lead: hasPeople ? leads.people : leads.keys })}
    >
      {isPending ? <PendingSession /> : <SignedOut />}
    </Page>
  )
}
