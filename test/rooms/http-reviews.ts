/** The HTTP tests of reviews and holds, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('http/holds', 'http/reviews')
