/** docs/methodology.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/methodology.md')
