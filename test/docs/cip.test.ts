/** docs/cip.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/cip.md')
