/** The settings of this tab's key: owner, environment, scopes, rate limits and expiry. */

import type { OrganisationSettings } from '@fairway/client'
import { QueryResult } from '../../query-result.tsx'
import { useSettings } from '../../caller.ts'
import { formatCount, formatWait } from '../../format.ts'
import { useSignOut } from '../../people/sign-out.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, figures, Pairs } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

const refreshMs = 15_000

const limitText = ({
  requests,
  window_seconds: seconds,
}: OrganisationSettings['rate_limits']['verify']): string =>
  `${formatCount(requests)} per ${formatWait(seconds)}`

function KeyFacts({ settings: { organisation, key, usage } }: { readonly settings: OrganisationSettings }) {
  const environment = (
    <Chip tone={key.environment === 'production' ? 'degraded' : 'info'}>{key.environment}</Chip>
  )
  const id = <code>{key.key_id}</code>
  const created = <Time at={key.created_at} seconds={false} />
  const expires = key.expires_at === null ? 'Never' : <Time at={key.expires_at} seconds={false} />
  return (
    <Card title={<span className="anywhere">{organisation}</span>} isPrimary>
      <Pairs
        of={[
          ['Environment', environment],
          ['Key', id],
          ['Created', created],
          ['Expires', expires],
          ['Recorded decisions', figures(formatCount(usage.verifications_this_key))],
        ]}
      />
    </Card>
  )
}

function Settings({ settings }: { readonly settings: OrganisationSettings }) {
  const { rate_limits: limits, audit_users: roles } = settings
  return (
    <div className="columns">
      <div className="stack">
        <KeyFacts settings={settings} />
        <Card title="Rate limits">
          <Pairs
            of={[
              ['Verifications', limitText(limits.verify)],
              ['Batches', limitText(limits.batch)],
              ['Other requests', limitText(limits.other)],
            ]}
          />
        </Card>
      </div>
      <Card title="Scopes">
        <ul className="key-scopes">
          {roles.map(({ scope, description, granted }) => (
            <li key={scope}>
              <Icon name={granted ? 'check' : 'stop'} />
              <span>
                <code>{scope}</code> {granted ? 'granted' : 'not granted'}
                <br />
                <span className="small soft">{description}</span>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

export function YourKey() {
  const { signOut } = useSignOut()
  const query = useSettings({ refreshMs })
  return (
    <>
      <QueryResult query={query}>{(settings) => <Settings settings={settings} />}</QueryResult>
      <div className="row">
        <LinkButton href="/overview" variant="primary" icon="chart">
          Open overview
        </LinkButton>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </>
  )
}
