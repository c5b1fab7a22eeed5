/** Schemas of the administration: keys, access requests, people, feeds, webhooks of all owners, activity. */

import { Type } from 'typebox'
import { accessStatuses, emailLengthMax } from '../../../core/identity/access.ts'
import { scopes } from '../../../core/identity/api-key.ts'
import { roles } from '../../../core/identity/roles.ts'
import { windowSecondsMax } from '../../../core/time/rolling-window.ts'
import { listQuery, pageMembers } from '../../input/paging.ts'
import { recordedAtMembers } from '../../input/times.ts'
import { limitPattern, limits } from '../../limits.ts'
import { named, nullable, SignalName, singleLinePattern, Timestamp } from '../../schemas/common.ts'
import { FeedFault, FeedKind, FeedValue, LiveFeedState } from '../../schemas/feeds.ts'
import { webhookMembers } from '../../schemas/webhooks.ts'

const line = (lengthMax: number, description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: singleLinePattern, description })

const nextCursor = nullable(Type.String({ description: 'The next page, if any.' }))
const optionalTime = nullable(Timestamp)

// Keys

const KeyType = Type.Enum(['test', 'live', 'sandbox'])
const KeyScopes = Type.Array(Type.Enum([...scopes]), {
  uniqueItems: true,
  description: 'Empty: all that the type may have.',
})
const GrantedScopes = Type.Array(Type.Enum([...scopes]), {
  uniqueItems: true,
  description:
    'Among those of your roles, or 403. Empty or absent: those of the replaced key that your roles have, else all of yours.',
})
const LimitVerify = Type.String({
  pattern: limitPattern,
  description: `The limit of the key on verify, as \`100/60\`: 100 requests in 60 seconds, ${windowSecondsMax} seconds at most.`,
})
const OverlapS = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  default: 86_400,
  description: 'Seconds until the replaced key expires.',
})

const keyMembers = {
  key_id: Type.String(),
  type: KeyType,
  owner: Type.String({ description: 'The name of the owner, for humans.' }),
  owner_id: Type.String(),
  scopes: KeyScopes,
  created_at: Timestamp,
  expires_at: optionalTime,
}

const AdminKey = named(
  'AdminKey',
  Type.Object({
    ...keyMembers,
    principal_id: Type.String({
      description: 'The person who issued it in the console, or the first of its keys by rotation.',
    }),
    limit_verify: nullable(Type.String({ description: 'Null: the limit of the service.' })),
    status: Type.Enum(['active', 'expired', 'revoked']),
    revoked_at: optionalTime,
    expires_soon: Type.Boolean({ description: 'Whether it expires within 14 days.' }),
    last_used_at: optionalTime,
    prefix: Type.String(),
  }),
)

export const AdminKeyQuery = listQuery({
  ...pageMembers('Keys'),
  q: Type.Optional(
    line(200, 'A part of the name of the owner, or the whole id of a key, an owner or a principal.'),
  ),
  type: Type.Optional(KeyType),
  status: Type.Optional(Type.Enum(['active', 'expired', 'revoked'])),
  expires_soon: Type.Optional(
    Type.Enum(['true'], { description: 'Only active keys that expire within 14 days.' }),
  ),
})

export const AdminKeyList = named(
  'AdminKeyList',
  Type.Object({ keys: Type.Array(AdminKey), next_cursor: nextCursor }),
)

export const IssueKeyBody = named(
  'IssueKeyRequest',
  Type.Object({
    type: Type.Enum(['test', 'live']),
    owner: Type.Optional(line(200, 'The name of a new owner, or another name with `owner_id`.')),
    owner_id: Type.Optional(line(40, 'An existing owner, who then has a further key.')),
    scopes: Type.Optional(GrantedScopes),
    limit_verify: Type.Optional(LimitVerify),
  }),
)

const issuedMembers = {
  ...keyMembers,
  key: Type.String({ description: 'Shown only once.' }),
}

export const IssuedKey = named('IssuedKey', Type.Object(issuedMembers))

export const RotateKeyBody = named('RotateKeyRequest', Type.Object({ overlap_s: Type.Optional(OverlapS) }))

export const RotatedKey = named(
  'RotatedKey',
  Type.Object({
    ...issuedMembers,
    replaced_key_id: Type.String(),
    replaced_key_ends_at: Timestamp,
  }),
)

export const RevokedKey = named(
  'RevokedKey',
  Type.Object({ key_id: Type.String(), revoked_at: optionalTime }),
)

// Access requests

const AccessStatus = Type.Enum([...accessStatuses])

export const AccessRequestView = named(
  'AccessRequestView',
  Type.Object({
    access_request_id: Type.String(),
    name: Type.String(),
    email: Type.String({ description: 'As entered; it was not verified.' }),
    reason: Type.String(),
    status: AccessStatus,
    created_at: Timestamp,
    captcha: Type.Enum(['verified', 'not_checked'], {
      description: '`not_checked`: no captcha was configured at the time.',
    }),
    sandbox_key_id: Type.String(),
    decided_at: optionalTime,
    decided_by: nullable(Type.String({ description: 'The name of an operator, or the id of a person.' })),
    note: nullable(Type.String()),
    live_key_id: nullable(Type.String()),
    replaced_key_id: nullable(Type.String()),
  }),
)

export const AccessRequestQuery = listQuery({
  ...pageMembers('Requests'),
  q: Type.Optional(line(254, 'A part of the name or the email address, or a whole id.')),
  status: Type.Optional(AccessStatus),
})

export const AccessRequestList = named(
  'AccessRequestList',
  Type.Object({ access_requests: Type.Array(AccessRequestView), next_cursor: nextCursor }),
)

const note = Type.Optional(line(500, 'Kept with the decision.'))

export const ApproveBody = named(
  'ApproveAccessRequest',
  Type.Object({
    replaces: Type.Optional(
      line(40, 'The id of the key whose owner and records the live key gets. Without it the owner is new.'),
    ),
    overlap_s: Type.Optional(OverlapS),
    scopes: Type.Optional(GrantedScopes),
    limit_verify: Type.Optional(LimitVerify),
    note,
  }),
)

export const ApprovedAccess = named(
  'ApprovedAccess',
  Type.Object({
    access_request_id: Type.String(),
    ...issuedMembers,
    replaced_key_id: nullable(Type.String()),
    replaced_key_ends_at: optionalTime,
  }),
)

export const RejectBody = named(
  'RejectAccessRequest',
  Type.Object({
    revoke_sandbox: Type.Optional(
      Type.Boolean({ description: 'Also revoke the sandbox keys of the request.' }),
    ),
    note,
  }),
)

// People

const roleNames = Type.Array(Type.Enum([...roles]), { minItems: 1, uniqueItems: true })

const personMembers = {
  person_id: Type.String(),
  email: Type.String({ description: 'Empty if the provider does not state it.' }),
  roles: Type.Array(Type.Enum([...roles])),
  owner_id: nullable(Type.String({ description: 'Null: serves the installation.' })),
}

const AdminPerson = named(
  'AdminPerson',
  Type.Object({
    ...personMembers,
    name: Type.String(),
    status: Type.Enum(['invited', 'local', 'provider', 'removed'], {
      description: 'By the way of signing in; `invited`: has not joined yet.',
    }),
    issuer: nullable(Type.String({ description: 'The identity provider of the account.' })),
    sessions: Type.Integer({ description: 'Those that have not ended.' }),
    created_at: Timestamp,
    last_sign_in_at: optionalTime,
    removed_at: optionalTime,
  }),
)

export const PersonList = named('PersonList', Type.Object({ people: Type.Array(AdminPerson) }))

export const InviteBody = named(
  'InviteRequest',
  Type.Object({
    email: line(emailLengthMax, 'The email address, with which the person signs in.'),
    roles: roleNames,
    owner_id: Type.Optional(line(40, 'The owner of the person. Only an admin may have none.')),
  }),
)

export const InvitedPerson = named(
  'InvitedPerson',
  Type.Object({
    ...personMembers,
    link: Type.String({ description: 'Works once. Shown only in this response.' }),
    expires_at: Timestamp,
  }),
)

export const RolesBody = named('RolesRequest', Type.Object({ roles: roleNames }))

export const ChangedPerson = named(
  'ChangedPerson',
  Type.Object({
    person_id: Type.String(),
    roles: Type.Array(Type.Enum([...roles])),
    status: Type.Enum(['invited', 'local', 'provider', 'removed']),
  }),
)

export const EndedSessions = named(
  'EndedSessions',
  Type.Object({ person_id: Type.String(), ended: Type.Integer() }),
)

// Feeds

export const AdminFeeds = named(
  'AdminFeeds',
  Type.Object({
    configured: Type.Boolean({ description: 'False without a feeds file: live mode then holds.' }),
    feeds: Type.Array(
      Type.Object({
        signal: SignalName,
        corridor: nullable(Type.String()),
        partner: nullable(Type.String()),
        ...LiveFeedState,
      }),
    ),
    corridors: Type.Array(Type.Object({ corridor: Type.String(), partners: Type.Array(Type.String()) }), {
      description: 'Those that the file declares.',
    }),
  }),
)

export const FeedCheckBody = named(
  'FeedCheckRequest',
  Type.Object({
    corridor: Type.Optional(line(40, 'Only this corridor.')),
    partner: Type.Optional(line(100, 'Only this partner.')),
    amount: Type.Optional(
      Type.Number({ minimum: 0, maximum: limits.amountMax, default: 1_000, description: 'Of the payment.' }),
    ),
    currency: Type.Optional(line(3, "Of the amount; the corridor's first if it is absent.")),
    owner_id: Type.Optional(line(40, 'Whose reported outcomes are read, for feeds that count them.')),
  }),
)

export const FeedChecks = named(
  'FeedChecks',
  Type.Object({
    checks: Type.Array(
      Type.Object({
        corridor: Type.String(),
        partner: nullable(Type.String()),
        amount: Type.Number(),
        currency: Type.String({ description: 'Of the amount.' }),
        feeds: Type.Array(
          Type.Object({
            signal: SignalName,
            source: nullable(FeedKind),
            value: nullable(FeedValue),
            risk_value: nullable(Type.Number()),
            age_ms: nullable(Type.Number({ description: 'Since the provider observed the value.' })),
            latency_ms: Type.Number(),
            error: nullable(FeedFault),
            detail: nullable(Type.String()),
          }),
        ),
      }),
    ),
  }),
)

// Webhooks of all owners

export const AdminWebhookQuery = listQuery({
  ...pageMembers('Endpoints'),
  state: Type.Optional(Type.Enum(['healthy', 'failing', 'idle'])),
  q: Type.Optional(line(200, 'A part of the URL, or the whole id of an endpoint or an owner.')),
})

export const AdminWebhookList = named(
  'AdminWebhookList',
  Type.Object({
    webhooks: Type.Array(
      named(
        'AdminWebhook',
        Type.Object({ ...webhookMembers, owner_id: Type.String(), owner: Type.String() }),
      ),
    ),
    next_cursor: nextCursor,
  }),
)

// Activity

export const ActivityQuery = listQuery({
  ...pageMembers('Acts'),
  kind: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,40}(\\.[a-z_]{1,40})?$',
      description: 'A kind, as `key.revoked`, or all of a group, as `key`.',
    }),
  ),
  by: Type.Optional(line(200, 'The id of a person or a key, `server`, or the name of an operator.')),
  subject: Type.Optional(line(200, 'The id of the key, person, policy or endpoint that it is about.')),
  ...recordedAtMembers(),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'The response format. Defaults to the `Accept` header, then JSON.',
    }),
  ),
})

export const ActivityList = named(
  'ActivityList',
  Type.Object({
    activity: Type.Array(
      named(
        'Activity',
        Type.Object({
          act_id: Type.String(),
          kind: Type.String(),
          subject: Type.String({ description: 'Empty for the service itself.' }),
          by: Type.Object({
            kind: Type.Enum(['person', 'key', 'operator', 'server']),
            id: Type.String(),
            name: Type.String(),
          }),
          at: Timestamp,
          detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
          leaf_index: nullable(
            Type.Integer({ description: 'Its place in the sealed log. Null until it has one.' }),
          ),
        }),
      ),
    ),
    next_cursor: nextCursor,
  }),
)
