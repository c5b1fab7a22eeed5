/** Sign in: with a key that one has, or with a sandbox key that is asked for here. Signed in: what the key is. */

import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { RefusedNotice } from '../../keyed.tsx'
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
  ['list', 'Decisions are recorded under it, once and for ever, and only you can read them.'],
  ['chart', 'It opens your overview, your history, batches, partners and webhooks.'],
  [
    'key',
    'It is kept in this tab until you close it or sign out; if you duplicate the tab, the copy has it too. It is never in an address, and sent to this server alone.',
  ],
]

function WhatFor() {
  return (
    <Card title="What a key is for">
      <ul className="key-uses">
        {uses.map(([icon, words]) => (
          <li key={icon}>
            <Icon name={icon} />
            {words}
          </li>
        ))}
      </ul>
      <p className="soft">
        A sandbox key comes at once, below. Test and live keys are issued by whoever runs this server.
      </p>
    </Card>
  )
}

/** Native jumps know nothing of a page that came by a script. */
function useAnchor(): void {
  useEffect(() => {
    if (window.location.hash === '#get-a-key') document.getElementById('get-a-key')?.scrollIntoView()
  }, [])
}

function SignedOut() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const { refused } = useSession()
  /** Whose key ended on this page goes on with this page. */
  const [wasHere] = useState(refused)
  useAnchor()
  const goOn = (): void => {
    if (!wasHere) navigate(destinationIn(search))
  }
  return (
    <>
      {refused && <RefusedNotice />}
      <div className="columns key-columns">
        <Card title="With your key">
          <SignInForm onDone={goOn} getKeyHref="#get-a-key" />
        </Card>
        <WhatFor />
      </div>
      <GetAKey onUse={goOn} />
    </>
  )
}

export default function SignInPage() {
  const { client } = useSession()
  return client === null ? (
    <Page title="Sign in" lead="An API key is all it takes: there are no accounts and no passwords.">
      <SignedOut />
    </Page>
  ) : (
    <Page
      title="Your key"
      lead="This tab is signed in, until you close it or sign out. A duplicate of it has the key too."
    >
      <YourKey />
    </Page>
  )
}
