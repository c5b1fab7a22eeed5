/** Documents that have no test file of their own yet: what somebody adds is executed from the first day. */

import { testDocument } from '../helpers/docs/document.ts'
import { pagesWithoutTest } from '../helpers/docs/pages.ts'

// A file of its own is better, since files run side by side.
for (const path of pagesWithoutTest()) testDocument(path)
