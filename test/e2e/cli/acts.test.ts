/** Each command with which an operator changes something leaves one entry that names the operator. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines, freshDatabase } from '../../helpers/database/databases.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'

for (const engine of engines) {
  test(`issuing, rotating and revoking a key and moving the CIP on are each recorded as an act (${engine})`, async () => {
    const database = await freshDatabase(engine)
    const environment = { DATABASE_URL: database.url }
    const run = async (...args: string[]): Promise<Record<string, unknown>> => {
      const { code, stdout, stderr } = await runInProcess([...args, '--json'], environment)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as Record<string, unknown>
    }
    const { key_id: first } = await run('keys', 'issue', '--type', 'test', '--owner', 'Payments')
    const { key_id: second } = await run('keys', 'rotate', String(first))
    await run('keys', 'revoke', String(second))
    await run('cip', 'transition', '--to', 'scoring_passive', '--reference', 'CHANGE-1', '--by', 'ops')
    const acts = await rowsOf(database.url, 'SELECT kind, subject, made_by FROM acts ORDER BY act_id')
    assert.deepEqual(
      acts.map(({ kind, subject }) => [kind, subject]),
      [
        ['key.created', first],
        ['key.rotated', second],
        ['key.revoked', second],
        ['cip.transitioned', '1'],
      ],
    )
    assert.equal(acts.at(-1)?.['made_by'], 'ops')
    assert.ok(acts.every(({ made_by: by }) => String(by) !== ''))
    await database.drop()
  })
}
