/** What the key of this tab is: whose, for what, how often, until when. */

import type { OrganisationSettings } from '@fairway/client'
import { Answered } from '../../answer.tsx'
import { useAsk } from '../../ask.ts'
import { formatCount, formatWait } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, figures, Pairs } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

const refreshMs = 15_000

const limitWords = ({
  requests,
  window_seconds: seconds,
}: OrganisationSettings['rate_limits']['verify']): string =>
  `${formatCount(requests)} in ${formatWait(seconds)}`

function Whose({ settings: { organisation, key, usage } }: { readonly settings: OrganisationSettings }) {
  const environment = (
    <Chip tone={key.environment === 'production' ? 'degraded' : 'info'}>{key.environment}</Chip>
  )
  const id = <code>{key.key_id}</code>
  const made = <Time at={key.created_at} seconds={false} />
  const ends = key.expires_at === null ? 'When it is revoked' : <Time at={key.expires_at} seconds={false} />
  return (
    <Card title={<span className="anywhere">{organisation}</span>}>
      <Pairs
        of={[
          ['Environment', environment],
          ['Key', id],
          ['Made', made],
          ['Ends', ends],
          ['Recorded', figures(formatCount(usage.verifications_this_key))],
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
        <Whose settings={settings} />
        <Card title="How often">
          <Pairs
            of={[
              ['Verifications', limitWords(limits.verify)],
              ['Batches', limitWords(limits.batch)],
              ['All else', limitWords(limits.other)],
            ]}
          />
        </Card>
      </div>
      <Card title="What it may do">
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
  const { signOut } = useSession()
  const asked = useAsk(['settings'], (client) => client.organisationSettings(), { everyMs: refreshMs })
  return (
    <>
      <Answered asked={asked}>{(settings) => <Settings settings={settings} />}</Answered>
      <div className="row">
        <LinkButton href="/overview" look="primary" icon="chart">
          Go to the overview
        </LinkButton>
        <Button onClick={signOut}>Sign out</Button>
      </div>
    </>
  )
}
