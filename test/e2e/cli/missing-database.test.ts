/** Commands at a database that is not there: a mistyped path is an error, and not an empty installation. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'

const retention = { FAIRWAY_RETENTION_DAYS: '30' }
const nats = { FAIRWAY_NATS_URL: 'nats://127.0.0.1:1' }

const commands: readonly (readonly [line: string, settings?: Readonly<Record<string, string>>])[] = [
  ['keys list'],
  ['keys revoke key_1'],
  ['keys rotate key_1'],
  ['people list'],
  ['people role ada@example.com reviewer'],
  ['people remove ada@example.com'],
  ['access list'],
  ['audit verify-log'],
  ['audit move-key --out KEY'],
  ['audit new-key --reference CHANGE-7'],
  ['partitions list'],
  ['cip status'],
  ['export --from 2026-01-01T00:00:00Z --to 2026-02-01T00:00:00Z --format jsonl --out ARCHIVE'],
  ['erase --owner own_1 --correlation-id x --reference y --yes'],
  ['policy list --installation --no-json'],
  ['stream reconcile', nats],
  ['retention report', retention],
  ['retention apply', retention],
]

test('a command finds nothing where there is no database, says so, and makes none', () =>
  withFolder(async (folder) => {
    for (const [line, settings] of commands) {
      const args = line.split(' ').map((word) => (/^[A-Z]+$/.test(word) ? join(folder, word) : word))
      const path = join(folder, 'data', 'fairway.db')
      const env = { DATABASE_URL: `sqlite:${path}`, ...settings }
      const { code, stdout, stderr } = await runInProcess(args, env)
      assert.deepEqual([code, stdout], [1, ''], line)
      assert.equal(
        stderr,
        `fairway: there is no database ${path}: correct DATABASE_URL, or start the service once\n`,
        line,
      )
      assert.deepEqual(readdirSync(folder), [], line)
    }
  }))

test('a key can be issued and a person invited before the first start', () =>
  withFolder(async (folder) => {
    for (const [place, line] of [
      ['key', 'keys issue --type test --owner Payments'],
      ['person', 'people invite ada@example.com --role admin'],
    ] as const) {
      const path = join(folder, place, 'fairway.db')
      const { code, stderr } = await runInProcess(line.split(' '), { DATABASE_URL: `sqlite:${path}` })
      assert.equal(code, 0, stderr)
      assert.ok(existsSync(path))
    }
  }))
