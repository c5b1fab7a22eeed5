/** docs/assess.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/assess.md')
