/** docs/getting-started.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/getting-started.md')
