/** Words for roles and scopes. The server decides what a role may do; a test compares its table with this one. */

import type { Me } from '@fairway/client'

export type Role = Me['roles'][number]
export type Scope = Me['scopes'][number]

export const roleLabels: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  reviewer: 'Reviewer',
  approver: 'Approver',
  policy_author: 'Policy author',
  admin: 'Admin',
}

export const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Reads decisions, evidence, reviews and policies; tries payments in shadow mode.',
  reviewer: 'Also claims reviews, comments on them and proposes; reports how payments ended.',
  approver: 'Also approves what others proposed in reviews, and policies that others wrote.',
  policy_author: 'Also writes policies and tests them.',
  admin:
    'Also manages webhooks; without an owner, administers the installation (keys, access, people, feeds, its policies) and serves every owner.',
}

export const scopeMeanings: Readonly<Record<Scope, string>> = {
  'decision:read': 'Verify payments, and read decisions, explanations, history and corridor health.',
  'audit:read': 'Read audit records and export their evidence.',
  'override:create': 'Override a DEGRADED or NO-GO decision, with a justification.',
  'webhook:manage': 'Register and remove webhooks, and rotate their secrets.',
  'outcome:write': 'Report how payments ended.',
  'policy:read': 'Read policies and their versions.',
  'policy:write': 'Write policies and test them.',
  'policy:approve': 'Approve the policy changes of others.',
  'review:read': 'Read reviews and their history.',
  'review:write': 'Claim reviews, comment on them and propose.',
  'review:approve': 'Approve or reject what others proposed in reviews.',
}

/** The roles that have a scope which not every role has. */
export const rolesWith: Readonly<Partial<Record<Scope, readonly Role[]>>> = {
  'outcome:write': ['reviewer', 'approver'],
  'override:create': [],
  'policy:write': ['policy_author'],
  'policy:approve': ['approver'],
  'webhook:manage': ['admin'],
  'review:write': ['reviewer', 'approver'],
  'review:approve': ['approver'],
}

export const roleList = (roles: readonly Role[]): string => roles.map((role) => roleLabels[role]).join(', ')
