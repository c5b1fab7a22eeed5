/** Labels of the console: every reason code, hold, event, follower, role and problem of a sign-in has one. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeLabel, holdReasonLabel } from '../../console/src/labels.ts'
import { reasonMeaning } from '../../console/src/pages/batch/reasons.ts'
import { actGroups, actSentences } from '../../console/src/pages/admin-activity/acts.ts'
import { problems } from '../../console/src/pages/sign-in/problems.ts'
import { followers } from '../../console/src/pages/status/labels.ts'
import { defaultEvents, eventChoices, eventLabels } from '../../console/src/pages/webhooks/labels.ts'
import { roleMeanings, rolesWith, scopeMeanings } from '../../console/src/people/roles.ts'
import { browserName } from '../../console/src/people/user-agent.ts'
import { signInProblems } from '../../src/app/people/provider-accounts.ts'
import type { FollowerName } from '../../src/app/ports/journal.ts'
import type { ActKind } from '../../src/app/ports/records.ts'
import { reasonCodes } from '../../src/core/decision/reasons.ts'
import { defaultKinds, eventKinds, subscribableKinds } from '../../src/core/events/event.ts'
import { scopes } from '../../src/core/identity/api-key.ts'
import { roles, roleSummaries, scopesOfRole } from '../../src/core/identity/roles.ts'
import { statusOf } from '../../src/http/errors.ts'

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

test('every error that holds a request to verify has words', () => {
  // Verify asks for no captcha.
  const held = Object.entries(statusOf).filter(
    ([code, status]) => status === 503 && code !== 'CAPTCHA_UNAVAILABLE',
  )
  assert.ok(held.length > 0)
  assert.deepEqual(
    held.filter(([code]) => holdReasonLabel(code) === code),
    [],
  )
})

test('every event has a label; a live key can choose each, a test key all but those of live corridors', () => {
  const offered = (mode: 'live' | 'shadow') => eventChoices(mode).map(([event]) => event)
  assert.deepEqual(Object.keys(eventLabels).toSorted(), eventKinds.toSorted())
  assert.deepEqual(offered('live').toSorted(), subscribableKinds.toSorted())
  assert.deepEqual(
    offered('shadow'),
    offered('live').filter((event) => event !== 'corridor.status.changed'),
  )
  assert.deepEqual(defaultEvents, defaultKinds)
})

/** The compiler refuses a list that lacks one. */
const everyFollower = {
  totals: true,
  webhooks: true,
  policies: true,
  calibration: true,
  events: true,
  stream: true,
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

test('every kind of act has a sentence and a group to filter by', () => {
  // The compiler requires all of them.
  const kinds: Readonly<Record<ActKind, true>> = {
    'key.created': true,
    'key.revoked': true,
    'key.rotated': true,
    'access.decided': true,
    'cip.transitioned': true,
    'feeds.reloaded': true,
    'feeds.checked': true,
    'report.deleted': true,
    'corridor.status_changed': true,
    'policy.created': true,
    'policy.candidate': true,
    'policy.promoted': true,
    'policy.rolled_back': true,
    'person.invited': true,
    'person.reset': true,
    'person.joined': true,
    'person.changed': true,
    'person.sessions_ended': true,
    'person.removed': true,
    'person.restored': true,
    'session.started': true,
    'webhook.registered': true,
    'webhook.removed': true,
    'webhook.secret_rotated': true,
    'webhook.tested': true,
    'webhook.event_resent': true,
    'webhook.events_resent': true,
    'webhook.suspended': true,
    'seal_key.moved': true,
    'month.dropped': true,
    'maintenance.started': true,
    'maintenance.ended': true,
    'seal_key.changed': true,
    'text.erased': true,
  }
  assert.deepEqual(Object.keys(actSentences).toSorted(), Object.keys(kinds).toSorted())
  const groups = new Set(Object.keys(kinds).map((kind) => kind.split('.')[0]))
  assert.deepEqual(new Set(actGroups.map(([group]) => group)), groups)
})
