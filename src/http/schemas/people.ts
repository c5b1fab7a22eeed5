/** Schemas of people: callers, sign-in, invitations, sessions and owners. */

import { Type } from 'typebox'
import { emailLengthMax } from '../../core/identity/access.ts'
import { scopes } from '../../core/identity/api-key.ts'
import { passwordLengthMax, passwordLengthMin, personNameLengthMax } from '../../core/identity/person.ts'
import { roles } from '../../core/identity/roles.ts'
import { listQuery, pageMembers } from '../input/paging.ts'
import { Mode, named, nullable, singleLinePattern, Timestamp } from './common.ts'

/** The principal of a record or a change. */
export const Principal = named(
  'Principal',
  Type.Object(
    {
      kind: Type.Enum(['key', 'person']),
      id: Type.String({ description: 'The id of the key or the person.' }),
      name: Type.String({ description: 'For humans: of the person, or of the owner of the key.' }),
      session_id: Type.Optional(Type.String({ description: 'For a person: the session.' })),
    },
    { description: 'Who did it: a key, or a person with a session.' },
  ),
)

const roleNames = Type.Array(Type.Enum([...roles]))

const SignInMethod = Type.Enum(['provider', 'password'], {
  description: 'At the identity provider, or with a local account.',
})

export const Me = named(
  'Me',
  Type.Object({
    kind: Type.Enum(['key', 'person']),
    id: Type.String({ description: 'The id of the key or the person.' }),
    name: Type.String(),
    owner_id: nullable(
      Type.String({
        description: 'Null for an admin of the installation, who chooses an owner by a header.',
      }),
    ),
    owner_name: nullable(Type.String()),
    roles: roleNames,
    scopes: Type.Array(Type.Enum([...scopes])),
    mode: Mode,
    email: Type.Optional(
      Type.String({ description: 'Of a person; empty if the provider does not state it.' }),
    ),
    session: Type.Optional(
      Type.Object({ session_id: Type.String(), method: SignInMethod, expires_at: Timestamp }),
    ),
  }),
)

export const SessionState = named(
  'SessionState',
  Type.Object({
    signed_in: Type.Union([Me, Type.Null()], { description: 'Null without a session.' }),
    ways: Type.Object({
      provider: nullable(
        Type.String({ description: 'The host of the identity provider. Null without one.' }),
      ),
      password: Type.Boolean({ description: 'Whether there are local accounts.' }),
    }),
  }),
)

const email = Type.String({ minLength: 1, maxLength: emailLengthMax, pattern: singleLinePattern })
const token = Type.String({ minLength: 1, maxLength: 100, description: 'From the link of the invitation.' })

export const LoginBody = named(
  'LoginRequest',
  Type.Object({ email, password: Type.String({ minLength: 1, maxLength: 4 * passwordLengthMax }) }),
)

export const InvitationBody = named('InvitationRequest', Type.Object({ token }))

export const InvitationAnswer = named(
  'Invitation',
  Type.Object({ email: Type.String(), name: Type.String(), roles: roleNames }),
)

export const PasswordBody = named(
  'PasswordRequest',
  Type.Object({
    token,
    name: Type.String({ minLength: 1, maxLength: personNameLengthMax, pattern: singleLinePattern }),
    password: Type.String({
      minLength: 1,
      maxLength: 4 * passwordLengthMax,
      description: `${passwordLengthMin} to ${passwordLengthMax} characters of any kind.`,
    }),
  }),
)

export const LogoutAnswer = named(
  'LogoutResponse',
  Type.Object({
    location: nullable(
      Type.String({
        description: 'Open it to end the session at the identity provider, too. Null without one.',
      }),
    ),
  }),
)

export const LoginQuery = Type.Object({
  from: Type.Optional(Type.String({ description: 'The path of this site to open after the sign-in.' })),
})

const PersonSession = named(
  'PersonSession',
  Type.Object({
    session_id: Type.String(),
    is_current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    method: SignInMethod,
    client_address: Type.String({ description: 'The network address that it was started from.' }),
    user_agent: Type.String({ description: 'The browser, as it names itself.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: nullable(Timestamp),
  }),
)

export const SessionList = named('SessionList', Type.Object({ sessions: Type.Array(PersonSession) }))

export const Ended = named('EndedSession', Type.Object({ session_id: Type.String() }))

export const OwnerQuery = listQuery({
  ...pageMembers('Owners'),
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: singleLinePattern,
      description: 'A part of the name, or a whole id.',
    }),
  ),
})

export const OwnerList = named(
  'OwnerList',
  Type.Object({
    owners: Type.Array(
      named(
        'Owner',
        Type.Object({
          owner_id: Type.String(),
          name: Type.String({ description: 'The label of its newest key.' }),
          has_live_key: Type.Boolean(),
        }),
      ),
    ),
    next_cursor: nullable(Type.String()),
  }),
)
