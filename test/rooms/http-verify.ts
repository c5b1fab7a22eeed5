/** The HTTP tests of decisions, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom(
  'http/verify',
  'http/verifications',
  'http/verifications-summary',
  'http/decision',
  'http/decision-compare',
  'http/demo-verify',
  'http/demo-compare',
  'http/batch-assess',
  'http/live',
  'http/replay',
  'http/signals',
)
