/** The short form of the experiment `disk-full`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/disk-full.ts'

holds('disk-full', experiment)
