/** Answers a request for an unknown path: a page for a browser, the error of the API for everybody else. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { notFound, sendProblem, statusOf } from './errors.ts'
import { pageHeaders } from './routes/console.ts'
import type { BuiltConsole, Forms } from './types.ts'

const bareText = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found · Fairway</title>
<h1>Page not found</h1>
<p>There is no page at this address. Go to the <a href="/">home page</a>, the <a href="/guide/">guide</a> or the <a href="/docs/">API reference</a>.</p>
`

/** Served if the pages are not built. */
const barePage: Forms = { identity: async () => Buffer.from(bareText) }

/** Paths that only programs call. */
const programPaths = /^\/(?:api|auth)(?:[/?]|$)/

function isForBrowser({ method, headers, url }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || programPaths.test(url)) return false
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
}

export type AnswerUnknownPath = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function createAnswerUnknownPath(built: BuiltConsole | null): AnswerUnknownPath {
  const page = built?.get('not-found.html') ?? barePage
  return async (request, reply) => {
    if (!isForBrowser(request)) return sendProblem(reply, notFound)
    const bytes = await page.identity()
    request.problem = notFound
    return reply
      .code(statusOf[notFound.code])
      .headers({ ...pageHeaders, 'cache-control': 'no-store', vary: 'Accept' })
      .send(bytes)
  }
}
