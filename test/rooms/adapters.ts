/** The tests of src/adapters, but for the store, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('adapters')
