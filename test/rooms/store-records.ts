/** The tests of records, keys and limits in the store, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('store/records', 'store/admin', 'store/limits', 'store/outbox')
