/** The policies page: the policy in force, the candidate and all versions. */

import { useAddress } from '../../address.ts'
import { Keyed } from '../../keyed.tsx'
import { useSession } from '../../session.tsx'
import { useMay } from '../../caller.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton } from '../../ui/state.tsx'
import { InForce } from './in-force.tsx'
import { PolicyProblem } from './parts.tsx'
import { usePolicyPage, useTheOne } from './queries.ts'
import { statusIn, Versions } from './versions.tsx'

const pageLength = 25

function Policies() {
  const { installation } = useSession()
  const [params] = useAddress()
  const status = statusIn(params)
  const cursor = params.get('cursor')
  const versions = usePolicyPage(status, cursor, pageLength)
  const active = useTheOne('active')
  const candidate = useTheOne('candidate')
  const { data, error, mutate } = versions
  if (data === undefined) {
    return error === undefined ? (
      <Skeleton height={420} label="Loading policies" />
    ) : (
      <PolicyProblem error={error} onRetry={() => void mutate()} />
    )
  }
  if (data.policies.length === 0 && status === null && cursor === null) {
    return (
      <Card>
        <Empty icon="policy" title="No policies yet">
          A policy tightens decisions: caps, floors and rules of your own. Try it on past decisions, then let
          another {installation === null ? 'key or person' : 'admin'} promote it.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      <InForce active={active} candidate={candidate} />
      <Versions query={versions} />
    </>
  )
}

function NewPolicy() {
  if (!useMay('policy:write')) return null
  return (
    <LinkButton href="/policies/new" variant="primary" icon="policy">
      New policy
    </LinkButton>
  )
}

const leads = {
  owner:
    'Your own rules, on top of the contract. A policy only tightens, and never changes: a change is a new version that another key or person promotes.',
  installation:
    'Rules for every owner, on top of the contract and beside the owner’s own. A change is a new version that another admin promotes.',
} as const

export default function PoliciesPage() {
  const { client, installation } = useSession()
  return (
    <Page
      title={installation === null ? 'Policies' : 'Policies of the installation'}
      lead={leads[installation === null ? 'owner' : 'installation']}
      actions={client !== null && <NewPolicy />}
    >
      <Keyed what="your policies">
        <Policies />
      </Keyed>
    </Page>
  )
}
