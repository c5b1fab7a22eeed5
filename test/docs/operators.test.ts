/** docs/operators.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/operators.md')
