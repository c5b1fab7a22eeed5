/** An export as a process of its own, to be killed: it stops before one step on its folder, and says so. */

import { openArchiveFolder } from '../../../src/adapters/archive/folder.ts'
import { openStore } from '../../../src/adapters/store/open.ts'
import { systemClock as clock } from '../../../src/adapters/system.ts'
import type { ArchiveFormat } from '../../../src/app/archive/manifest.ts'
import { leafHashes } from '../../../src/app/log/leaf.ts'
import { exportInto } from '../archives.ts'

const [databaseUrl = '', path = '', format = 'jsonl', lastStep = ''] = process.argv.slice(2)
const { store } = await openStore({ leafHashes, databaseUrl, clock, onFault: () => undefined })
const folder = await openArchiveFolder(path, { isRead: false })

/** Never returns from the last step. Temporary names count as the names that the files get. */
async function before(step: string, name: string): Promise<void> {
  if (`${step} ${name.replace(/\.[0-9a-f]{16}\.part$/, '')}` !== lastStep) return
  process.stdout.write(`${lastStep}\n`)
  await new Promise(() => undefined)
}

const create = folder.create.bind(folder)
const remove = folder.remove.bind(folder)
const rename = folder.rename.bind(folder)
folder.create = async (name) => {
  const file = await create(name)
  return {
    ...file,
    async append(bytes) {
      await file.append(bytes.subarray(0, Math.floor(bytes.length / 2)))
      await before('append', name)
      await file.append(bytes.subarray(Math.floor(bytes.length / 2)))
    },
    async finish() {
      await before('finish', name)
      return file.finish()
    },
  }
}
folder.rename = async (from, to, options) => {
  await before('rename', to)
  await rename(from, to, options)
}
folder.remove = async (name) => {
  await before('remove', name)
  await remove(name)
}
// Keeps the process alive until it is killed.
setInterval(() => undefined, 60_000)
await exportInto({ store, clock }, folder, { partRecords: 2, format: format as ArchiveFormat })
