/** Finds the server for quickstart, or starts one on this machine. */

import { ConnectionError, FairwayError, UnavailableError, type Health } from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { stopExitCode, stopSignals } from '../../stop-signals.ts'
import { holdExitCode } from '../session/exit-codes.ts'
import { isUnreachable } from '../session/failure.ts'
import { isHealth } from '../health.ts'
import type { ServerPlace, StartedServer } from '../session/deps.ts'
import type { Screen } from '../session/screen.ts'
import { sleep, type Session, type UserCli } from '../session/session.ts'
import { isLoopback } from '../session/settings.ts'

export type QuickstartServer =
  { readonly kind: 'running' } | { readonly kind: 'started'; readonly server: StartedServer }

/** The first start creates the tables, which takes long on a slow disk. */
const startMsMax = 60_000
const pollEveryMs = 100
const noteEveryMs = 3_000

export async function serverAt(cli: UserCli, session: Session): Promise<QuickstartServer> {
  const { url } = session.connection
  const responder = await probe(session)
  if (responder === 'fairway') {
    session.screen.note(`Fairway is running at ${url}.`)
    return { kind: 'running' }
  }
  if (responder === 'other')
    throw new CommandFailure(`the server at ${url} is not Fairway: use another --url`)
  const place = placeOf(url)
  if (place === null) {
    throw new CommandFailure(
      `no server at ${url}: quickstart can start one only on this machine, at an address such as http://127.0.0.1:8080`,
      holdExitCode,
    )
  }
  session.screen.note(`No server at ${url}: starting one …`)
  const server = await cli.deps.user.startServer(place)
  return stoppingOnFailure(cli, session.screen, { kind: 'started', server }, () =>
    untilHealthy(cli, session, server),
  )
}

/** The host and port to listen on for this address; null if it is not on this machine. */
function placeOf(url: string): ServerPlace | null {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol !== 'http:' || pathname !== '/' || !isLoopback(url)) return null
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) }
}

async function probe({ open }: Session): Promise<'fairway' | 'other' | 'none'> {
  try {
    const body: Partial<Health> = await open.health()
    return isHealth(body) ? 'fairway' : 'other'
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    if (isUnreachable(error)) return 'none'
    // An unhealthy Fairway, or a server that did not respond: report the error itself.
    const isUnhealthy = error.code !== null && error instanceof UnavailableError
    if (isUnhealthy || error instanceof ConnectionError) throw error
    return 'other'
  }
}

async function untilHealthy(
  { deps }: UserCli,
  session: Session,
  server: StartedServer,
): Promise<QuickstartServer> {
  const startedMs = deps.clock.monotonicMs()
  let notedMs = startedMs
  for (;;) {
    // Read before the health check: a response is from our server only if it was already listening. If it had already
    // exited, another server has the address.
    const hasEnded = server.hasEnded()
    const isSettled = hasEnded || server.isListening()
    if ((await isUp(session)) && isSettled)
      return hasEnded ? { kind: 'running' } : { kind: 'started', server }
    if (hasEnded)
      throw new CommandFailure(
        `the server did not start: see ${server.logFile}`,
        1,
        await server.lastLogLines(),
      )
    const nowMs = deps.clock.monotonicMs()
    if (nowMs - startedMs > startMsMax) {
      throw new CommandFailure(
        `the server was not healthy within ${startMsMax / 1000} seconds: see ${server.logFile}`,
        holdExitCode,
        await server.lastLogLines(),
      )
    }
    if (nowMs - notedMs > noteEveryMs) {
      notedMs = nowMs
      session.screen.note(`Waiting for the server to start (${Math.round((nowMs - startedMs) / 1000)} s) …`)
    }
    await sleep(pollEveryMs)
  }
}

async function isUp({ open }: Session): Promise<boolean> {
  try {
    return isHealth(await open.health())
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof UnavailableError) return false
    throw error
  }
}

/** Runs the work. If it fails or a signal arrives, stops the server that quickstart started. */
export async function stoppingOnFailure<Result>(
  { deps }: UserCli,
  screen: Screen,
  target: QuickstartServer,
  work: () => Promise<Result>,
): Promise<Result> {
  if (target.kind === 'running') return work()
  const { server } = target
  const stop = async (): Promise<void> => {
    await server.stop()
    screen.note(`Stopped the server that quickstart started (pid ${server.pid}).`)
  }
  const onSignal = (name: NodeJS.Signals): void => {
    void stop().finally(() => deps.process.exit(stopExitCode(name)))
  }
  for (const name of stopSignals) deps.process.once(name, onSignal)
  try {
    return await work()
  } catch (error) {
    await stop()
    throw error
  } finally {
    for (const name of stopSignals) deps.process.removeListener(name, onSignal)
  }
}
