/** `fairway audit verify`, as an auditor runs it: without a server, without a database. */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Bundle } from '../../../src/app/audit/bundle.ts'
import { withHarness } from '../../helpers/harness.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { run } from '../../helpers/process/process.ts'
import { forgedIntegrity } from '../../helpers/forger.ts'

async function withFile(name: string, text: string, work: (path: string, folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-audit-'))
  try {
    const path = join(folder, name)
    writeFileSync(path, text)
    await work(path, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function exported(query = ''): Promise<{ id: string; text: string }> {
  let made = { id: '', text: '' }
  await withHarness({ sealsByHand: true }, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.verify(key, { corridor: 'GB-NG', amount: 1000 })
    const { text } = await harness.get(key, `/api/v1/audit/export/${body.request_id}${query}`)
    made = { id: String(body.request_id), text }
  })
  return made
}

function withScore(format: 'json' | 'csv', text: string): string {
  if (format === 'csv') return text.replace(/(\/record\/score,number,)0\.\d+/, '$10.11')
  const bundle = JSON.parse(text) as { record: Record<string, unknown> }
  return JSON.stringify({ ...bundle, record: { ...bundle.record, score: 0.11 } }, null, 2)
}

for (const format of ['json', 'csv'] as const) {
  test(`an export is intact as it came, and a change is named with its place, exit code 65 (${format})`, async () => {
    const { id, text } = await exported(`?format=${format}`)
    await withFile(`audit.${format}`, text, async (path, folder) => {
      // No such database: a command that opened one would fail, or leave it behind.
      const environment = { DATABASE_URL: `sqlite:${join(folder, 'none.db')}` }
      const intact = await runInProcess(['audit', 'verify', path], environment)
      assert.equal(intact.code, 0, intact.stderr)
      assert.match(intact.stdout, new RegExp(`^INTACT: ${id}`))
      assert.match(intact.stdout, /record_hash: [0-9a-f]{64}/)
      const forged = withScore(format, text)
      assert.notEqual(forged, text)
      writeFileSync(path, forged)
      const changed = await runInProcess(['audit', 'verify', path], environment)
      assert.equal(changed.code, 65)
      assert.match(changed.stdout, /^CHANGED: /)
      assert.match(changed.stdout, /^ {2}\/record\/score was changed/m)
      assert.match(changed.stderr, new RegExp(`^fairway: audit\\.${format} was changed in 1 place\\n$`))
      const json = await run(['audit', 'verify', '-', '--json'], environment, { input: forged })
      assert.equal(json.code, 65)
      const told = JSON.parse(json.stdout) as {
        intact: boolean
        request_id: string
        findings: { path: string }[]
      }
      assert.deepEqual([told.intact, told.request_id], [false, id])
      assert.deepEqual(
        told.findings.map((finding) => finding.path),
        ['/record/score'],
      )
      assert.deepEqual(readdirSync(folder), [`audit.${format}`])
    })
  })
}

test('of a record that another engine decided it is said that only the hashes were checked, exit code 3', async () => {
  const { text } = await exported()
  const { integrity: _old, proof, ...evidence } = JSON.parse(text) as Bundle
  const kept = evidence.record['evidence'] as object
  const older = { ...evidence, record: { ...evidence.record, evidence: { ...kept, engine: '1.2.0' } } }
  const input = JSON.stringify({ ...older, proof, integrity: forgedIntegrity(older) })
  const { code, stdout, stderr } = await runInProcess(['audit', 'verify', '-'], {}, { input })
  assert.equal(code, 3)
  assert.match(stdout, /^HASHES MATCH: /)
  assert.match(stderr, /engine 1\.2\.0 decided/)
})

test('what cannot be read is one line and exit code 1', async () => {
  const missing = await runInProcess(['audit', 'verify', '/nowhere/audit.json'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^fairway: .*audit\.json.*\n$/)
  const binary = await runInProcess(
    ['audit', 'verify', '-'],
    {},
    { input: new Uint8Array([0xff, 0xfe, 0x00]) },
  )
  assert.match(binary.stderr, /^fairway: standard input is not valid UTF-8\n$/)
  const other = await runInProcess(['audit', 'verify', '-'], {}, { input: '{"a":1}' })
  assert.match(other.stderr, /^fairway: standard input is not an audit export/)
  assert.equal(other.code, 1)
})
