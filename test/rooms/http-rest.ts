/** The HTTP tests of everything but decisions, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom(
  'http/audit',
  'http/audit-export',
  'http/audit-log',
  'http/batch-reports',
  'http/calibration',
  'http/cip',
  'http/events',
  'http/console',
  'http/corridors',
  'http/mask',
  'http/mcp',
  'http/mistakes',
  'http/organisation',
  'http/outcome',
  'http/outcomes',
  'http/override',
  'http/partitions',
  'http/policies',
  'http/readiness',
  'http/request-access',
  'http/search',
  'http/service',
  'http/webhooks',
)
