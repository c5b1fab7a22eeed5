/** The account of the person who is signed in: roles, scopes and sessions. */

import type { Me } from '@fairway/client'
import { RoleList } from '../../people/role-list.tsx'
import { scopeMeanings } from '../../people/roles.ts'
import { useSignOut } from '../../people/sign-out.ts'
import { Problem } from '../../problem.tsx'
import { useMe } from '../../caller.ts'
import { SignInForm } from '../../sign-in-form.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Sessions } from './sessions.tsx'

const methods = { provider: 'at the identity provider', password: 'with a password' } as const

function Facts({
  of: { name, email = '', owner_id: ownerId, owner_name: owner, session, id },
}: {
  readonly of: Me
}) {
  return (
    <Card title={<span className="anywhere">{name}</span>} isPrimary>
      <Pairs
        of={[
          ...(email === ''
            ? []
            : [
                [
                  'Email',
                  <span key="email" className="anywhere">
                    {email}
                  </span>,
                ] as const,
              ]),
          ['Owner', ownerId === null ? 'All owners of this installation' : (owner ?? ownerId)],
          ...(session === undefined
            ? []
            : [
                ['Signed in', methods[session.method]] as const,
                ['Until', <Time key="until" at={session.expires_at} seconds={false} />] as const,
              ]),
          ['Id', <code key="id">{id}</code>],
        ]}
      />
    </Card>
  )
}

function Roles({ of: { roles, scopes } }: { readonly of: Me }) {
  return (
    <Card title="Roles">
      <RoleList of={roles} />
      <details className="disclosure">
        <summary>{`Scopes (${scopes.length})`}</summary>
        <ul className="check-list">
          {scopes.map((scope) => (
            <li key={scope}>
              <Icon name="check" />
              <span>
                <code>{scope}</code>
                <span className="check-list-note">{scopeMeanings[scope]}</span>
              </span>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  )
}

/** A key in this tab counts before the session, such as to verify in live mode. */
function UseAKey() {
  return (
    <Card title="Use a key in this tab">
      <details className="disclosure">
        <summary>Sign in with an API key</summary>
        <SignInForm label="Sign in with key" isFirst={false} getKeyHref={null} />
      </details>
      <p className="small soft">This tab then acts with the key. Your other tabs stay signed in as you.</p>
    </Card>
  )
}

export function YourAccount({ person }: { readonly person: Me }) {
  const me = useMe() ?? person
  const { busy, error, signOut } = useSignOut()
  return (
    <>
      <div className="columns">
        <Facts of={me} />
        <Roles of={me} />
      </div>
      <Sessions />
      <UseAKey />
      {error !== null && <Problem error={error} />}
      <div className="row">
        <LinkButton href="/overview" variant="primary" icon="chart">
          Open overview
        </LinkButton>
        <Button busy={busy} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </>
  )
}
