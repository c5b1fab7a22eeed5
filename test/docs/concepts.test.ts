/** docs/concepts.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/concepts.md')
