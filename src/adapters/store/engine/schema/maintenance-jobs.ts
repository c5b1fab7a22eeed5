/** Migration 21: jobs of maintenance that an admin starts in the console. */

import type { Migration } from './migration.ts'

export const maintenanceJobs: Migration = {
  number: 21,
  name: 'maintenance_jobs',
  shared: [
    `CREATE TABLE maintenance_jobs (
      job_id text NOT NULL PRIMARY KEY,
      kind text NOT NULL,
      parameters text NOT NULL,
      reason text NOT NULL,
      started_by text NOT NULL,
      started_at_ms bigint NOT NULL,
      status text NOT NULL,
      holder text NOT NULL,
      beat_ms bigint NOT NULL,
      done bigint NOT NULL,
      total bigint,
      ended_at_ms bigint,
      result text,
      error text
    )`,
    // One runs at a time, whatever happens at the same moment.
    "CREATE UNIQUE INDEX maintenance_jobs_running ON maintenance_jobs (status) WHERE status = 'running'",
  ],
  sqlite: [],
  postgres: [],
}
