/** The tests of src/app, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('app')
