/** A folder of its own for one test. */

import { rmSync } from 'node:fs'
import { scratchFolder } from './scratch.ts'

export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = scratchFolder('fairway-test-')
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
