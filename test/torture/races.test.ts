/** The short form of the experiment `races`. */

import { holds } from '../helpers/holds.ts'
import { experiment } from '../../torture/experiments/races.ts'

holds('races', experiment)
