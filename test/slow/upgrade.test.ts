/** The short form of the rolling upgrade. */

import { experiment } from '../../torture/experiments/rolling-upgrade.ts'
import { testShortForm } from '../helpers/short-form.ts'

testShortForm('rolling-upgrade', experiment)
