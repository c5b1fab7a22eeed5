/** Labels for the statuses and changes of policies. */

import type { Policy } from '@fairway/client'
import type { IconName } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/verdict.tsx'

export type PolicyStatus = Policy['status']
export type PolicyChange = Policy['changes'][number]

interface Look {
  readonly label: string
  readonly meaning: string
  readonly tone?: Tone
  readonly icon?: IconName
}

export const statuses: Readonly<Record<PolicyStatus, Look>> = {
  active: { label: 'Active', meaning: 'In force: it decides.', tone: 'go', icon: 'check' },
  candidate: {
    label: 'Candidate',
    meaning: 'Evaluated beside the policy in force on every new decision, which it does not change.',
    tone: 'info',
    icon: 'clock',
  },
  draft: { label: 'Draft', meaning: 'Decides nothing.' },
  retired: { label: 'Retired', meaning: 'Was in force before.' },
}

export const changes: Readonly<Record<PolicyChange['kind'], string>> = {
  candidate: 'Made candidate',
  promoted: 'Promoted',
  rolled_back: 'Rolled back',
}

export const policyHref = (id: string): string => `/policies/${encodeURIComponent(id)}`
export const newVersionHref = (id: string): string =>
  `/policies/new?${new URLSearchParams({ from: id }).toString()}`
