/** The server of a quickstart: the one that answers, or one that is started on this machine. */

import { ConnectionError, FairwayError, UnavailableError, type Health } from '../../../../client/src/index.ts'
import { CommandFailure } from '../../deps.ts'
import { holdExitCode } from '../session/exit-codes.ts'
import { isNobodyThere } from '../session/failure.ts'
import { isHealth } from '../health.ts'
import type { ServerPlace, StartedServer } from '../session/deps.ts'
import type { Screen } from '../session/screen.ts'
import { sleep, type Session, type UserCli } from '../session/session.ts'
import { isLoopback } from '../session/settings.ts'

export type FoundServer =
  { readonly kind: 'running' } | { readonly kind: 'started'; readonly server: StartedServer }

/** A first start makes the tables; a slow disk takes its time for that. */
const startMsMax = 60_000
const lookEveryMs = 100
const noteEveryMs = 3_000

export async function serverAt(cli: UserCli, session: Session): Promise<FoundServer> {
  const { url } = session.connection
  const who = await whoAnswers(session)
  if (who === 'fairway') {
    session.screen.note(`Fairway answers at ${url}.`)
    return { kind: 'running' }
  }
  if (who === 'another')
    throw new CommandFailure(`something else than Fairway answers at ${url}: give another --url`)
  const place = placeOf(url)
  if (place === null) {
    throw new CommandFailure(
      `nothing answers at ${url}, and a server can be started on this machine only, at an address like http://127.0.0.1:8080`,
      holdExitCode,
    )
  }
  session.screen.note(`Nothing answers at ${url}: starting a server …`)
  const server = await cli.parts.user.startServer(place)
  return stopping(cli, session.screen, { kind: 'started', server }, () => untilHealthy(cli, session, server))
}

/** Where a server can listen for this address; null where it leads elsewhere. */
function placeOf(url: string): ServerPlace | null {
  const { protocol, hostname, port, pathname } = new URL(url)
  if (protocol !== 'http:' || pathname !== '/' || !isLoopback(url)) return null
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) }
}

async function whoAnswers({ open }: Session): Promise<'fairway' | 'another' | 'nobody'> {
  try {
    const body: Partial<Health> = await open.health()
    return isHealth(body) ? 'fairway' : 'another'
  } catch (error) {
    if (!(error instanceof FairwayError)) throw error
    if (isNobodyThere(error)) return 'nobody'
    // It is Fairway, and not well; or nobody knows who it is, since nothing came. Either is told as it is.
    const isTold = error.code !== null && error instanceof UnavailableError
    if (isTold || error instanceof ConnectionError) throw error
    return 'another'
  }
}

async function untilHealthy(
  { parts }: UserCli,
  session: Session,
  server: StartedServer,
): Promise<FoundServer> {
  const startedMs = parts.clock.monotonicMs()
  let notedMs = startedMs
  for (;;) {
    // Asked before: whoever answers is ours only if ours had the address by then, and another's if ours had given up.
    const hasEnded = server.hasEnded()
    const isKnown = hasEnded || server.isListening()
    if ((await isUp(session)) && isKnown) return hasEnded ? { kind: 'running' } : { kind: 'started', server }
    if (hasEnded)
      throw new CommandFailure(`the server did not start: see ${server.logFile}`, 1, await server.lastWords())
    const nowMs = parts.clock.monotonicMs()
    if (nowMs - startedMs > startMsMax) {
      throw new CommandFailure(
        `the server was not healthy within ${startMsMax / 1000} seconds: see ${server.logFile}`,
        holdExitCode,
        await server.lastWords(),
      )
    }
    if (nowMs - notedMs > noteEveryMs) {
      notedMs = nowMs
      session.screen.note(`It is starting, for ${Math.round((nowMs - startedMs) / 1000)} s now …`)
    }
    await sleep(lookEveryMs)
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

/** A terminal that is closed hangs up. */
const endings = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
const endingNames = Object.keys(endings) as (keyof typeof endings)[]

/** Does the work; where it fails, or somebody says stop, the server that was started for it is stopped again. */
export async function stopping<Result>(
  { parts }: UserCli,
  screen: Screen,
  found: FoundServer,
  work: () => Promise<Result>,
): Promise<Result> {
  if (found.kind === 'running') return work()
  const { server } = found
  const stop = async (): Promise<void> => {
    await server.stop()
    screen.note(`The server that was started (pid ${server.pid}) is stopped again.`)
  }
  const onSignal = (name: NodeJS.Signals): void => {
    void stop().finally(() => parts.process.exit(endings[name as keyof typeof endings]))
  }
  for (const name of endingNames) parts.process.once(name, onSignal)
  try {
    return await work()
  } catch (error) {
    await stop()
    throw error
  } finally {
    for (const name of endingNames) parts.process.removeListener(name, onSignal)
  }
}
