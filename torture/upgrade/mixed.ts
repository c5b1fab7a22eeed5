/** Checks both versions while they serve one database, whose schema is that of the new one. */

import { setTimeout as pause } from 'node:timers/promises'
import { migrations } from '../../src/adapters/store/engine/migrations.ts'
import { rowsOf } from '../../test/helpers/database/sql.ts'
import { ask, finished, run, start } from '../../test/helpers/process/process.ts'
import { nameOf, type Book } from '../crash/book.ts'
import type { Scene } from '../crash/scene.ts'
import type { Rng } from '../random.ts'
import type { Fleet } from './fleet.ts'
import type { Load } from './load.ts'

const sampleSize = 30
const pollEveryMs = 50
const timeoutMs = 60_000

interface Stage {
  readonly scene: Scene
  readonly fleet: Fleet
  readonly book: Book
}

interface Mixed {
  /** The payment whose text was erased: it cannot be repeated any more. */
  readonly erased: number
  readonly violations: readonly string[]
}

export async function checkMixed(
  { databaseUrl, oldEntry }: { readonly databaseUrl: string; readonly oldEntry: string },
  { scene, fleet, book }: Stage,
  load: Load,
  rng: Rng,
): Promise<Mixed> {
  const { apiKey } = scene
  const violations = await untilNewFollows(databaseUrl)
  await fleet.checkReady('beside the other version')
  violations.push(...(await restartOld(scene, oldEntry)))
  // So that there are decisions of both versions on the new schema.
  await load.more(sampleSize)
  const all = [...book.answered.keys()]
  for (const { served } of fleet.serving)
    await book.retryAll(
      { url: served.url, apiKey },
      Array.from({ length: sampleSize }, () => rng.pick(all)),
    )
  const erased = rng.pick(all.filter((number) => number % 5 === 0))
  violations.push(...(await eraseOne(databaseUrl, { scene, fleet, book }, erased)))
  return { erased, violations }
}

/** The new version takes the lease: it has followers that the old one lacks. */
async function untilNewFollows(databaseUrl: string): Promise<string[]> {
  const untilMs = performance.now() + timeoutMs
  for (;;) {
    const [row] = await rowsOf(databaseUrl, 'SELECT holder FROM journal_lease')
    if (String(row?.['holder']).endsWith(`.${migrations.length}`)) return []
    if (performance.now() > untilMs) return ['the new version has not taken over the followers']
    await pause(pollEveryMs)
  }
}

/** There is no way back: the old version does not start on the new schema, and says so. */
async function restartOld({ environment }: Scene, entry: string): Promise<string[]> {
  const { code, stdout, stderr } = await finished(start(['serve'], { ...environment, PORT: '0' }, { entry }))
  const isRefused = code !== 0 && /newer than this program's \d+; upgrade Fairway/.test(stdout + stderr)
  return isRefused
    ? []
    : [`the old version started on the new schema, or failed otherwise: ${code} ${stderr}`]
}

/** An act of a kind that the old version does not know. A repeat is refused by both, and not decided again. */
async function eraseOne(databaseUrl: string, { scene, fleet }: Stage, number: number): Promise<string[]> {
  const { apiKey, ownerId } = scene
  const args = [
    'erase',
    '--owner',
    ownerId,
    '--correlation-id',
    `order-${number}`,
    '--reference',
    'UPGRADE-1',
  ]
  const { code, stderr } = await run([...args, '--yes'], { DATABASE_URL: databaseUrl })
  if (code !== 0) return [`the erasure ended with ${code}: ${stderr}`]
  const violations: string[] = []
  for (const { version, served } of fleet.serving) {
    const body = { corridor: 'GB-NG', amount: 1, correlation_id: `order-${number}` }
    const answer = await ask(served.url, apiKey, body, { 'idempotency-key': nameOf(number) })
    if (answer.status !== 409)
      violations.push(`the ${version} version answered a repeat of an erased payment with ${answer.status}`)
  }
  return violations
}
