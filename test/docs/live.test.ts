/** docs/live.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/live.md')
