/** Wraps a store so that each of its calls is a span of the request, or of the follower, that waits for it. */

import type { Store } from '../ports/store.ts'
import type { SpanOptions, Tracing } from '../ports/tracing.ts'

type Room = Readonly<Record<string | symbol, unknown>>
type Call = (...args: unknown[]) => unknown

/** The store itself without tracing. */
export function tracedStore(store: Store, tracing: Tracing | null, databaseUrl: string): Store {
  if (tracing === null) return store
  const system = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgresql'
  const traced = (room: Room, path: string): Room => {
    const known = new Map<string | symbol, unknown>()
    const wrap = (name: string | symbol, value: unknown): unknown => {
      const operation = `${path}${String(name)}`
      if (typeof value === 'function') return call(room, value as Call, operation)
      return typeof value === 'object' && value !== null ? traced(value as Room, `${operation}.`) : value
    }
    return new Proxy(room, {
      get(_, name) {
        if (!known.has(name)) known.set(name, wrap(name, room[name]))
        return known.get(name)
      },
    })
  }
  const call = (room: Room, method: Call, operation: string): Call => {
    const name = `store ${operation}`
    const attributes = { 'db.system.name': system, 'db.operation.name': operation }
    const options: SpanOptions = { kind: 'client', attributes }
    return (...args) => {
      const span = tracing.start(name, options)
      if (span === null) return method.apply(room, args)
      const result = span.within(() => method.apply(room, args))
      if (result instanceof Promise) {
        result.catch((error: unknown) => span.fail(error)).finally(() => span.end())
        return result
      }
      // Nobody waits for it: a span that is not ended is not exported.
      return operation === 'forOwner' ? traced(result as Room, 'owner.') : result
    }
  }
  return traced(store as unknown as Room, '') as unknown as Store
}
