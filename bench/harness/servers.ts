/** Services for groups without special settings: one per group, or one for all in a quick run. */

import { startService, type Database, type Databases, type Engine, type Server } from './service.ts'

const settings = {
  // Long enough that a cooldown does not end during a round.
  FAIRWAY_COOLDOWN_S: '86400',
  FAIRWAY_LIMIT_BATCH: '1000000/60',
}

export interface Service {
  readonly database: Database
  readonly server: Server
}

export interface Servers {
  open(engine: Engine): Promise<Service>
  close(service: Service): Promise<void>
}

/** A start takes seconds on a busy machine. A quick run stores little, so its groups can share a service. */
export function createServers(databases: Databases, isShared: boolean): Servers {
  const shared = new Map<Engine, Promise<Service>>()
  async function start(engine: Engine): Promise<Service> {
    const database = await databases.fresh(engine)
    return { database, server: await startService(database, settings) }
  }
  return {
    open(engine) {
      if (!isShared) return start(engine)
      const service = shared.get(engine) ?? start(engine)
      shared.set(engine, service)
      return service
    },
    async close({ database, server }) {
      if (isShared) return
      await server.stop()
      await databases.discard(database)
    },
  }
}
