/** /api/v1/policies: the caller's policies and their life. */

import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { describedVariables, functionNames, macroNames } from '../../app/policy/expression.ts'
import {
  policiesPerOwnerMax,
  policiesPerSandboxMax,
  policyBytesPerOwnerMax,
  type ChangeResult,
  type ListedPolicy,
  type OwnPolicies,
  type PoliciesFor,
} from '../../app/policy/policies.ts'
import { candidateView, policyView } from '../../app/policy/views.ts'
import type { App } from '../types.ts'
import { anyCallerOf, policyOwnerOf } from '../auth.ts'
import { invalid, notFound, sendProblem, type Problem } from '../errors.ts'
import { limits } from '../limits.ts'
import { cursorRule, linkToNext, readCursor } from '../input/paging.ts'
import { compileValidator } from '../input/validator.ts'
import { errorResponses, isBlank, keyed, response, withWarnings } from '../schemas/common.ts'
import {
  CandidateReport,
  CheckQuery,
  PolicyChanged,
  PolicyCheck,
  PolicyDocument,
  PolicyList,
  PolicyQuery,
  PolicyVariables,
  PolicyView,
  ReasonBody,
  RolledBack,
} from '../schemas/policies.ts'

export const policiesPath = '/api/v1/policies'
const common = { tags: ['Policies'], security: keyed }
export const policyParams = Type.Object({ policy_id: Type.String({ description: 'The id of a policy.' }) })
export const access = (scope: 'policy:read' | 'policy:write' | 'policy:approve') => ({
  access: { scope, limit: 'keyed' as const, isForInstallation: true as const },
})
const errorsOfRead = errorResponses('limited', 400, 401, 403, 404, 429, 500, 503)
const errorsOfChange = errorResponses('limited', 400, 401, 403, 404, 409, 413, 415, 429, 500, 503)

/** The document is read apart, so that every fault of it is reported with its place. */
const readApart: typeof compileValidator = (part) =>
  part.httpPart === 'body' ? (value: unknown) => ({ value }) : compileValidator(part)

export interface PolicyRoutesDeps {
  readonly policies: PoliciesFor
}

export function registerPolicies(app: App, { policies }: PolicyRoutesDeps): void {
  const own = (request: FastifyRequest): OwnPolicies => policies(policyOwnerOf(request))
  registerCreation(app, own)
  registerCheck(app, own)
  registerVariables(app)
  registerReads(app, own)
  registerReport(app, own)
  registerPromotion(app, own)
  registerRollback(app, own)
}

type OwnOf = (request: FastifyRequest) => OwnPolicies

function registerCreation(app: App, own: OwnOf): void {
  app.route({
    method: 'POST',
    url: policiesPath,
    bodyLimit: limits.policyBodyBytesMax,
    validatorCompiler: readApart,
    config: { ...access('policy:write'), nullIsFault: true },
    schema: {
      ...common,
      operationId: 'createPolicy',
      summary: 'Create a policy as a draft',
      description: `It decides nothing until it is promoted by another principal. At most ${policiesPerOwnerMax} per owner. Policies act on verify in both modes and on live ranking. The demo, batches, replay and the ranking of simulated partners stay the contract's.`,
      body: PolicyDocument,
      response: {
        200: response(PolicyView, 'limited'),
        ...errorResponses('limited', 422),
        ...errorsOfChange,
      },
    },
    async handler(request, reply) {
      const countMax = anyCallerOf(request).type === 'sandbox' ? policiesPerSandboxMax : policiesPerOwnerMax
      const created = await own(request).create(request.body, anyCallerOf(request).by, undefined, countMax)
      if (created.kind === 'faulty') return sendProblem(reply, invalid(created.faults))
      if (created.kind === 'too_many') {
        const message = `The limit of ${countMax} policies, or of ${policyBytesPerOwnerMax / 1_000_000} MB of them, is reached.`
        return sendProblem(reply, { code: 'UNPROCESSABLE', message })
      }
      return reply.send(viewOf(created.policy))
    },
  })
}

function registerCheck(app: App, own: OwnOf): void {
  app.route({
    method: 'POST',
    url: `${policiesPath}/check`,
    bodyLimit: limits.policyBodyBytesMax,
    validatorCompiler: readApart,
    config: { ...access('policy:read'), nullIsFault: true },
    schema: {
      ...common,
      operationId: 'checkPolicy',
      summary: 'Check a document, and try it on a decision',
      description:
        'For editors and pipelines. Nothing is stored, and a faulty document is a result, not an error.',
      querystring: CheckQuery,
      body: PolicyDocument,
      response: {
        200: response(PolicyCheck, 'limited'),
        ...errorsOfRead,
        ...errorResponses('limited', 413, 415),
      },
    },
    async handler(request, reply) {
      const checked = await own(request).check(request.body, request.query.request_id ?? null)
      if (checked.kind === 'unknown_decision') return sendProblem(reply, notFound)
      if (checked.kind === 'faulty')
        return reply.send({
          valid: false,
          errors: checked.faults.map((fault) => ({ ...fault })),
          tried: null,
        })
      const { tried } = checked
      return reply.send({
        valid: true,
        errors: [],
        tried:
          tried === null
            ? null
            : {
                request_id: tried.requestId,
                from: tried.from,
                to: tried.to,
                fired: [...tried.fired],
                decided: [...tried.decided],
              },
      })
    },
  })
}

function registerVariables(app: App): void {
  app.route({
    method: 'GET',
    url: `${policiesPath}/variables`,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'policyVariables',
      summary: 'List what an expression may use',
      response: { 200: response(PolicyVariables, 'limited'), ...errorsOfRead },
    },
    handler: () => ({
      variables: describedVariables.map((variable) => ({ ...variable })),
      functions: [...functionNames],
      macros: [...macroNames],
    }),
  })
}

function registerReads(app: App, own: OwnOf): void {
  app.route({
    method: 'GET',
    url: policiesPath,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'policies',
      summary: 'List your policies, newest first',
      description: 'Follow `next_cursor`, or `Link: <…>; rel="next"`, until there is none.',
      querystring: PolicyQuery,
      response: {
        200: response(PolicyList, 'limited', {
          Link: { type: 'string', description: 'The next page, if any.' },
        }),
        ...errorsOfRead,
      },
    },
    async handler(request, reply) {
      const { cursor, limit = limits.historyPageDefault, status = null } = request.query
      const before = cursor === undefined ? null : readCursor(cursor)
      if (before !== null && !/^pol_[0-9a-z]{26}$/.test(before))
        return sendProblem(reply, invalid([{ path: '/cursor', message: cursorRule }]))
      const policies = own(request)
      const found = await policies.list({ before, limit: limit + 1, status })
      const { activeId, candidateId } = await policies.life()
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.policyId : undefined
      if (last !== undefined) reply.header('link', linkToNext(policiesPath, request.query, last))
      return reply.send({
        policies: page.map(viewOf),
        active: activeId,
        candidate: candidateId,
        next_cursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
      })
    },
  })
  app.route({
    method: 'GET',
    url: `${policiesPath}/:policy_id`,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'policy',
      summary: 'Show a policy',
      params: policyParams,
      response: { 200: response(PolicyView, 'limited'), ...errorsOfRead },
    },
    async handler(request, reply) {
      const policy = await own(request).find(request.params.policy_id)
      return policy === null ? sendProblem(reply, notFound) : reply.send(viewOf(policy))
    },
  })
}

function registerReport(app: App, own: OwnOf): void {
  app.route({
    method: 'GET',
    url: `${policiesPath}/:policy_id/report`,
    config: access('policy:read'),
    schema: {
      ...common,
      operationId: 'policyReport',
      summary: 'Report of a candidate',
      description: 'The decisions since the policy became the candidate, each decided again under it.',
      params: policyParams,
      response: {
        200: response(CandidateReport, 'limited'),
        ...errorResponses('limited', 409),
        ...errorsOfRead,
      },
    },
    async handler(request, reply) {
      const found = await own(request).report(request.params.policy_id)
      if (found === undefined) return sendProblem(reply, notFound)
      if (found === null) return sendProblem(reply, neverCandidate)
      return reply.send(candidateView(found))
    },
  })
}

function registerPromotion(app: App, own: OwnOf): void {
  app.route({
    method: 'POST',
    url: `${policiesPath}/:policy_id/candidate`,
    config: { ...access('policy:write'), emptyBody: true },
    schema: {
      ...common,
      operationId: 'makePolicyCandidate',
      summary: 'Make a policy the candidate',
      description:
        'From now on it is evaluated beside the active one on every new decision, which it does not change. A candidate before it is a draft again.',
      params: policyParams,
      response: { 200: response(PolicyView, 'limited'), ...errorsOfChange },
    },
    async handler(request, reply) {
      const { policy_id: id } = request.params
      const changed = await own(request).candidate(id, anyCallerOf(request).by)
      return changed?.kind === 'changed' ? reply.send(viewOf(changed.policy)) : refuse(reply, changed)
    },
  })
  app.route({
    method: 'POST',
    url: `${policiesPath}/:policy_id/promote`,
    config: access('policy:approve'),
    schema: {
      ...common,
      operationId: 'promotePolicy',
      summary: 'Put a policy in force',
      description:
        'By another principal than the one who wrote it. It takes effect on every instance within a second.',
      params: policyParams,
      body: ReasonBody,
      response: { 200: response(PolicyChanged, 'limited'), ...errorsOfChange },
    },
    async handler(request, reply) {
      if (isBlank(request.body.reason)) return sendProblem(reply, blankReason)
      const changed = await own(request).promote(
        request.params.policy_id,
        anyCallerOf(request).by,
        request.body.reason,
      )
      return changed?.kind === 'changed' ? reply.send(viewOf(changed.policy)) : refuse(reply, changed)
    },
  })
}

function registerRollback(app: App, own: OwnOf): void {
  app.route({
    method: 'POST',
    url: `${policiesPath}/rollback`,
    config: access('policy:approve'),
    schema: {
      ...common,
      operationId: 'rollBackPolicy',
      summary: 'Take the active policy out of force',
      description:
        'The one that was active before, or none, is active again. A second rollback goes one further back.',
      body: ReasonBody,
      response: { 200: response(withWarnings(RolledBack), 'limited'), ...errorsOfChange },
    },
    async handler(request, reply) {
      if (isBlank(request.body.reason)) return sendProblem(reply, blankReason)
      const changed = await own(request).rollback(anyCallerOf(request).by, request.body.reason)
      if (changed?.kind !== 'changed') return refuse(reply, changed)
      return reply.send({ rolled_back: changed.policy.policyId, active: changed.life.activeId })
    },
  })
}

const blankReason = invalid([{ path: '/reason', message: 'must not be blank' }])

const neverCandidate: Problem = {
  code: 'POLICY_CONFLICT',
  message: 'This policy has not been a candidate, so it has no report. Make it one, or start a backtest.',
}

type Refused = Extract<NonNullable<ChangeResult>, { kind: 'refused' }>

const refusals: Readonly<Record<Refused['refusal'], Problem>> = {
  four_eyes: {
    code: 'FOUR_EYES',
    message: 'You wrote this policy. Another principal with the scope policy:approve must promote it.',
  },
  too_many_changes: {
    code: 'POLICY_CONFLICT',
    message:
      'Your policies were changed 200 times in the last 24 hours. Wait until the oldest change is a day old.',
  },
  already_active: { code: 'POLICY_CONFLICT', message: 'This policy is active already.' },
  already_candidate: { code: 'POLICY_CONFLICT', message: 'This policy is the candidate already.' },
  nothing_to_roll_back: {
    code: 'POLICY_CONFLICT',
    message: 'No policy is active, so there is nothing to roll back.',
  },
}

function refuse(reply: Parameters<typeof sendProblem>[0], refused: Refused | null) {
  return sendProblem(reply, refused === null ? notFound : refusals[refused.refusal])
}

function viewOf(policy: ListedPolicy) {
  const view = policyView(policy)
  return { ...view, document: view.document as Static<typeof PolicyDocument> }
}
