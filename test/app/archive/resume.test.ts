/** An export resumes on what it wrote itself, refuses anything else, and changes no file of anybody else. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArchiveFolder } from '../../../src/adapters/archive/folder.ts'
import { FileFault } from '../../../src/app/ports/assess.ts'
import { InvalidArchive } from '../../../src/app/archive/manifest.ts'
import { ArchiveRefused } from '../../../src/app/archive/resume.ts'
import { decideSome, exported, exportInto, interrupted, verified } from '../../helpers/archives.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'

const partRecords = 2

const contentsOf = (path: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'latin1')]))

const replaced = (from: string | RegExp, to: string) => (text: string) => {
  assert.notEqual(text.replace(from, to), text)
  return text.replace(from, to)
}

interface Change {
  readonly name: string
  readonly file: string
  /** Null for a file that is removed. */
  readonly to: ((text: string) => string) | null
  readonly pattern: RegExp
}

/** After two whole parts of three. */
const changes: readonly Change[] = [
  {
    name: 'a record was changed',
    file: 'records-000001.jsonl',
    to: replaced('"amount":100,', '"amount":900,'),
    pattern: /records-000001\.jsonl in .* is not as this export wrote it/,
  },
  {
    name: 'leaves were cut',
    file: 'leaves-000002.bin',
    to: (text) => text.slice(0, -32),
    pattern: /leaves-000002\.bin in .* is not as/,
  },
  {
    name: 'a part is missing',
    file: 'records-000002.jsonl',
    to: null,
    pattern: /records-000002\.jsonl in .* is missing/,
  },
  {
    name: 'the progress counts otherwise',
    file: 'progress.json',
    to: replaced('"records":2', '"records":1'),
    pattern: /progress\.json in .* was changed, or is of another installation/,
  },
  {
    name: 'the progress is not signed',
    file: 'progress.json',
    to: replaced(/,"signature":\{[^}]*\}/, ''),
    pattern: /progress\.json in .* was changed/,
  },
  {
    name: 'a file of somebody else is there',
    file: 'notes.txt',
    to: () => 'mine',
    pattern: /holds "notes\.txt", which this export did not write/,
  },
  {
    name: 'a file of somebody else has the name of the next part',
    file: 'records-000003.jsonl',
    to: () => 'mine',
    pattern: /holds "records-000003\.jsonl", which/,
  },
  {
    name: 'a temporary file of somebody else is there',
    file: 'records-000003.jsonl.part',
    to: () => 'mine',
    pattern: /holds "records-000003\.jsonl\.part", which/,
  },
  {
    name: 'a manifest of somebody else is there',
    file: 'manifest.json',
    to: () => '{"archive_version":1}',
    pattern: /holds a manifest\.json that this export did not write/,
  },
]

test('a folder that was changed since is refused, and nothing in it is changed', async () => {
  await withHarness({}, async (harness) => {
    await decideSome(harness, 6)
    for (const { name, file, to, pattern } of changes) {
      await withFolder(async (path) => {
        await interrupted(harness, path, { before: 'records-000003', partRecords })
        const target = join(path, file)
        if (to === null) rmSync(target)
        else writeFileSync(target, to(contentsOf(path)[file] ?? ''), 'latin1')
        const before = contentsOf(path)
        await assert.rejects(
          exported(harness, path, { partRecords }),
          (error: unknown) => error instanceof ArchiveRefused && pattern.test(error.message),
          name,
        )
        assert.deepEqual(contentsOf(path), before, name)
      })
    }
  })
})

test('progress that cannot be read is refused', async () => {
  await withHarness({}, async (harness) => {
    await decideSome(harness, 1)
    await withFolder(async (path) => {
      for (const text of [
        '',
        '{}',
        '[]',
        '{"archive_version":2}',
        `{"archive_version":1,"from":${'['.repeat(9_999)}`,
      ]) {
        writeFileSync(join(path, 'progress.json'), text)
        await assert.rejects(exported(harness, path), InvalidArchive, text.slice(0, 40))
        assert.deepEqual(contentsOf(path), { 'progress.json': text })
      }
    })
  })
})

test('progress of another installation is refused', async () => {
  await withFolder(async (path) => {
    await withHarness({}, async (other) => {
      await decideSome(other, 2)
      await interrupted(other, path, { before: 'records-000001' })
    })
    const key = Buffer.alloc(32, 8).toString('base64')
    await withHarness({ settings: { FAIRWAY_SEAL_KEY: key } }, async (harness) => {
      await decideSome(harness, 2)
      await assert.rejects(exported({ ...harness, keys: [key] }, path), /is of another installation/)
    })
  })
})

test('a file that comes into the folder during the export is not overwritten', async () => {
  await withHarness({}, async (harness) => {
    await decideSome(harness, 6)
    await withFolder(async (path) => {
      const folder = await openArchiveFolder(path, { isRead: false })
      const create = folder.create.bind(folder)
      const target = join(path, 'records-000002.jsonl')
      folder.create = (name) => {
        if (name.startsWith('records-000002')) writeFileSync(target, 'mine')
        return create(name)
      }
      await assert.rejects(exportInto(harness, folder, { partRecords }), FileFault)
      await assert.rejects(exported(harness, path, { partRecords }), ArchiveRefused)
      assert.equal(readFileSync(target, 'utf8'), 'mine')
      // It is moved away, and the export goes on with the part that it had finished.
      rmSync(target)
      await exported(harness, path, { partRecords })
      const { findings, manifest } = await verified(path)
      assert.deepEqual([findings, manifest.records], [[], 6])
    })
  })
})
