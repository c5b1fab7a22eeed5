/** The tests of the engines, the log and the months of the store, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('store/engine', 'store/log', 'store/months')
