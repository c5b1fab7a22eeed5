/** Code blocks with a copy button. */

import { useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [result, setResult] = useState<string | null>(null)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setResult('Copied')
    } catch {
      // Insecure origins have no clipboard API; the text can still be selected.
      setResult('Select and copy')
    }
    setTimeout(() => setResult(null), 2_000)
  }
  return (
    <Button variant="quiet" small icon={result === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{result ?? label}</span>
    </Button>
  )
}

export function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="code">
      <div className="code-head">
        <span>{title}</span>
        <CopyButton text={text} />
      </div>
      {/* Scrollable, so it must be focusable. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
