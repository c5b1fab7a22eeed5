/** The platform as an operator meets it: a running server that probes by itself, and `fairway cip`. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supportedCorridors } from '../../../src/core/reference/corridor.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { engines, freshDatabase, migratedDatabase } from '../../helpers/database/databases.ts'
import { runInProcess, serveInProcess } from '../../helpers/process/in-process.ts'
import { run } from '../../helpers/process/process.ts'
import { withDirectDatabase, rowsOf } from '../../helpers/database/sql.ts'

const dayMs = 86_400_000

interface Status {
  readonly observations_collected: number
  readonly state: string
  readonly governed_by: string
  readonly blend_weight: number
}

async function statusOf(url: string): Promise<Status> {
  return (await (await checkedFetch(`${url}/api/v1/cip/status`)).json()) as Status
}

/** Days of observations, none of them simulated. */
async function collect(databaseUrl: string, days: number): Promise<void> {
  await withDirectDatabase(databaseUrl, async ({ run: sql }) => {
    const today = Math.floor(Date.now() / dayMs)
    for (let day = today - days; day < today; day += 1) {
      for (const corridor of supportedCorridors) {
        await sql(`INSERT INTO cip_days (corridor, day, observations) VALUES ('${corridor}', ${day}, 1440)`)
      }
    }
  })
}

/** So many simulated observations on each day of each corridor. */
function simulate(databaseUrl: string, count: number): Promise<unknown> {
  return withDirectDatabase(databaseUrl, ({ run: sql }) => sql(`UPDATE cip_days SET simulated = ${count}`))
}

for (const engine of engines) {
  const probing =
    engine === 'sqlite'
      ? 'a server probes by itself'
      : 'servers probe by themselves, of two of them one at a time'
  test(`${probing} (${engine})`, async () => {
    const database = await freshDatabase(engine)
    // A pace that only the first turn keeps within this test.
    const environment = { DATABASE_URL: database.url, FAIRWAY_CIP_PROBE_S: '1800' }
    // One server owns a file.
    const servers = [await serveInProcess(environment)]
    if (engine === 'postgres') servers.push(await serveInProcess(environment))
    try {
      for (const { url } of servers) {
        while ((await statusOf(url)).observations_collected === 0) await statusOf(url)
      }
      const rows = await rowsOf(database.url, 'SELECT corridor, adapter, composite FROM cip_observations')
      assert.deepEqual(rows.map((row) => String(row['corridor'])).toSorted(), [...supportedCorridors])
      assert.ok(rows.every((row) => Number(row['composite']) > 80_000 && row['adapter'] === 'simulation'))
    } finally {
      for (const server of servers) assert.equal(await server.stop(), 0)
      await database.drop()
    }
  })

  test(`a transition is checked, recorded with who, when and why, and followed by a running server (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const environment = { DATABASE_URL: database.url }
    const server = await serveInProcess({ ...environment, FAIRWAY_CIP_PROBE_S: '0' })
    const transition = (...args: readonly string[]) =>
      runInProcess(['cip', 'transition', ...args], environment)
    const provisional = ['--to', 'provisional', '--reference', 'CHANGE-1042', '--blend-weight']
    const refusal = async (args: readonly string[], reason: RegExp): Promise<void> => {
      const { code, stderr } = await transition(...args)
      assert.equal(code, 1)
      assert.match(stderr, reason)
    }
    try {
      await refusal(
        [...provisional, '0.05'],
        /refused: provisional with a blend weight of 0\.05 requires the quality gate: the corpus has 0 of the 14 complete days/,
      )
      await collect(database.url, 14)
      await simulate(database.url, 1)
      await refusal(
        [...provisional, '0.05'],
        /refused: .* the quality gate: 28 of the 40320 observations of the corpus come from the simulation/,
      )
      await simulate(database.url, 0)
      await refusal(
        [...provisional, '0.11'],
        /refused: provisional requires .* from 0\.05 to 0\.10, not 0\.11/,
      )
      const made = await transition(
        ...provisional,
        '0.05',
        '--by',
        'Ops on call',
        '--reason',
        'gate',
        '--json',
      )
      assert.equal(made.code, 0, made.stderr)
      const told = JSON.parse(made.stdout) as Record<string, unknown>
      assert.deepEqual(
        ['to', 'blend_weight', 'reference', 'made_by', 'reason', 'number'].map((name) => told[name]),
        ['provisional', 0.05, 'CHANGE-1042', 'Ops on call', 'gate', 1],
      )
      const { state, governed_by: governedBy, blend_weight: weight } = await statusOf(server.url)
      assert.deepEqual([state, governedBy, weight], ['scoring_active', 'CHANGE-1042', 0.05])
      await refusal([...provisional, '0.05'], /refused: the platform is already provisional/)
      await refusal(
        ['--to', 'validated', '--reference', 'C-2'],
        /refused: .* provisional for 14 days first, .* for 0/,
      )
      assert.equal((await transition('--to', 'telemetry_only', '--reference', 'C-3')).code, 0)
      const { stdout } = await run(['cip', 'status'], environment)
      assert.match(stdout, /^Stage {9}telemetry_only since /)
      assert.match(stdout, /CHANGE-1042 +Ops on call +gate/)
      assert.match(stdout, /\n2 +\S+ +telemetry_only +0\.00 +C-3 +\S+/)
    } finally {
      assert.equal(await server.stop(), 0)
      await database.drop()
    }
  })
}

test('what is asked wrongly is refused with the rule', async () => {
  const database = await migratedDatabase('sqlite')
  const environment = { DATABASE_URL: database.url }
  const rows: [args: string[], message: RegExp][] = [
    [['--to', 'provisional'], /--reference/],
    [
      ['--to', 'scoring_active', '--reference', 'C'],
      /telemetry_only, scoring_passive, provisional, validated/,
    ],
    [['--to', 'provisional', '--reference', 'two words'], /letters, digits/],
    [['--to', 'provisional', '--reference', 'C', '--blend-weight', '5%'], /share from 0 to 1/],
    [['--to', 'telemetry_only', '--reference', 'C'], /already/],
    [['--to', 'scoring_passive', '--reference', 'C', '--blend-weight', '0.05'], /a blend weight of 0, not/],
  ]
  for (const [args, message] of rows) {
    const { code, stderr } = await runInProcess(['cip', 'transition', ...args], environment)
    assert.notEqual(code, 0)
    assert.match(stderr, message)
  }
  await database.drop()
})
