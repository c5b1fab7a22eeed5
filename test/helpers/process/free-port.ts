/** Finds a free port below those that systems give to outgoing connections, so that no connection takes it meanwhile. */

import { once } from 'node:events'
import { createServer } from 'node:net'

const firstPort = 10_000
const portCount = 20_000

/** Processes start at different ports, and each tries every port once before it repeats one. */
let tried = process.pid * 37

export async function freePort(): Promise<number> {
  for (;;) {
    tried += 1
    const port = firstPort + (tried % portCount)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  await once(probe.close(), 'close')
  return true
}
