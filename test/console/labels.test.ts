/** Labels of the console: every reason code, follower, role and problem of a sign-in has one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLabel } from '../../console/src/labels.ts'
import { reasonMeaning } from '../../console/src/pages/batch/reasons.ts'
import { problems } from '../../console/src/pages/sign-in/problems.ts'
import { followers } from '../../console/src/pages/status/labels.ts'
import { roleMeanings, rolesWith, scopeMeanings } from '../../console/src/people/roles.ts'
import { browserName } from '../../console/src/people/user-agent.ts'
import { signInProblems } from '../../src/app/people/provider-accounts.ts'
import type { FollowerName } from '../../src/app/ports/journal.ts'
import { reasonCodes } from '../../src/core/decision/reasons.ts'
import { scopes } from '../../src/core/identity/api-key.ts'
import { roles, roleSummaries, scopesOfRole } from '../../src/core/identity/roles.ts'

test('a score below the GO floor has a label that names GO', () => {
  assert.equal(codeLabel('BELOW_GO_THRESHOLD'), 'Below GO threshold')
  assert.equal(codeLabel('HIGH_FX_VOLATILITY'), 'High FX volatility')
})

test('every reason code has a meaning', () => {
  assert.deepEqual(
    reasonCodes.filter((code) => reasonMeaning(code) === ''),
    [],
  )
})

/** The compiler refuses a list that lacks one. */
const everyFollower = {
  totals: true,
  webhooks: true,
  policies: true,
  calibration: true,
  reviews: true,
  log: true,
} satisfies Record<FollowerName, true>

test('every follower has a label on the status page', () => {
  assert.deepEqual(Object.keys(followers).toSorted(), Object.keys(everyFollower).toSorted())
})

test('the console says of each role what the table of roles says', () => {
  assert.deepEqual(roleMeanings, roleSummaries)
  assert.deepEqual(Object.keys(scopeMeanings).toSorted(), [...scopes].toSorted())
  const named = scopes.map((scope) => roles.filter((role) => scopesOfRole[role].includes(scope)))
  assert.deepEqual(
    Object.fromEntries(scopes.map((scope) => [scope, rolesWith[scope] ?? [...roles]])),
    Object.fromEntries(scopes.map((scope, place) => [scope, named[place]])),
  )
})

test('every problem of a sign-in at the identity provider has words', () => {
  assert.deepEqual(Object.keys(problems).toSorted(), [...signInProblems].toSorted())
})

test('a session is named by its browser and system; an unknown text stays as it is', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const [text, name] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/139.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/139.0 Safari/537.36 Edg/139.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/142.0', 'Firefox on macOS'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Safari/604.1`, 'Safari on iPhone'],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/139.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['', 'Unknown browser'],
  ] as const)
    assert.equal(browserName(text), name)
})
