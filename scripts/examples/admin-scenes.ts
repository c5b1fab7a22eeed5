/** The example requests of the administration: keys, access requests, people, feeds, webhooks and activity. */

import { becomeAdmin, asPerson, noKey } from './people-scenes.ts'
import { idOf, type Scene } from './scenes.ts'
import { register } from '../../test/helpers/webhooks.ts'
import { post } from '../../test/helpers/post.ts'
import type { Stage } from './stage.ts'

/** Every scene is sent by an admin of the installation. */
const byAdmin = (scene: Scene): Scene => ({ ...scene, headers: asPerson, key: noKey })

const form = {
  name: 'Payments team',
  email: 'payments@example.com',
  reason: 'We pay suppliers in Lagos.',
  recaptcha_token: '03AFcWeA…',
}

/** One more access request. */
async function askForAccess(stage: Stage, email: string): Promise<void> {
  const { body } = await post(stage, '/api/v1/request-access', { ...form, email })
  stage.ids['request'] = String(body.access_request_id)
}

const key = (ids: Stage['ids']) => ({ key_id: idOf(ids, 'issued') })
const request = (ids: Stage['ids']) => ({ access_request_id: idOf(ids, 'request') })
const invited = (ids: Stage['ids']) => ({ person_id: idOf(ids, 'person') })

const scenes: readonly Scene[] = [
  {
    operation: 'issueKey',
    before: becomeAdmin,
    body: () => ({
      type: 'live',
      owner: 'Payouts',
      scopes: ['decision:read', 'audit:read'],
      limit_verify: '600/60',
    }),
    after: ({ body }, { ids }) => void (ids['issued'] = body.key_id),
  },
  { operation: 'adminKeys', parameters: () => ({ status: 'active', limit: 2 }) },
  {
    operation: 'rotateKey',
    parameters: key,
    body: () => ({ overlap_s: 3_600 }),
    after: ({ body }, { ids }) => void (ids['issued'] = body.key_id),
  },
  { operation: 'revokeKey', parameters: key },
  {
    operation: 'accessRequests',
    before: (stage) => askForAccess(stage, form.email),
    parameters: () => ({ status: 'received' }),
  },
  { operation: 'approveAccess', parameters: request, body: () => ({ note: 'Contract signed.' }) },
  {
    operation: 'rejectAccess',
    before: (stage) => askForAccess(stage, 'other@example.com'),
    parameters: request,
    body: () => ({ note: 'No contract.', revoke_sandbox: true }),
  },
  {
    operation: 'invitePerson',
    before: async ({ ids, store }) => {
      const [first] = await store.keys.list()
      ids['owner'] = first?.ownerId ?? ''
    },
    body: (ids) => ({ email: 'grace@example.com', roles: ['reviewer'], owner_id: idOf(ids, 'owner') }),
    after: ({ body }, { ids }) => void (ids['person'] = body.person_id),
  },
  { operation: 'people' },
  { operation: 'resetPerson', parameters: invited },
  { operation: 'setRoles', parameters: invited, body: () => ({ roles: ['reviewer', 'policy_author'] }) },
  { operation: 'endSessions', parameters: invited },
  { operation: 'removePerson', parameters: invited },
  { operation: 'restorePerson', parameters: invited },
  { operation: 'adminFeeds' },
  { operation: 'checkFeeds', body: () => ({ corridor: 'GB-KE', amount: 1_000 }) },
  {
    operation: 'adminWebhooks',
    before: async (stage) => void (await register(stage, stage.key, 'http://127.0.0.1:9/fairway')),
    parameters: () => ({ state: 'idle' }),
  },
  { operation: 'adminCip' },
  {
    operation: 'transitionCip',
    body: () => ({ to: 'scoring_passive', reference: 'CHANGE-1042', reason: 'Reviewed on Monday.' }),
  },
  {
    operation: 'previewErasure',
    body: (ids) => ({ owner_id: idOf(ids, 'owner'), correlation_id: 'order-7' }),
  },
  { operation: 'retention' },
  { operation: 'months' },
  { operation: 'checkMonth', parameters: () => ({ month: '2026-03' }) },
  {
    operation: 'startJob',
    body: () => ({ kind: 'verify_log' }),
    after: ({ body }, { ids, maintained }) => {
      ids['job'] = body.job_id
      return maintained()
    },
  },
  { operation: 'adminJobs', parameters: () => ({ limit: 2 }) },
  { operation: 'adminJob', parameters: (ids) => ({ job_id: idOf(ids, 'job') }) },
  { operation: 'activity', parameters: () => ({ kind: 'person', limit: 2 }) },
]

export const adminScenes: readonly Scene[] = scenes.map(byAdmin)
