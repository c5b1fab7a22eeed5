/** The bound on the heap of a process that serves. */

import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { boundHeap } from '../../../src/adapters/heap.ts'

const megabyte = 1024 * 1024

function youngMegabytes(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  return (young?.space_size ?? 0) / megabyte
}

const cells = Array.from({ length: 40 }, (_, at) => at)

/** Many small things of which some outlive a small collection: what makes V8 want a larger young generation. */
async function work(): Promise<void> {
  let held: object[] = []
  for (let round = 0; round < 600; round += 1) {
    for (let at = 0; at < 2_000; at += 1) held.push({ round, cells: cells.slice(0, 20) })
    if (held.length > 20_000) held = []
    if (round % 20 === 0) await turn()
  }
}

test('the young generation stays small under load, and grows again after a quiet time has made it smaller', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => void
  boundHeap()
  await work()
  const loaded = youngMegabytes()
  assert.ok(loaded >= 8 && loaded <= 32, `${loaded} MB under load`)
  // What V8 does of itself when nothing happens for a while.
  collect({ type: 'major', flavor: 'last-resort' })
  assert.ok(youngMegabytes() < 8, `${youngMegabytes()} MB after a quiet time`)
  await work()
  const again = youngMegabytes()
  assert.ok(again >= 8 && again <= 32, `${again} MB under load again`)
})
