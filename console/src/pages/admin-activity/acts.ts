/** Acts in plain words: what was done, about what, and the page of it. A kind without words is shown as it is. */

import type { Activity } from '@fairway/client'

/** One sentence for each kind. A test compares the kinds with those that the server records. */
export const actSentences: Readonly<Record<string, string>> = {
  'key.created': 'Issued a key',
  'key.revoked': 'Revoked a key',
  'key.rotated': 'Rotated a key',
  'access.decided': 'Decided an access request',
  'cip.transitioned': 'Changed the stage of the corridor platform',
  'feeds.reloaded': 'Read the feeds file again',
  'feeds.checked': 'Checked live feeds',
  'report.deleted': 'Deleted a kept report',
  'corridor.status_changed': 'Saw a change of status',
  'policy.created': 'Wrote a policy',
  'policy.candidate': 'Made a policy the candidate',
  'policy.promoted': 'Put a policy in force',
  'policy.rolled_back': 'Rolled a policy back',
  'person.invited': 'Invited a person',
  'person.reset': 'Made a new link for a person',
  'person.joined': 'Joined',
  'person.changed': 'Changed the roles of a person',
  'person.sessions_ended': 'Ended the sessions of a person',
  'person.removed': 'Removed a person',
  'person.restored': 'Restored a person',
  'session.started': 'Signed in',
  'webhook.registered': 'Registered a webhook',
  'webhook.removed': 'Removed a webhook',
  'webhook.secret_rotated': 'Rotated the secret of a webhook',
  'webhook.tested': 'Sent a test event',
  'webhook.event_resent': 'Sent an event again',
  'webhook.events_resent': 'Sent failed events again',
  'webhook.suspended': 'Suspended a webhook',
  'seal_key.moved': 'Moved the installation’s key',
  'month.dropped': 'Dropped an archived month',
  'maintenance.started': 'Started a maintenance job',
  'maintenance.ended': 'A maintenance job ended',
  'seal_key.changed': 'Changed the installation’s key',
  'text.erased': 'Erased personal texts',
}

/** `Approved an access request` says more than that it was decided. */
export function actSentence({ kind, detail }: Pick<Activity, 'kind' | 'detail'>): string {
  if (kind === 'access.decided' && detail['status'] === 'approved') return 'Approved an access request'
  if (kind === 'access.decided' && detail['status'] === 'rejected') return 'Rejected an access request'
  return actSentences[kind] ?? kind
}

export const actGroups = [
  ['key', 'Keys'],
  ['access', 'Access requests'],
  ['person', 'People'],
  ['session', 'Sign-ins'],
  ['policy', 'Policies'],
  ['webhook', 'Webhooks'],
  ['feeds', 'Feeds'],
  ['report', 'Kept reports'],
  ['corridor', 'Corridor status'],
  ['cip', 'Corridor platform'],
  ['seal_key', 'Installation key'],
  ['text', 'Erasures'],
  ['month', 'Months'],
  ['maintenance', 'Maintenance'],
] as const

const pageOf: Readonly<Record<string, (id: string) => string>> = {
  key: (id) => `/admin/keys?q=${id}`,
  acr: (id) => `/admin/access?q=${id}`,
  prs: (id) => `/admin/people?q=${id}`,
  pol: (id) => `/policies/${id}`,
  whk: (id) => `/webhooks/${id}`,
  job: (id) => `/admin/maintenance?job=${id}`,
}

/** The page of an id or a corridor; null if it has none. */
export function hrefOf(id: string): string | null {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]+$/.exec(id) ?? []
  if (Object.hasOwn(pageOf, prefix)) return pageOf[prefix]?.(id) ?? null
  return /^[A-Z]{2}-[A-Z]{2}$/.test(id) ? `/corridors/${id}` : null
}

const yesOrNo: ReadonlySet<string> = new Set(['four_eyes', 'revokes_sandbox', 'intact', 'cleaned', 'dry_run'])

/** `owner_id: null` of a policy is the installation's; other members without a value say nothing. */
export function detailPairs(detail: Activity['detail']): readonly (readonly [name: string, value: string])[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (name === 'owner_id' && value === null) return [[name, 'installation'] as const]
    if (value === null || value === '') return name === 'scopes' ? [[name, 'all'] as const] : []
    const isTime = name.endsWith('_at_ms') && typeof value === 'number'
    if (isTime) return [[name.slice(0, -3), new Date(value).toISOString()] as const]
    if (yesOrNo.has(name)) return [[name, value === 1 ? 'yes' : 'no'] as const]
    return [[name, String(value)] as const]
  })
}

export const detailName = (name: string): string => name.replaceAll('_', ' ')
