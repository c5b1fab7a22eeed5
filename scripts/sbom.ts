/** `npm run -s sbom`: prints the bill of materials. */

import { billOfMaterials } from './release/bill.ts'

process.stdout.write(billOfMaterials(`${import.meta.dirname}/..`))
