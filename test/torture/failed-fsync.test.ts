/** The short form of the experiment `failed-fsync`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/failed-fsync.ts'

holds('failed-fsync', experiment)
