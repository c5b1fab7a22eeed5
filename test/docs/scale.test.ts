/** docs/scale.md, executed: its tables are what the simulation prints of the committed figures. */

import { testDocument } from '../helpers/docs/document.ts'

testDocument('docs/scale.md')
