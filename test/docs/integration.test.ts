/** docs/integration.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/integration.md')
