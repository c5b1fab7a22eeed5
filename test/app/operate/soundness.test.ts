/** The guards of a database are looked at while nobody looks at readiness. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSoundness } from '../../../src/app/operate/soundness.ts'
import type { Repeat } from '../../../src/app/ports/system.ts'
import { engines } from '../../helpers/database/databases.ts'
import { rowsOf, unguarded } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'

for (const engine of engines) {
  test(`a database that loses its guards stops decisions without a look at readiness, and writes nothing for it (${engine})`, () =>
    withHarness({ engine }, async ({ store, clock, databaseUrl }) => {
      const works: (() => Promise<void>)[] = []
      const repeat: Repeat = (work) => {
        works.push(work)
        return () => works.pop()
      }
      const soundness = createSoundness({ store, clock })
      const stop = soundness.start(repeat)
      await works[0]?.()
      soundness.assertGuarded()
      await unguarded(databaseUrl, () => Promise.resolve())
      soundness.assertGuarded()
      await works[0]?.()
      assert.throws(() => soundness.assertGuarded(), /lacks a trigger that keeps records from being changed/)
      assert.deepEqual(await rowsOf(databaseUrl, 'SELECT at_ms FROM write_probe'), [])
      stop()
      assert.deepEqual(works, [])
    }))
}
