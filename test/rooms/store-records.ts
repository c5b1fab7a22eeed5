/** The tests of records, keys, limits and reviews in the store, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom(
  'store/records',
  'store/admin',
  'store/limits',
  'store/outbox',
  'store/reviews',
  'store/erasure',
  'store/events',
)
