/** Tampers with the history directly in the database, without its guards: every change and truncation is found. */

import { ManualClock } from '../../test/helpers/clock.ts'
import { migratedDatabase, type Engine } from '../../test/helpers/database/databases.ts'
import { assemble, type Harness } from '../../test/helpers/harness.ts'
import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { withDirectDatabase } from '../../test/helpers/database/sql.ts'
import type { Experiment, Options, Outcome } from '../experiment.ts'
import { createRng } from '../random.ts'
import { auditorOf, coverUp, createHistory, rewrite, truncateLog, type Auditor } from '../tamper/history.ts'
import { openDirectAccess, type DirectAccess } from '../tamper/tables.ts'
import { tamperings, type Tampered } from '../tamper/tampering.ts'

/** Single changes per engine. */
const counts = { short: { sqlite: 80, postgres: 24 }, long: { sqlite: 1_000, postgres: 1_000 } }
/** Rounds of each of the three attacks with many changes. */
const rounds = 5

export const experiment: Experiment = {
  promise:
    'Every edit, deletion, insertion and reordering in the history is found, and so is a truncated or re-signed log',
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
  // The tests already have a server.
  const isAlone = engine === 'postgres' && process.env['TEST_DATABASE_URL'] === undefined
  const server = isAlone ? await startPostgres() : null
  const database =
    server === null ? await migratedDatabase(engine) : { url: server.url, drop: () => server.stop() }
  try {
    const random = createRng(options.seed)
    const harness = await assemble(database.url, new ManualClock(), { engine, random })
    try {
      await createHistory(harness)
      const auditor = await auditorOf(harness)
      return await withDirectDatabase(database.url, async (stranger) =>
        tamper(
          engine,
          harness,
          auditor,
          await openDirectAccess(stranger, engine, createRng(options.seed)),
          options,
        ),
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
  access: DirectAccess,
  { count, seed }: Options,
): Promise<Outcome> {
  const violations: string[] = []
  const sums = new Map<string, number>()
  const ensure = (holds: boolean, sentence: string): void => {
    if (!holds) violations.push(`${engine}: ${sentence} (seed ${seed})`)
  }
  const before = await auditor.verify([auditor.saved])
  ensure(before.findings.length === 0, `the original log: ${before.findings[0]?.message}`)
  let changes = 0
  while (changes < (count ?? 0)) {
    const [kind, tampering] = access.rng.pick(Object.entries(tamperings))
    const tampered = await unlessRefused(tampering(access))
    if (tampered !== null) {
      changes += 1
      sums.set(kind, (sums.get(kind) ?? 0) + 1)
      await inspect(tampered, auditor, ensure)
    }
    await access.restore()
  }
  for (let round = 0; round < rounds; round += 1) {
    const what = await coverUp(harness, access)
    const { findings } = await auditor.verify()
    ensure(findings.length > 0, `${what} was not found`)
    await access.restore()
    await inspectAgainstSaved(await rewrite(harness, access), auditor, ensure)
    await access.restore()
    await inspectAgainstSaved(`a log truncated at ${await truncateLog(access)}`, auditor, ensure)
    await access.restore()
  }
  const after = await auditor.verify([auditor.saved])
  ensure(after.findings.length === 0, `the restored log: ${after.findings[0]?.message}`)
  const figures = [...sums].map(([kind, sum]) => [`${engine}: ${kind}`, sum] as const)
  return {
    figures: {
      [`${engine}: leaves`]: before.size,
      [`${engine}: changes`]: changes,
      ...Object.fromEntries(figures),
    },
    violations,
  }
}

type Ensure = (holds: boolean, sentence: string) => void

async function inspect({ what, places }: Tampered, auditor: Auditor, ensure: Ensure): Promise<void> {
  const { findings } = await auditor.verify()
  ensure(findings.length > 0, `${what} (${places[0]}) was not found`)
  const isNamed = findings.some(({ place }) => places.some((one) => place.includes(one)))
  ensure(
    findings.length === 0 || isNamed,
    `${what} (${places.join(', ')}) was reported at another place: ${findings[0]?.place}`,
  )
}

/** The log is consistent in itself; only an earlier saved checkpoint exposes the attack. */
async function inspectAgainstSaved(what: string, auditor: Auditor, ensure: Ensure): Promise<void> {
  const alone = await auditor.verify()
  ensure(
    alone.findings.length === 0,
    `${what} was found without a saved checkpoint, at ${alone.findings[0]?.place}`,
  )
  const { findings } = await auditor.verify([auditor.saved])
  ensure(findings.length > 0, `${what} was not found with a saved checkpoint`)
}

/** Null if the database itself refuses the change, such as a duplicate key or a number out of range. */
async function unlessRefused(work: Promise<Tampered | null>): Promise<Tampered | null> {
  try {
    return await work
  } catch {
    return null
  }
}
