/** Exports the filtered decisions as one CSV file. */

import { ExportCsv } from '../../export-csv.tsx'
import { useSession } from '../../session.tsx'
import { queryOf, type Filters } from './filters.ts'

export function Download({ filters }: { readonly filters: Filters }) {
  const { client } = useSession()
  return (
    <ExportCsv
      name="verifications"
      client={client}
      load={(signedIn, options) => signedIn.exportVerifications(queryOf(filters), options)}
    />
  )
}
