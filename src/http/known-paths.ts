/** Collects the served paths, so that a request with a wrong method gets a 405 that lists the allowed ones. */

import findMyWay from 'find-my-way'
import { sendProblem } from './errors.ts'
import type { FastifyReply } from 'fastify'
import type { App, ServedRoute } from './types.ts'

/** Shared by Fastify's router and the one below, so that both match the same paths. */
export const routerOptions = { maxParamLength: 16_384 }

export interface KnownPaths {
  readonly routes: readonly ServedRoute[]
  /** The route pattern that a URL matches, whatever the method. */
  patternOf(url: string): string | undefined
  /**
   * The pattern of a path with a fixed word, if a request reached a route that has a parameter in its place: GET of
   * `/policies/check`, which has POST alone, reaches `/policies/:policy_id`.
   */
  fixedPathOf(url: string, reached: string | undefined): string | undefined
}

/** Collects every route registered after this call. */
export function collectPaths(app: App): KnownPaths {
  const routes: ServedRoute[] = []
  const router = findMyWay(routerOptions)
  app.addHook('onRoute', ({ url, method, config }) => {
    const access = config?.access ?? null
    for (const one of [method].flat()) routes.push({ method: one, url, access })
    // One tree for all methods: GET is a placeholder.
    if (!router.hasRoute('GET', url)) router.on('GET', url, () => {}, { url })
  })
  const patternOf: KnownPaths['patternOf'] = (url) =>
    (router.find('GET', url)?.store as { url: string } | undefined)?.url
  let ambiguous: ReadonlySet<string> | null = null
  return {
    routes,
    patternOf,
    fixedPathOf(url, reached) {
      // Few routes need the second search, and none of those that decide.
      ambiguous ??= ambiguousIn(routes)
      if (reached === undefined || !ambiguous.has(reached)) return undefined
      const pattern = patternOf(url)
      return pattern === reached ? undefined : pattern
    },
  }
}

/** Patterns with a parameter that a fixed path matches, too. */
function ambiguousIn(routes: readonly ServedRoute[]): ReadonlySet<string> {
  const urls = [...new Set(routes.map(({ url }) => url))]
  const fixed = urls.filter((url) => !/[:*]/.test(url))
  return new Set(
    urls.filter((url) => {
      if (!url.includes(':')) return false
      const form = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`)
      return fixed.some((one) => form.test(one))
    }),
  )
}

export function refuseMethod(reply: FastifyReply, pattern: string): FastifyReply {
  const routes = reply.server.servedRoutes.filter(({ url }) => url === pattern)
  const allowed = [...new Set(routes.map(({ method }) => method))].toSorted().join(', ')
  reply.header('allow', allowed)
  return sendProblem(reply, {
    code: 'METHOD_NOT_ALLOWED',
    message: `This path does not support the method. Use ${allowed}.`,
  })
}
