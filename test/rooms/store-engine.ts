/** The tests of the engines, the journal, the log and the months of the store, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('store/engine', 'store/journal', 'store/log', 'store/months')
