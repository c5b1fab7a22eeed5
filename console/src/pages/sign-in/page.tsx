/** The sign-in page: sign in with a key or request a sandbox key; when signed in, the key's settings. */

import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { KeyRejectedNotice } from '../../keyed.tsx'
import { useSession } from '../../session.tsx'
import { destinationIn } from '../../sign-in-href.ts'
import { SignInForm } from '../../sign-in-form.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { GetAKey } from './get-a-key.tsx'
import { YourKey } from './your-key.tsx'
import './sign-in.css'

const uses: readonly (readonly [IconName, string])[] = [
  ['list', 'It records decisions permanently, and only keys of the same owner can read them.'],
  ['chart', 'It gives access to your overview, verifications, batches, partners and webhooks.'],
  [
    'key',
    'It is stored in this tab until you close the tab or sign out; a duplicated tab has it too. It is never part of a URL, and is sent only to this server.',
  ],
]

function AboutKeys() {
  return (
    <Card title="About keys">
      <ul className="key-uses">
        {uses.map(([icon, text]) => (
          <li key={icon}>
            <Icon name={icon} />
            {text}
          </li>
        ))}
      </ul>
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
  const { keyRejected } = useSession()
  /** A key that was rejected on this page is replaced on this page. */
  const [wasHere] = useState(keyRejected)
  useAnchor()
  const leave = (): void => {
    if (!wasHere) navigate(destinationIn(search))
  }
  return (
    <>
      {keyRejected && <KeyRejectedNotice />}
      <div className="columns key-columns">
        <Card title="Your key">
          <SignInForm onDone={leave} getKeyHref="#get-a-key" />
        </Card>
        <AboutKeys />
      </div>
      <GetAKey onUse={leave} />
    </>
  )
}

export default function SignInPage() {
  const { client } = useSession()
  return client === null ? (
    <Page title="Sign in" lead="Sign in with an API key. There are no accounts or passwords.">
      <SignedOut />
    </Page>
  ) : (
    <Page
      title="Your key"
      lead="This tab is signed in until you close it or sign out. A duplicated tab has the key too."
    >
      <YourKey />
    </Page>
  )
}
