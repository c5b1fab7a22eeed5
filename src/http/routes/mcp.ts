/** POST /mcp: the Model Context Protocol over streamable HTTP. Each call of a tool is a request to this API by the same key. */

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { prefixedId } from '../../app/verify/ids.ts'
import { isObject } from '../../core/reference/json.ts'
import type { Api, ApiAnswer, ApiCall } from '../../mcp/api.ts'
import { ProblemError, problemBody, sendProblem, statusOf, stopping } from '../errors.ts'
import { isFromOwnPage, siteOf } from '../site.ts'
import { otherOrigin } from '../person-guard.ts'
import type { App, AppDeps } from '../types.ts'

type McpRouteDeps = Pick<AppDeps, 'methodology' | 'publicUrl' | 'random'>

/** The part that talks to the protocol's library, which takes its time to load. Most processes never need it. */
const loadMcp = () => import('../../mcp/http.ts')

export async function registerMcp(app: App, deps: McpRouteDeps): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.setErrorHandler(answerUnreadable)
    scope.route({
      method: 'POST',
      url: '/mcp',
      config: { access: { scope: null, limit: 'keyed', callers: 'keys' } },
      schema: { hide: true },
      // A page that has rebound its name to this address has another origin. Programs send none.
      onRequest(request, reply, next) {
        const isForeign =
          request.headers.origin !== undefined && !isFromOwnPage(request, siteOf(request, deps.publicUrl))
        if (isForeign) sendProblem(reply, otherOrigin)
        else next()
      },
      handler: (request, reply) => answerMessage(app, deps, request, reply),
    })
    done()
  })
}

async function answerMessage(
  app: App,
  deps: McpRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { answerMcp, invalidRequestCode, rpcError } = await loadMcp()
  const { body } = request
  if (!isObject(body)) {
    const message = Array.isArray(body)
      ? 'Send one message at a time: batches are not supported.'
      : 'Send a message.'
    return reply.code(400).send(rpcError(invalidRequestCode, message))
  }
  const mcpDeps = {
    api: apiOf(app, deps, request),
    methodology: deps.methodology,
    onUnexpected: (error: unknown) => request.log.error({ err: error }, 'mcp: unexpected error'),
  }
  const response = await answerMcp(mcpDeps, webRequest(request), body)
  const text = await response.text()
  for (const [name, value] of response.headers) reply.header(name, value)
  return text === '' ? reply.code(response.status).send() : reply.code(response.status).send(text)
}

/** An unreadable body is an error of JSON-RPC. Every other error is that of the API. */
async function answerUnreadable(
  error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isUnreadable = error instanceof ProblemError && error.problem.code === 'INVALID_REQUEST'
  if (!isUnreadable) throw error
  const { parseErrorCode, rpcError } = await loadMcp()
  return reply.code(statusOf.INVALID_REQUEST).send(rpcError(parseErrorCode, error.problem.message))
}

/** Headers of the protocol alone: a key is for the API, and nothing else reads it. */
function webRequest({ headers }: FastifyRequest): Request {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    /^(?:accept|content-type|mcp-.+)$/.test(name) && typeof value === 'string'
      ? [[name, value] as const]
      : [],
  )
  return new Request('http://localhost/mcp', { method: 'POST', headers: named.map(([...pair]) => pair) })
}

/** The API as this caller reaches it: with the same key, and every check and limit of a request from outside. */
function apiOf(app: App, { random }: McpRouteDeps, { headers, id }: FastifyRequest): Api {
  const { authorization, 'x-api-key': apiKey, traceparent } = headers
  const own = Object.fromEntries(
    Object.entries({ authorization, 'x-api-key': apiKey, traceparent }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  return {
    newIdempotencyKey: () => prefixedId('mcp', random),
    async send(call) {
      try {
        return await inject(app, call, own)
      } catch (error) {
        if (!isStopping(error)) throw error
        return failureIn(
          problemBody(stopping, id),
          statusOf[stopping.code],
          stopping.retryAfterSeconds ?? null,
        )
      }
    },
  }
}

async function inject(
  app: App,
  { method, path, body }: ApiCall,
  own: Readonly<Record<string, string | string[] | undefined>>,
): Promise<ApiAnswer> {
  const sent = body === null ? {} : { payload: JSON.stringify(body) }
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const response = await app.inject({ method, url: path, headers: { ...own, ...type }, ...sent })
  const { statusCode, headers } = response
  const answer: unknown = JSON.parse(response.body)
  if (statusCode === 200) return { kind: 'answered', body: answer, link: headers.link?.toString() ?? null }
  const wait = Number(headers['retry-after'])
  return failureIn(answer, statusCode, Number.isFinite(wait) ? wait : null)
}

/** Once the service closes, it takes no request from itself. */
const isStopping = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER'

function failureIn(body: unknown, status: number, retryAfterSeconds: number | null): ApiAnswer {
  const {
    code,
    message,
    request_id: requestId,
    errors,
    unavailable_signals: signals,
  } = body as ReturnType<typeof problemBody>
  return {
    kind: 'failed',
    failure: {
      isHold: status >= 500 || status === statusOf.RATE_LIMITED,
      code,
      message,
      isOwnMessage: false,
      requestId,
      retryAfterSeconds,
      errors: errors ?? [],
      unavailableSignals: signals ?? [],
    },
  }
}
