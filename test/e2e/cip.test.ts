/** The platform as an operator meets it: a running server that probes by itself, and `fairway cip`. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { supportedCorridors } from '../../src/core/corridor.ts'
import { engines, freshDatabase } from '../helpers/databases.ts'
import { run, serve } from '../helpers/process.ts'
import { asStranger, rowsOf } from '../helpers/sql.ts'

const dayMs = 86_400_000

interface Status {
  readonly observations_collected: number
  readonly state: string
  readonly governed_by: string
  readonly blend_weight: number
}

async function statusOf(url: string): Promise<Status> {
  return (await (await fetch(`${url}/api/v1/cip/status`)).json()) as Status
}

/** Days of observations, as the probe would have left them. */
async function collect(databaseUrl: string, days: number): Promise<void> {
  await asStranger(databaseUrl, async ({ run: sql }) => {
    const today = Math.floor(Date.now() / dayMs)
    for (let day = today - days; day < today; day += 1) {
      for (const corridor of supportedCorridors) {
        await sql(`INSERT INTO cip_days (corridor, day, observations) VALUES ('${corridor}', ${day}, 1440)`)
      }
    }
  })
}

for (const engine of engines) {
  test(`a server probes by itself, two of them one at a time, and a transition is formal (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const environment = { DATABASE_URL: database.url }
    // A pace that only the first turn keeps within this test.
    const servers = [await serve({ ...environment, FAIRWAY_CIP_PROBE_S: '86400' })]
    servers.push(await serve({ ...environment, FAIRWAY_CIP_PROBE_S: '86400' }))
    const [{ url } = { url: '' }] = servers
    try {
      while ((await statusOf(url)).observations_collected === 0) await statusOf(url)
      const rows = await rowsOf(database.url, 'SELECT corridor, adapter, composite FROM cip_observations')
      assert.deepEqual(rows.map((row) => String(row['corridor'])).toSorted(), [...supportedCorridors])
      assert.ok(rows.every((row) => Number(row['composite']) > 80_000 && row['adapter'] === 'simulation'))

      const asked = [
        'cip',
        'transition',
        '--to',
        'provisional',
        '--reference',
        'CHANGE-1042',
        '--blend-weight',
      ]
      const early = await run([...asked, '0.05'], environment)
      assert.equal(early.code, 1)
      assert.match(
        early.stderr,
        /^fairway: refused: provisional is out of reach: the corpus has 1 of the 14 days/,
      )
      await collect(database.url, 14)
      const wide = await run([...asked, '0.11'], environment)
      assert.match(wide.stderr, /refused: provisional takes a blend weight from 0\.05 to 0\.10, not 0\.11/)
      const made = await run(
        [...asked, '0.05', '--by', 'Ops on call', '--reason', 'gate', '--json'],
        environment,
      )
      assert.equal(made.code, 0, made.stderr)
      const told = JSON.parse(made.stdout) as Record<string, unknown>
      assert.deepEqual(
        [
          told['to'],
          told['blend_weight'],
          told['reference'],
          told['made_by'],
          told['reason'],
          told['number'],
        ],
        ['provisional', 0.05, 'CHANGE-1042', 'Ops on call', 'gate', 1],
      )
      const status = await statusOf(url)
      assert.deepEqual(
        [status.state, status.governed_by, status.blend_weight],
        ['scoring_active', 'CHANGE-1042', 0.05],
      )
      const again = await run([...asked, '0.05'], environment)
      assert.match(again.stderr, /refused: the platform is provisional already/)
      const jump = await run(['cip', 'transition', '--to', 'validated', '--reference', 'C-2'], environment)
      assert.match(jump.stderr, /refused: the platform must have been provisional for 14 days/)
      const back = await run(
        ['cip', 'transition', '--to', 'telemetry_only', '--reference', 'C-3'],
        environment,
      )
      assert.equal(back.code, 0, back.stderr)
      const shown = await run(['cip', 'status'], environment)
      assert.match(shown.stdout, /^Stage {9}telemetry_only since /)
      assert.match(shown.stdout, /CHANGE-1042 +Ops on call +gate/)
      assert.match(shown.stdout, /\n2 +\S+ +telemetry_only +0\.00 +C-3 +\S+/)
    } finally {
      for (const server of servers) assert.equal(await server.stop(), 0)
      await database.drop()
    }
  })
}

test('what is asked wrongly is refused with the rule', async () => {
  const database = await freshDatabase('sqlite')
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
    [['--to', 'scoring_passive', '--reference', 'C', '--blend-weight', '0.05'], /no blend weight but 0/],
  ]
  for (const [args, message] of rows) {
    const { code, stderr } = await run(['cip', 'transition', ...args], environment)
    assert.notEqual(code, 0)
    assert.match(stderr, message)
  }
  await database.drop()
})
