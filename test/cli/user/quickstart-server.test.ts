/** Which server a quickstart takes for its own, and when it starts none. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, TimeoutError, type Health } from '../../../client/src/index.ts'
import type { StartedServer } from '../../../src/cli/user/session/deps.ts'
import { serverAt } from '../../../src/cli/user/quickstart/server.ts'
import { Screen } from '../../../src/cli/user/session/screen.ts'
import type { Session, UserCli } from '../../../src/cli/user/session/session.ts'
import { terminalOf } from '../../helpers/process/user.ts'

const healthy = { status: 'healthy', version: '1', total_verifications: 0 } as Health
const refused = new ConnectionError(
  'x',
  {},
  { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) },
)

/** Somebody answers from the second look on; what becomes of our own is said for each look after its start. */
async function foundWith(looks: readonly ('starting' | 'ended' | 'listening')[], first: Error = refused) {
  let asked = 0
  let started = 0
  const now = (): string => looks[Math.min(asked - 1, looks.length - 1)] ?? ''
  const server: StartedServer = {
    pid: 1,
    logFile: 'log',
    hasEnded: () => now() === 'ended',
    isListening: () => now() === 'listening',
    lastLogLines: () => Promise.resolve([]),
    stop: () => Promise.resolve(),
  }
  const startServer = (): Promise<StartedServer> => {
    started += 1
    return Promise.resolve(server)
  }
  const health = (): Promise<Health> => {
    asked += 1
    return asked === 1 ? Promise.reject(first) : Promise.resolve(healthy)
  }
  const cli = {
    deps: { process, clock: { monotonicMs: () => 0 }, user: { startServer } },
  } as unknown as UserCli
  const session = {
    screen: new Screen(terminalOf(), {}),
    connection: { url: 'http://127.0.0.1:8080' },
    open: { health },
  } as unknown as Session
  const outcome = await serverAt(cli, session).then(
    ({ kind }) => kind,
    (error: Error) => error.name,
  )
  return { outcome, started }
}

test('a server is our own only when our own says that it takes requests', async () => {
  assert.deepEqual(await foundWith(['listening']), { outcome: 'started', started: 1 })
  assert.deepEqual(await foundWith(['starting', 'starting', 'listening']), { outcome: 'started', started: 1 })
})

test('where another was quicker to take the address, it was running already', async () => {
  assert.deepEqual(await foundWith(['starting', 'starting', 'ended']), { outcome: 'running', started: 1 })
})

test('no answer is told as that, and nothing is started beside it', async () => {
  const reset = new ConnectionError('x', {}, { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) })
  assert.deepEqual(await foundWith([], reset), { outcome: 'ConnectionError', started: 0 })
  assert.deepEqual(await foundWith([], new TimeoutError('x')), { outcome: 'TimeoutError', started: 0 })
})
