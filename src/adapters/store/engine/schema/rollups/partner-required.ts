/** Migration 22: the count of the reason `NO_PARTNER_AVAILABLE`. */

import type { Migration } from '../migration.ts'

export const partnerRequired: Migration = {
  number: 22,
  name: 'partner_required',
  shared: ['ALTER TABLE rollups ADD COLUMN reason_no_partner_available bigint NOT NULL DEFAULT 0'],
  sqlite: [],
  postgres: [],
}
