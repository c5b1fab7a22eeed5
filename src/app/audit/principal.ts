/** Checks the principal of an override or an outcome in a bundle: who is shown must be who the leaf names. */

import { isObject } from '../../core/reference/json.ts'

const sinceVersion = 7

/** The members that a principal adds in an export of this version. */
export const principalMembers = (version: number): number => (version < sinceVersion ? 0 : 3)

/** `shown` is the member for readers. Only its name is not in the leaf. */
export function hasPrincipal(
  member: Readonly<Record<string, unknown>>,
  shown: 'created_by' | 'reported_by' | 'approved_by',
  version: number,
): boolean {
  if (version < sinceVersion) return true
  const { key_id: keyId, person_id: personId, principal_id: principalId, [shown]: view } = member
  const isText = (value: unknown): boolean => value === null || typeof value === 'string'
  if (personId !== null && principalId === null) return false
  if (!isObject(view) || typeof view['name'] !== 'string' || !isText(personId) || !isText(principalId))
    return false
  const expected =
    personId === null
      ? { kind: 'key', id: keyId, name: view['name'] }
      : { kind: 'person', id: personId, name: view['name'], session_id: keyId }
  const names = Object.keys(expected) as (keyof typeof expected)[]
  return Object.keys(view).length === names.length && names.every((name) => view[name] === expected[name])
}

const approvalNames = ['review_id', 'key_id', 'person_id', 'principal_id', 'approved_by']

const approvedSinceVersion = 8

/** The members that a principal and the approval of an override add in an export of this version. */
export const approvedMembers = (version: number): number =>
  principalMembers(version) + (version < approvedSinceVersion ? 0 : 1)

/** Null for an override without a review. */
export function hasApproval(approval: unknown, version: number): boolean {
  if (version < approvedSinceVersion || approval === null) return true
  return (
    isObject(approval) &&
    Object.keys(approval).length === approvalNames.length &&
    typeof approval['review_id'] === 'string' &&
    typeof approval['key_id'] === 'string' &&
    typeof approval['principal_id'] === 'string' &&
    hasPrincipal(approval, 'approved_by', version)
  )
}
