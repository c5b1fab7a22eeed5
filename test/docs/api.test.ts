/** docs/api.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/api.md')
