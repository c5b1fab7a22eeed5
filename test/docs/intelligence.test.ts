/** docs/intelligence.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/intelligence.md')
