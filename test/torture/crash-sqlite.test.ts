/** The short form of the experiment `crash-sqlite`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/crash-sqlite.ts'

holds('crash-sqlite', experiment)
