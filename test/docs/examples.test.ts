/** Every example of every document, executed as its reader would. */

import { testDocument } from '../helpers/docs/document.ts'
import { pagesWithExamples } from '../helpers/docs/pages.ts'

for (const path of pagesWithExamples()) testDocument(path)
