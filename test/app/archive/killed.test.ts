/** An export that is killed resumes after its last whole part, and ends with the bytes of one that was not. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InvalidArchive, type ArchiveFormat } from '../../../src/app/archive/manifest.ts'
import { decideSome, exported, verified } from '../../helpers/archives.ts'
import { engines } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'
import { report } from '../../helpers/outcomes.ts'

const program = new URL('../../helpers/process/export-process.ts', import.meta.url).pathname

/** The last step is not done, or half. */
interface Killed {
  readonly format: ArchiveFormat
  readonly lastStep: string
  /** Records of whole parts. */
  readonly resumed: number
}

const kills: readonly Killed[] = [
  { format: 'jsonl', lastStep: 'finish records-000001.jsonl', resumed: 0 },
  { format: 'jsonl', lastStep: 'rename records-000002.jsonl', resumed: 4 },
  { format: 'jsonl', lastStep: 'rename leaves-000002.bin', resumed: 4 },
  { format: 'jsonl', lastStep: 'append records-000003.jsonl', resumed: 4 },
  { format: 'jsonl', lastStep: 'rename manifest.json', resumed: 9 },
  { format: 'jsonl', lastStep: 'remove progress.json', resumed: 9 },
  { format: 'parquet', lastStep: 'remove records-000001.csv', resumed: 0 },
]

async function kill(databaseUrl: string, path: string, { format, lastStep }: Killed): Promise<void> {
  const child = spawn(process.execPath, [program, databaseUrl, path, format, lastStep], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  assert.equal(said.toString(), `${lastStep}\n`)
  const ended = once(child, 'close')
  child.kill('SIGKILL')
  await ended
}

/** The manifest without the time and the signature of its writing. */
function manifestOf(path: string): object {
  const {
    written_at: _at,
    signature: _signature,
    ...rest
  } = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
  return rest
}

for (const engine of engines) {
  test(`${engine}: killed at any step, the same command completes the archive`, async () => {
    await withHarness({ engine }, async (harness) => {
      await withFolder(async (path) => {
        const { ids, key } = await decideSome(harness, 9)
        for (const format of ['jsonl', 'parquet'] as const)
          await exported(harness, join(path, format), { format, partRecords: 2 })
        for (const [place, one] of kills.entries())
          await kill(harness.databaseUrl, join(path, `${place}`), one)
        // Recorded since, and so not part of it.
        assert.equal((await report(harness, key, ids[8] ?? '', { outcome: 'FAILED' })).status, 200)
        await harness.seal()
        for (const [place, { format, lastStep, resumed: expected }] of kills.entries()) {
          const whole = join(path, format)
          const killed = join(path, `${place}`)
          const { resumed, records } = await exported(harness, killed, { format, partRecords: 2 })
          assert.deepEqual([resumed, records], [expected, 9], lastStep)
          assert.deepEqual(readdirSync(killed), readdirSync(whole), lastStep)
          for (const name of readdirSync(whole).filter((one) => one !== 'manifest.json'))
            assert.ok(readFileSync(join(killed, name)).equals(readFileSync(join(whole, name))), name)
          assert.deepEqual(manifestOf(killed), manifestOf(whole))
          assert.deepEqual((await verified(killed)).findings, [])
        }
      })
    })
  })
}

test('killed before its first step is whole, the same command begins anew', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      await decideSome(harness, 3)
      await kill(harness.databaseUrl, path, { format: 'jsonl', lastStep: 'rename progress.json', resumed: 0 })
      const { resumed, records } = await exported(harness, path)
      assert.deepEqual([resumed, records], [0, 3])
      assert.deepEqual((await verified(path)).findings, [])
    })
  })
})

test('an archive whose export was killed is not taken for a whole one', async () => {
  await withHarness({}, async (harness) => {
    await withFolder(async (path) => {
      await decideSome(harness, 9)
      const inThirdPart = kills.find(({ lastStep }) => lastStep.startsWith('append'))
      assert.ok(inThirdPart)
      await kill(harness.databaseUrl, path, inThirdPart)
      await assert.rejects(verified(path), InvalidArchive)
    })
  })
})
