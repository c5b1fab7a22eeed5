/** Text to take away: shown as it is, copied with one press. */

import { useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState<string | null>(null)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      // Without a secure origin there is no clipboard: the text is there to be marked.
      setSaid('Select and copy')
    }
    setTimeout(() => setSaid(null), 2_000)
  }
  return (
    <Button look="quiet" small icon={said === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
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
      {/* Scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
