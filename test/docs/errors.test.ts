/** docs/errors.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/errors.md')
