/** A change anywhere in an archive is found, and named by its file. */

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLine } from '../../../src/app/archive/line.ts'
import { InvalidArchive } from '../../../src/app/archive/manifest.ts'
import { decideSome, exported, verified } from '../../helpers/archives.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'

/** An archive of three parts. */
async function withArchive(
  format: 'jsonl' | 'csv',
  work: (path: string) => Promise<void> | void,
): Promise<void> {
  await withHarness({}, (harness) =>
    withFolder(async (path) => {
      await decideSome(harness, 5)
      await exported(harness, path, { format, partRecords: 2 })
      await work(path)
    }),
  )
}

/** The files that are named by findings; the manifest for an archive that cannot be read. */
async function namedIn(path: string): Promise<string[]> {
  try {
    const { findings } = await verified(path)
    return findings.map(({ place }) => place)
  } catch (error) {
    assert.ok(error instanceof InvalidArchive, String(error))
    return ['manifest.json']
  }
}

for (const format of ['jsonl', 'csv'] as const) {
  test(`${format}: a changed byte in any file is found in that file`, async () => {
    await withArchive(format, async (path) => {
      assert.deepEqual(await namedIn(path), [])
      for (const name of readdirSync(path)) {
        const file = join(path, name)
        const bytes = readFileSync(file)
        for (const share of [0, 0.3, 0.6, 0.99]) {
          const changed = Buffer.from(bytes)
          const at = Math.floor(share * bytes.length)
          changed[at] = (changed[at] ?? 0) ^ 1
          writeFileSync(file, changed)
          const named = await namedIn(path)
          assert.ok(
            named.some((place) => place.startsWith(name)),
            `${name} at ${at}: ${named.join('; ')}`,
          )
        }
        writeFileSync(file, bytes)
      }
      assert.deepEqual(await namedIn(path), [])
    })
  })
}

test('a file that is missing, cut short or added is found', async () => {
  await withArchive('jsonl', async (path) => {
    const file = join(path, 'records-000002.jsonl')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.indexOf('\n') + 1))
    const { findings } = await verified(path)
    assert.ok(findings.some(({ message }) => message === 'has 1 record, expected 2'))
    rmSync(file)
    assert.ok((await namedIn(path)).includes('records-000002.jsonl'))
    writeFileSync(file, bytes)
    for (const added of ['records-000009.jsonl', 'records-000001.jsonl.part']) {
      writeFileSync(join(path, added), '')
      assert.deepEqual(await namedIn(path), [added])
      rmSync(join(path, added))
    }
  })
})

test('a file that cannot be read as one of an archive is named, and ends nothing', async () => {
  await withArchive('jsonl', async (path) => {
    const nested = '['.repeat(100_000) + ']'.repeat(100_000)
    const file = join(path, 'records-000001.jsonl')
    const bytes = readFileSync(file)
    for (const [text, message] of [
      [`{"leaf_index":${nested}}\n`, 'is nested too deeply'],
      ['x'.repeat(17 * 1024 * 1024), 'has a line of more than 16777216 bytes'],
    ] as const) {
      writeFileSync(file, text)
      assert.equal((await verified(path)).findings[0]?.message, message)
    }
    writeFileSync(file, bytes)
    const leaves = join(path, 'leaves-000002.bin')
    rmSync(leaves)
    mkdirSync(leaves)
    assert.match((await verified(path)).findings[0]?.message ?? '', /cannot read .*: it is a folder/)
    const manifest = readFileSync(join(path, 'manifest.json'), 'utf8').trimEnd().slice(0, -1)
    writeFileSync(join(path, 'manifest.json'), `${manifest},"more":${nested}}`)
    await assert.rejects(verified(path), new InvalidArchive('manifest.json is nested too deeply'))
  })
})

test('the place of a changed record is named by its line', async () => {
  await withArchive('jsonl', async (path) => {
    const file = join(path, 'records-000001.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"decision":"DEGRADED"', '"decision":"GO"'))
    const { findings } = await verified(path)
    assert.deepEqual(findings[0], {
      place: 'records-000001.jsonl, line 2',
      message: 'the record does not match its leaf hash',
    })
  })
})

test('no member of a line can be changed, added, repeated or left out', async () => {
  await withArchive('jsonl', (path) => {
    const [plain = '', overridden = ''] = readFileSync(join(path, 'records-000001.jsonl'), 'utf8').split('\n')
    assert.notEqual(typeof readLine(plain), 'string')
    assert.notEqual(typeof readLine(overridden), 'string')
    const forgeries = [
      plain.replace('"correlation_id":null', '"correlation_id":"forged"'),
      plain.replace(
        '"personal_text":null',
        '"personal_text":{"hash":"pmWkWSBCL51Bfkhn79xPuKBKHz//H6B+mY6G9/eieuM=","salt":"x"}',
      ),
      plain.replace('"score":', '"score":0,"score":'),
      plain.replace('"form":2,', ''),
      plain.replace('"answer":{', '"answer":{"added":1,'),
      plain.replace('"human_override":null', '"human_override":{}'),
      plain.replace('"outcome":null', '"outcome":{"outcome":"FAILED"}'),
      plain.replace(/\}$/, ',"more":1}'),
      overridden.replace('Payee confirmed', 'Payee invented'),
      overridden.replace('"action":"EXECUTE"', '"action":"BLOCK"'),
      overridden.replace('"outcome":"COMPLETED"', '"outcome":"FAILED"'),
      overridden.replace('=order', '=other'),
      'null',
      '{',
    ]
    for (const forged of forgeries) {
      assert.ok(forged !== plain && forged !== overridden, 'nothing was forged')
      assert.equal(typeof readLine(forged), 'string', forged)
    }
  })
})
