/** Measures the cost of the NATS sink to verify: throughput with events published beside, relative to without. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/helpers/process/free-port.ts'
import { natsNeeded } from '../../test/helpers/process/runtimes.ts'
import type { Bench } from '../bench.ts'
import { alternate, rowOf, type Contender } from '../harness/pair.ts'
import { closeAtEnd, temporaryDirectory } from '../harness/processes.ts'
import { startService, type Engine } from '../harness/service.ts'
import type { Row } from '../report.ts'
import { until } from '../webhooks/setup.ts'

export async function benchSink(bench: Bench): Promise<Row[]> {
  if (natsNeeded.skip !== false) {
    bench.print(`stream: skipped, ${natsNeeded.skip}`)
    return []
  }
  const rows: Row[] = []
  for (const engine of bench.sizes.sideEngines) rows.push(await benchEngine(bench, engine))
  return rows
}

async function benchEngine(bench: Bench, engine: Engine): Promise<Row> {
  const { sizes, databases, print } = bench
  const port = await startNats()
  const start = async (settings: Readonly<Record<string, string>>): Promise<Contender> => {
    const database = await databases.fresh(engine)
    return { database, server: await startService(database, settings) }
  }
  const off = await start({})
  const on = await start({ FAIRWAY_NATS_URL: `nats://127.0.0.1:${port}` })
  const lags: number[] = []
  const pairs = await alternate(bench, { without: off, with: on }, async () => {
    lags.push(await lagOf(on))
    // Events that are published later must not slow the other server's round.
    await until('all events in the stream', async () => (await lagOf(on)) === 0)
  })
  for (const { server } of [off, on]) await server.stop()
  print(
    `stream on ${engine}: ${sizes.rounds} rounds; behind at their ends by up to ${Math.max(...lags)} events`,
  )
  const row = `${engine}: verify with events published to NATS, relative to without`
  return rowOf('stream', row, pairs, { bound: 'at least', value: 0.97 })
}

/** Entries that the follower has not published yet. */
async function lagOf({ server }: Contender): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`)
  const { followers } = (await answer.json()) as {
    followers: readonly { readonly name: string; readonly lag_entries: number }[]
  }
  return followers.find(({ name }) => name === 'stream')?.lag_entries ?? 0
}

/** With low priority: elsewhere it has a machine of its own, and only Fairway's cost is of interest. */
async function startNats(): Promise<number> {
  const port = await freePort()
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', temporaryDirectory()]
  const child = spawn(natsNeeded.path(), args, { stdio: 'ignore' })
  closeAtEnd(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  while (!(await isListening(port))) await pause(20)
  return port
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
