/** docs/cli.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/cli.md')
