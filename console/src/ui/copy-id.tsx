/** The end of an id, with a button that copies all of it. */

import { useState } from 'react'
import { Icon } from './icon.tsx'

const shownLength = 6

export function CopyId({ id }: { readonly id: string }) {
  const [result, setResult] = useState<'Copied' | 'Not copied' | null>(null)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(id)
      setResult('Copied')
    } catch {
      // Insecure origins have no clipboard API.
      setResult('Not copied')
    }
    setTimeout(() => setResult(null), 2_000)
  }
  return (
    <span className="copy-id">
      <span className="mono" title={id}>
        <span aria-hidden="true">…{id.slice(-shownLength)}</span>
        <span className="sr-only">{id}</span>
      </span>
      <button type="button" className="copy-id-button" aria-label={`Copy ${id}`} onClick={() => void copy()}>
        <Icon name={result === 'Copied' ? 'check' : 'copy'} size={15} />
        <span className="sr-only" aria-live="polite">
          {result}
        </span>
      </button>
    </span>
  )
}
