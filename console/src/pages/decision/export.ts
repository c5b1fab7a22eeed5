/** Downloads the evidence of a decision. */

import { useState } from 'react'
import { saveFile } from '../../save.ts'
import { useSession } from '../../session.tsx'

const types = { json: 'application/json', csv: 'text/csv' } as const

type Format = keyof typeof types

export function useExport(id: string) {
  const { client } = useSession()
  const [busy, setBusy] = useState<Format | null>(null)
  const [error, setError] = useState<unknown>(null)
  async function save(format: Format): Promise<void> {
    if (client === null || busy !== null) return
    setBusy(format)
    setError(null)
    try {
      // Fetch again: an override or outcome may have been added since the page was opened.
      const bundle = await client.exportAudit(id, { format })
      const text = typeof bundle === 'string' ? bundle : `${JSON.stringify(bundle, null, 2)}\n`
      saveFile(`audit-${id}.${format}`, types[format], [text])
    } catch (caught) {
      setError(caught)
    }
    setBusy(null)
  }
  return { busy, error, save: (format: Format) => void save(format) }
}
