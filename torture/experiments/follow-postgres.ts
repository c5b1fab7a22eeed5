/** Repeated SIGKILL of the server between append and follow on PostgreSQL: every effect of a decision happens once. */

import { startPostgres } from '../../test/helpers/database/postgres.ts'
import { killAndFollow } from '../crash/kill-and-follow.ts'
import type { Experiment } from '../experiment.ts'

export const experiment: Experiment = {
  promise: 'PostgreSQL: after SIGKILL between append and follow, every event, rollup and leaf is there once',
  async run(options) {
    const postgres = await startPostgres()
    try {
      return await killAndFollow(options, postgres.url)
    } finally {
      await postgres.stop()
    }
  },
}
