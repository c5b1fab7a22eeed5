/** The short form of the experiment `fsync`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/fsync.ts'

holds('fsync', experiment)
