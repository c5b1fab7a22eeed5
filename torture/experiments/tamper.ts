/** Tampering straight in the database, guards dropped: every single change is found, and the end of the log cannot be cut off unseen. */

import { ManualClock } from '../../test/helpers/clock.ts'
import { migratedDatabase, type Engine } from '../../test/helpers/database/databases.ts'
import { assemble, type Harness } from '../../test/helpers/harness.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { asStranger } from '../../test/helpers/database/sql.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { chanceOf } from '../random.ts'
import { auditorOf, coverUp, cutOff, makeHistory, rewrite, type Auditor } from '../tamper/history.ts'
import { takeHold, type Hands } from '../tamper/tables.ts'
import { tamperings, type Tampered } from '../tamper/tampering.ts'

/** How many single changes on each engine. */
const counts = { short: { sqlite: 80, postgres: 24 }, long: { sqlite: 1_000, postgres: 1_000 } }
/** Of each of the three that are made of many changes. */
const rounds = 5

export const experiment: Experiment = {
  promise:
    'Whatever is edited, deleted, inserted or reordered in the history is found, and so is a log cut off or signed anew',
  async run(options) {
    const wanted = counts[options.isShort ? 'short' : 'long']
    const inFile = await tamperOn('sqlite', { ...options, count: options.count ?? wanted.sqlite })
    const onServer = await tamperOn('postgres', { ...options, count: options.count ?? wanted.postgres })
    return {
      figures: { ...inFile.figures, ...onServer.figures },
      violations: [...inFile.violations, ...onServer.violations],
    }
  },
}

async function tamperOn(engine: Engine, options: Options): Promise<Outcome> {
  // In the tests there is a server already.
  const isAlone = engine === 'postgres' && process.env['TEST_DATABASE_URL'] === undefined
  const server = isAlone ? await startPostgres() : null
  const database =
    server === null ? await migratedDatabase(engine) : { url: server.url, drop: () => server.stop() }
  try {
    const random = chanceOf(options.seed)
    const harness = await assemble(database.url, new ManualClock(), { engine, random })
    try {
      await makeHistory(harness)
      const auditor = await auditorOf(harness)
      return await asStranger(database.url, async (stranger) =>
        tamper(engine, harness, auditor, await takeHold(stranger, engine, chanceOf(options.seed)), options),
      )
    } finally {
      await harness.close()
    }
  } finally {
    await database.drop()
  }
}

async function tamper(
  engine: Engine,
  harness: Harness,
  auditor: Auditor,
  hands: Hands,
  { count, seed }: Options,
): Promise<Outcome> {
  const violations: string[] = []
  const sums = new Map<string, number>()
  const insist = (holds: boolean, sentence: string): void => {
    if (!holds) violations.push(`${engine}: ${sentence} (seed ${seed})`)
  }
  const before = await auditor.verify([auditor.kept])
  insist(before.findings.length === 0, `the untouched log: ${before.findings[0]?.message}`)
  let made = 0
  while (made < (count ?? 0)) {
    const [kind, tampering] = hands.chance.pick(Object.entries(tamperings))
    const tampered = await unlessRefused(tampering(hands))
    if (tampered !== null) {
      made += 1
      sums.set(kind, (sums.get(kind) ?? 0) + 1)
      await inspect(tampered, auditor, insist)
    }
    await hands.restore()
  }
  for (let round = 0; round < rounds; round += 1) {
    const what = await coverUp(harness, hands)
    const { findings } = await auditor.verify()
    insist(findings.length > 0, `${what} was not found`)
    await hands.restore()
    await inspectAgainstKept(await rewrite(harness, hands), auditor, insist)
    await hands.restore()
    await inspectAgainstKept(`a log cut off at ${await cutOff(hands)}`, auditor, insist)
    await hands.restore()
  }
  const after = await auditor.verify([auditor.kept])
  insist(after.findings.length === 0, `the restored log: ${after.findings[0]?.message}`)
  const figures = [...sums].map(([kind, sum]) => [`${engine}: ${kind}`, sum] as const)
  return {
    figures: {
      [`${engine}: leaves`]: before.size,
      [`${engine}: changes`]: made,
      ...Object.fromEntries(figures),
    },
    violations,
  }
}

type Insist = (holds: boolean, sentence: string) => void

async function inspect({ what, places }: Tampered, auditor: Auditor, insist: Insist): Promise<void> {
  const { findings } = await auditor.verify()
  insist(findings.length > 0, `${what} (${places[0]}) was not found`)
  const isNamed = findings.some(({ place }) => places.some((one) => place.includes(one)))
  insist(
    findings.length === 0 || isNamed,
    `${what} (${places.join(', ')}) was found elsewhere: ${findings[0]?.place}`,
  )
}

/** True in itself: only who kept a checkpoint of before can tell. */
async function inspectAgainstKept(what: string, auditor: Auditor, insist: Insist): Promise<void> {
  const alone = await auditor.verify()
  insist(
    alone.findings.length === 0,
    `${what}: a checkpoint need not be kept, for ${alone.findings[0]?.place}`,
  )
  const { findings } = await auditor.verify([auditor.kept])
  insist(findings.length > 0, `${what} was not found against a kept checkpoint`)
}

/** Null where the database itself refuses: a name that is taken, a number that it cannot hold. */
async function unlessRefused(work: Promise<Tampered | null>): Promise<Tampered | null> {
  try {
    return await work
  } catch {
    return null
  }
}
