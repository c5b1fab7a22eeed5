/** The roles of people, and the one table of what each may do. */

import { scopes, type Scope } from './api-key.ts'

export const roles = ['viewer', 'reviewer', 'approver', 'policy_author', 'admin'] as const

export type Role = (typeof roles)[number]

/** A person who serves the whole installation. */
export const isInstallationAdmin = (person: {
  readonly ownerId: string | null
  readonly roles: readonly Role[]
}): boolean => person.ownerId === null && person.roles.includes('admin')

/** Every role may look, and try a payment in shadow mode. */
const looks: readonly Scope[] = ['decision:read', 'audit:read', 'policy:read', 'review:read']

/**
 * No role overrides directly: people go through the review. An admin administers and does not approve: one person may have both roles, if the operator says so. Routes for admins
 * alone, as the list of owners, ask for the role itself, which no key has.
 */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: looks,
  reviewer: [...looks, 'outcome:write', 'review:write'],
  approver: [...looks, 'outcome:write', 'review:write', 'review:approve', 'policy:approve'],
  policy_author: [...looks, 'policy:write'],
  admin: [...looks, 'webhook:manage'],
}

export const roleSummaries: Readonly<Record<Role, string>> = {
  viewer: 'Reads decisions, evidence, reviews and policies; tries payments in shadow mode.',
  reviewer: 'Also claims reviews, comments on them and proposes; reports how payments ended.',
  approver: 'Also approves what others proposed in reviews, and policies that others wrote.',
  policy_author: 'Also writes policies and tests them.',
  admin:
    'Also manages webhooks; without an owner, administers the installation (keys, access, people, feeds, its policies) and serves every owner.',
}

export function allowsRole(held: readonly Role[], needed: Scope): boolean {
  return held.some((role) => scopesOfRole[role].includes(needed))
}

export const scopesOfRoles = (held: readonly Role[]): Scope[] =>
  scopes.filter((scope) => allowsRole(held, scope))

/** The roles of these that exist, each once, in the order of the table. */
export function knownRoles(names: readonly unknown[]): Role[] {
  return roles.filter((role) => names.includes(role))
}
