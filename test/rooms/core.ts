/** The tests of src/core, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('core')
