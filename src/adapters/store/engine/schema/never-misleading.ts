/** Migration 10: which observations are simulated, and the count of a new reason. */

import type { Migration } from './migration.ts'

export const neverMisleading: Migration = {
  number: 10,
  name: 'never_misleading',
  shared: [
    // Until now every observation came from the simulation.
    'ALTER TABLE cip_days ADD COLUMN simulated bigint NOT NULL DEFAULT 0',
    'UPDATE cip_days SET simulated = observations',
    'ALTER TABLE rollups ADD COLUMN reason_below_go_threshold bigint NOT NULL DEFAULT 0',
  ],
  sqlite: [],
  postgres: [],
}
