/** client/README.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('client/README.md')
