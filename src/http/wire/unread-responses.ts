/** Ends connections whose client does not take its response, so that nobody can gather them. */

import type { FastifyRequest } from 'fastify'
import { limits } from '../limits.ts'
import type { App } from '../types.ts'

/** Every response is over within `responseMsMax` of its request, or its connection is ended. */
export function endUnreadResponses(app: App): void {
  const open = new Set<FastifyRequest>()
  app.addHook('onRequest', (request, reply, done) => {
    open.add(request)
    // Also if the client goes away before.
    reply.raw.once('close', () => open.delete(request))
    done()
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', (done) => {
    timer = setInterval(() => endLate(open), limits.timeoutsCheckedEveryMs).unref()
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}

/** In the order of their arrival, so that it stops at the first that still has time. */
function endLate(open: Set<FastifyRequest>): void {
  for (const request of open) {
    if (request.timer.elapsedMs() < limits.responseMsMax) return
    open.delete(request)
    request.log.info('http: the response was not read in time, so its connection is ended')
    request.raw.socket.destroy()
  }
}
