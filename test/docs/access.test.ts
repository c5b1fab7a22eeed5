/** docs/access.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/access.md')
