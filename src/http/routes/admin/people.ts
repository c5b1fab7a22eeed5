/** /api/v1/admin/people: invitations, roles, sessions and removal. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createPeople, type ChangeOutcome, type Invited, type People } from '../../../app/people/people.ts'
import { personView } from '../../../app/people/view.ts'
import { isEmail } from '../../../core/identity/access.ts'
import { knownRoles } from '../../../core/identity/roles.ts'
import { iso } from '../../../core/time/durations.ts'
import { invalid, notFound, sendProblem, type Problem } from '../../errors.ts'
import { siteOf } from '../../site.ts'
import { response } from '../../schemas/common.ts'
import { ChangedPerson, EndedSessions, InviteBody, InvitedPerson, PersonList, RolesBody } from './schemas.ts'
import type { App } from '../../types.ts'
import { adminOf, adminPath, common, config, errorsOfAction, errorsOfList, type AdminDeps } from './common.ts'

export interface PeopleRoutesDeps extends AdminDeps {
  readonly publicUrl: string | null
}

const path = `${adminPath}/people`
const params = Type.Object({ person_id: Type.String({ description: 'The id of a person.' }) })

export function registerAdminPeople(app: App, deps: PeopleRoutesDeps): void {
  registerList(app, deps)
  registerInvite(app, deps)
  registerReset(app, deps)
  registerRoles(app, deps)
  registerEndSessions(app, deps)
  registerRemoval(app, deps)
}

function casesOf(request: FastifyRequest, deps: AdminDeps): People {
  const { store, clock, random } = deps
  const { people, sessions, keys } = store
  const { personId: adminId, describe } = adminOf(request, deps)
  return createPeople({ people, sessions, keys, clock, random, describe, adminId })
}

function registerList(app: App, deps: PeopleRoutesDeps): void {
  app.route({
    method: 'GET',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'people',
      summary: 'List people, oldest first',
      response: { 200: response(PersonList, 'limited'), ...errorsOfList },
    },
    handler: async (request) => ({ people: (await casesOf(request, deps).list()).map(personView) }),
  })
}

const conflict = (message: string): Problem => ({ code: 'ADMIN_CONFLICT', message })

const inviteProblems: Readonly<Record<string, Problem>> = {
  exists: conflict('This email address has an account already. Make a new link for it instead.'),
  at_provider: conflict(
    'Somebody with this email address signs in at the identity provider. A second account would be a second principal.',
  ),
  unknown_owner: invalid([{ path: '/owner_id', message: 'there is no such owner' }]),
  owner_needed: invalid([{ path: '/owner_id', message: 'name the owner; only an admin may have none' }]),
}

function registerInvite(app: App, deps: PeopleRoutesDeps): void {
  app.route({
    method: 'POST',
    url: path,
    config,
    schema: {
      ...common,
      operationId: 'invitePerson',
      summary: 'Invite a person',
      description:
        'Nothing is sent: hand the link over by a way that you trust. It works once, for three days, and is shown only in this response.',
      body: InviteBody,
      response: { 200: response(InvitedPerson, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { email, roles, owner_id: ownerId = null } = request.body
      if (!isEmail(email))
        return sendProblem(reply, invalid([{ path: '/email', message: 'must be an email address' }]))
      const outcome = await casesOf(request, deps).invite({ email, roles: knownRoles(roles), ownerId })
      if (outcome.kind === 'invited') return reply.send(invitedView(request, deps, outcome))
      return sendProblem(reply, inviteProblems[outcome.kind] ?? notFound)
    },
  })
}

/** The token is behind a #, so that it reaches no log on its way. */
function invitedView(
  request: FastifyRequest,
  { publicUrl }: PeopleRoutesDeps,
  { person, token, expiresAtMs }: Invited,
) {
  const origin = siteOf(request, publicUrl)?.origin ?? ''
  return {
    person_id: person.personId,
    email: person.email,
    roles: [...person.roles],
    owner_id: person.ownerId,
    link: `${origin}/invitation#${token}`,
    expires_at: iso(expiresAtMs),
  }
}

function registerReset(app: App, deps: PeopleRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:person_id/reset`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'resetPerson',
      summary: 'Make a new link for a person',
      description: 'It sets a new password. The password and the sessions of before end at once.',
      params,
      response: { 200: response(InvitedPerson, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const cases = casesOf(request, deps)
      const { person_id: personId } = request.params
      const [person] = await cases.find(personId)
      if (person?.personId !== personId) return sendProblem(reply, notFound)
      const invited = await cases.reset(personId)
      return invited === null
        ? sendProblem(reply, conflict('This person signs in at the identity provider, or was removed.'))
        : reply.send(invitedView(request, deps, invited))
    },
  })
}

const changeProblems: Readonly<Record<Exclude<ChangeOutcome, 'changed'>, Problem>> = {
  not_admin: conflict('You are no longer an admin: another admin was faster.'),
  unknown: conflict('This person was removed. Restore the person first.'),
  at_provider: conflict('The identity provider gives this person the roles. Change them there.'),
  owner_needed: invalid([{ path: '/roles', message: 'must have admin: only an admin has no owner' }]),
}

const ownAccount = conflict('You cannot change your own roles or remove yourself. Ask another admin.')

function registerRoles(app: App, deps: PeopleRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:person_id/roles`,
    config,
    schema: {
      ...common,
      operationId: 'setRoles',
      summary: 'Replace the roles of a person',
      description: 'It takes effect at once. Nobody changes their own.',
      params,
      body: RolesBody,
      response: { 200: response(ChangedPerson, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const { person_id: personId } = request.params
      if (personId === adminOf(request, deps).personId) return sendProblem(reply, ownAccount)
      const cases = casesOf(request, deps)
      const [person] = await cases.find(personId)
      if (person?.personId !== personId) return sendProblem(reply, notFound)
      const outcome = await cases.setRoles(person, knownRoles(request.body.roles))
      return outcome === 'changed'
        ? sendPerson(reply, cases, personId)
        : sendProblem(reply, changeProblems[outcome])
    },
  })
}

async function sendPerson(reply: FastifyReply, cases: People, personId: string): Promise<FastifyReply> {
  const [person] = await cases.find(personId)
  if (person === undefined) return sendProblem(reply, notFound)
  const { roles, status } = personView(person)
  return reply.send({ person_id: personId, roles, status })
}

function registerEndSessions(app: App, deps: PeopleRoutesDeps): void {
  app.route({
    method: 'POST',
    url: `${path}/:person_id/end-sessions`,
    config: { ...config, emptyBody: true },
    schema: {
      ...common,
      operationId: 'endSessions',
      summary: 'End all sessions of a person',
      params,
      response: { 200: response(EndedSessions, 'limited'), ...errorsOfAction },
    },
    async handler(request, reply) {
      const cases = casesOf(request, deps)
      const { person_id: personId } = request.params
      const [person] = await cases.find(personId)
      if (person?.personId !== personId) return sendProblem(reply, notFound)
      return reply.send({ person_id: personId, ended: await cases.endSessions(personId) })
    },
  })
}

function registerRemoval(app: App, deps: PeopleRoutesDeps): void {
  const shared = {
    ...common,
    params,
    response: { 200: response(ChangedPerson, 'limited'), ...errorsOfAction },
  }
  app.route({
    method: 'POST',
    url: `${path}/:person_id/remove`,
    config: { ...config, emptyBody: true },
    schema: {
      ...shared,
      operationId: 'removePerson',
      summary: 'Remove a person',
      description: 'Ends sessions, password and invitations. What the person did stays recorded.',
    },
    async handler(request, reply) {
      const cases = casesOf(request, deps)
      const { person_id: personId } = request.params
      if (personId === adminOf(request, deps).personId) return sendProblem(reply, ownAccount)
      const [person] = await cases.find(personId)
      if (person?.personId !== personId) return sendProblem(reply, notFound)
      return (await cases.remove(personId))
        ? sendPerson(reply, cases, personId)
        : sendProblem(reply, conflict('This person was removed before, or you are no longer an admin.'))
    },
  })
  app.route({
    method: 'POST',
    url: `${path}/:person_id/restore`,
    config: { ...config, emptyBody: true },
    schema: {
      ...shared,
      operationId: 'restorePerson',
      summary: 'Bring a removed person back',
      description: 'With owner and roles, and without a password: make a new link for a local account.',
    },
    async handler(request, reply) {
      const cases = casesOf(request, deps)
      const { person_id: personId } = request.params
      const [person] = await cases.find(personId)
      if (person?.personId !== personId) return sendProblem(reply, notFound)
      return (await cases.restore(personId))
        ? sendPerson(reply, cases, personId)
        : sendProblem(
            reply,
            conflict('This person is not removed, or the email address has another account by now.'),
          )
    },
  })
}
