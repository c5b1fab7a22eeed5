/** The cluster of deploy/ha fails over under load. Needs Debian's packages, and root for network namespaces. */

import { experiment } from '../../torture/experiments/failover.ts'
import { testShortForm } from '../helpers/short-form.ts'

testShortForm('failover', experiment)
