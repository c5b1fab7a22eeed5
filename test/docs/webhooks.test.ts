/** docs/webhooks.md, executed. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/webhooks.md')
