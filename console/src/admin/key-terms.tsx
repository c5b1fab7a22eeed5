/** The terms of a key in a form: its scopes, in words and by group, and its limit on verify. */

import { useState } from 'react'
import { rolesWith, scopeMeanings, type Role, type Scope } from '../people/roles.ts'
import { errorOf } from '../problem.tsx'
import { useSession } from '../session.tsx'
import { Checks } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'

const groups: readonly (readonly [name: string, scopes: readonly Scope[]])[] = [
  ['Decisions', ['decision:read', 'audit:read', 'override:create', 'outcome:write']],
  ['Reviews', ['review:read', 'review:write', 'review:approve']],
  ['Policies', ['policy:read', 'policy:write', 'policy:approve']],
  ['Integration', ['webhook:manage']],
]

const hasScope = (roles: readonly Role[], scope: Scope): boolean =>
  rolesWith[scope]?.some((role) => roles.includes(role)) ?? true

interface KeyTerms {
  readonly hasAll: boolean
  readonly scopes: readonly Scope[]
  readonly count: string
  readonly seconds: string
}

const initial: KeyTerms = { hasAll: true, scopes: [], count: '', seconds: '60' }

export function useKeyTerms() {
  const [terms, setTerms] = useState(initial)
  const [hasTried, setTried] = useState(false)
  const isMissing = !terms.hasAll && terms.scopes.length === 0
  return {
    terms,
    setTerms,
    error: hasTried && isMissing ? 'Choose at least one scope.' : undefined,
    clear: () => {
      setTerms(initial)
      setTried(false)
    },
    /** The members of the request; null if something is missing, which the form then says. */
    request: (): { scopes?: Scope[]; limit_verify?: string } | null => {
      setTried(true)
      if (isMissing) return null
      const { hasAll, scopes, count, seconds } = terms
      return {
        ...(!hasAll && { scopes: [...scopes] }),
        ...(count.trim() !== '' && { limit_verify: `${count.trim()}/${seconds.trim()}` }),
      }
    },
  }
}

type Terms = ReturnType<typeof useKeyTerms>

export function ScopeFields({ of: { terms, setTerms, error } }: { readonly of: Terms }) {
  const { person } = useSession()
  const mine = (scopes: readonly Scope[]) => scopes.filter((scope) => hasScope(person?.roles ?? [], scope))
  return (
    <fieldset className="terms">
      <legend>Scopes</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={terms.hasAll}
          onChange={({ target }) => setTerms({ ...terms, hasAll: target.checked })}
        />
        <span>All scopes of your roles</span>
      </label>
      {!terms.hasAll && (
        <div className="scope-groups">
          {groups.map(([name, scopes]) => (
            <Checks
              key={name}
              label={name}
              options={mine(scopes).map(
                (scope) =>
                  [
                    scope,
                    <span key={scope}>
                      {scopeMeanings[scope]} <code className="small soft">{scope}</code>
                    </span>,
                  ] as const,
              )}
              value={terms.scopes}
              error={undefined}
              onChange={(chosen) => setTerms({ ...terms, scopes: chosen })}
            />
          ))}
        </div>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warn" size={16} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}

export function LimitFields({ of: { terms, setTerms }, fault }: { readonly of: Terms; fault: unknown }) {
  const isWrong = errorOf(fault, '/limit_verify') !== undefined
  const error = isWrong ? 'Enter whole numbers from 1, such as 100 requests in 60 seconds.' : undefined
  const number = (name: 'count' | 'seconds', label: string) => (
    <input
      className="input"
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      aria-invalid={error === undefined ? undefined : true}
      placeholder={name === 'count' ? 'As the service' : ''}
      value={terms[name]}
      onChange={({ target }) => setTerms({ ...terms, [name]: target.value })}
    />
  )
  return (
    <fieldset className="terms">
      <legend>Limit on verify</legend>
      <div className="limit-fields">
        {number('count', 'Requests')}
        <span>requests in</span>
        {number('seconds', 'Seconds')}
        <span>seconds</span>
      </div>
      <p className="field-hint">Leave the requests empty for the limit of the service.</p>
      {error !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warn" size={16} />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}

/** `All`, `3 of 11`. */
export const scopeCount = (scopes: readonly Scope[]): string =>
  scopes.length === 0 ? 'All' : `${scopes.length} of ${Object.keys(scopeMeanings).length}`

/** `100 / 60 s`. */
export const limitText = (limit: string): string => `${limit.replace('/', ' / ')} s`

/** A key that a person issues is that person. */
export const actsAsYou =
  'The key acts as you, and may do what your roles allow: what you propose it cannot approve, and what it proposes you cannot. It is no second pair of eyes.'
