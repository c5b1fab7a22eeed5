/** docs/test-amounts.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/test-amounts.md')
