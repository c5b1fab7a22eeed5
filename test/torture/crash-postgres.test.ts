/** The short form of the experiment `crash-postgres`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/crash-postgres.ts'

holds('crash-postgres', experiment)
