/** The short form of the experiment `failed-fsync-postgres`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/failed-fsync-postgres.ts'

holds('failed-fsync-postgres', experiment)
