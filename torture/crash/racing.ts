/** Races for idempotency keys: concurrent requests with one key at two instances, and what must come of them. */

import { setTimeout as pause } from 'node:timers/promises'
import { checkedFetch } from '../../test/helpers/process/checked-fetch.ts'
import { ask, holdCodes } from '../../test/helpers/process/process.ts'
import type { Rng } from '../random.ts'
import type { Expected } from './compare-store.ts'
import type { Scene } from './scene.ts'

export const racers = 20
const alteredOneIn = 10
const readBackOneIn = 10
/** Callers of a service that is held wait a little, so that the machine is free for its recovery. */
const holdMs = 50

interface RacerAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The answers to the racers of one key, separated by body. */
export interface Race {
  readonly name: string
  readonly plain: RacerAnswer[]
  readonly altered: RacerAnswer[]
  /** Whether an answer was lost, which may have been the first one. */
  isUnsure: boolean
  /** Decisions that were answered, and that a read at the other instance did not find. */
  readonly unread: string[]
}

export interface Course {
  readonly scene: Scene
  readonly urlOf: (place: number) => string
  readonly rng: Rng
  /** How long a caller goes on until it has an answer. */
  readonly timeoutMs: number
  /** Called in the middle of a race. */
  readonly atHalf?: () => void
  /** Called with the time that a request took, and whether it was held or its answer lost. */
  readonly onAnswer?: (tookMs: number, isHeld: boolean) => void
}

/** Sends all requests concurrently. A tenth has another body, which may also win. */
export async function raceFor(number: number, course: Course): Promise<Race> {
  const { scene, urlOf, rng, atHalf } = course
  const run: Race = { name: `race-${number}`, plain: [], altered: [], isUnsure: false, unread: [] }
  const racer = async (place: number): Promise<void> => {
    const isAltered = rng.below(alteredOneIn) === 0
    const body = { corridor: 'GB-NG', amount: isAltered ? number + 0.5 : number }
    if (place === Math.floor(racers / 2)) atHalf?.()
    // After a lost connection, retry at the other instance.
    const send = (attempt: number): Promise<Response> =>
      ask(urlOf((place + attempt) % 2), scene.apiKey, body, { 'idempotency-key': run.name })
    const answer = await untilAnswered(run, course, send)
    const answers = isAltered ? run.altered : run.plain
    answers.push(answer)
    if (answer.status === 200 && rng.below(readBackOneIn) === 0)
      await readBack(run, course, place + 1, answer)
  }
  await Promise.all(Array.from({ length: racers }, (_, place) => racer(place)))
  return run
}

/** Retries with the same key, as a client does, after a lost connection or an unavailable store. */
async function untilAnswered(
  run: Race,
  { timeoutMs, onAnswer }: Course,
  send: (attempt: number) => Promise<Response>,
): Promise<RacerAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const startedMs = performance.now()
    const answer = await answerOf(run, () => send(attempt))
    onAnswer?.(performance.now() - startedMs, answer === null)
    if (answer !== null) return answer
    await pause(holdMs)
  }
  throw new Error('no instance answers')
}

/** Null for a hold, a lost connection, or a request that did not arrive in time on a machine that stood still. */
async function answerOf(run: Race, send: () => Promise<Response>): Promise<RacerAnswer | null> {
  try {
    const answer = await send()
    if (answer.status === 408) return null
    const body = (await answer.json()) as RacerAnswer['body']
    if (!holdCodes.test(String(body['code']))) return { status: answer.status, body }
    run.isUnsure = true
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // A refused connection means that no request arrived.
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
    if (code !== 'ECONNREFUSED') run.isUnsure = true
  }
  return null
}

/** A decision that was answered is found by every instance from then on. */
async function readBack(run: Race, course: Course, place: number, { body }: RacerAnswer): Promise<void> {
  const id = String(body['request_id'])
  const headers = { authorization: `Bearer ${course.scene.apiKey}` }
  const read = () => checkedFetch(`${course.urlOf(place % 2)}/api/v1/audit/${id}`, { headers })
  const { status } = await untilAnswered(run, course, read)
  if (status !== 200) run.unread.push(`${id} was answered, and then read as ${status}`)
}

/** Checks that one body got the decision and the other was refused. Either body may win the race. */
export function judge({ name, plain, altered, isUnsure, unread }: Race): string[] {
  const isDecided = (answer: RacerAnswer): boolean => answer.status === 200
  const [winners, losers] = plain.some(isDecided) ? [plain, altered] : [altered, plain]
  const faults: string[] = [...unread]
  if (!winners.every(isDecided)) faults.push(`${name}: one body got ${statusesOf(winners)}`)
  if (!losers.every(({ status, body }) => status === 409 && body['code'] === 'IDEMPOTENCY_CONFLICT')) {
    faults.push(`${name}: the other body got ${statusesOf(losers)}`)
  }
  const ids = new Set(winners.map(({ body }) => body['request_id']))
  if (ids.size !== 1) faults.push(`${name}: ${ids.size} decisions`)
  const firsts = winners.filter(({ body }) => body['idempotency_hit'] === false).length
  // The first answer may be the lost one.
  if (firsts > 1 || (firsts === 0 && !isUnsure)) faults.push(`${name}: ${firsts} with idempotency_hit false`)
  return faults
}

const statusesOf = (answers: readonly RacerAnswer[]): string => answers.map(({ status }) => status).join(' ')

/** The id of the one decision of a race. */
function winnerOf({ plain, altered }: Race): string {
  return String([...plain, ...altered].find(({ status }) => status === 200)?.body['request_id'])
}

/** The contents that the store must have after these races, for `compareStore`. */
export function expectedOf(races: readonly Race[]): Expected {
  const ids = new Map(races.map((run) => [run.name, winnerOf(run)]))
  return { expected: () => ids, answered: ids, unsure: new Set() }
}

/** All answers of these races. */
export function answersOf(races: readonly Race[]): RacerAnswer[] {
  return races.flatMap(({ plain, altered }) => [...plain, ...altered])
}
