/** Repeated SIGKILL between append and follow on SQLite: every effect of a decision happens once. */

import { freshDatabase } from '../../test/helpers/database/databases.ts'
import { killAndFollow } from '../crash/kill-and-follow.ts'
import type { Experiment } from '../experiment.ts'

export const experiment: Experiment = {
  promise: 'SQLite: after SIGKILL between append and follow, every event, rollup and leaf is there once',
  async run(options) {
    const database = await freshDatabase('sqlite')
    try {
      return await killAndFollow(options, database.url)
    } finally {
      await database.drop()
    }
  },
}
