/** Why a sign-in at the identity provider failed, from the address that the server redirected to. */

import { useSearch } from 'wouter'
import { Notice } from '../../ui/state.tsx'
import { problems } from './problems.ts'

/** Nothing if the address names no problem. */
export function SignInProblem() {
  const code = new URLSearchParams(useSearch()).get('problem')
  const found =
    code !== null && Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : null
  if (found === null) return null
  return (
    <Notice tone="nogo" title={found.title} live>
      <p>{found.todo}</p>
    </Notice>
  )
}
