/** Opens a decision by its request id. */

import { useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../ui/button.tsx'

export function FindDecision() {
  const [, navigate] = useLocation()
  const [id, setId] = useState('')
  function submit(event: FormEvent): void {
    event.preventDefault()
    const requestId = id.trim()
    if (requestId !== '') navigate(`/verifications/${encodeURIComponent(requestId)}`)
  }
  return (
    <form role="search" className="records-find" onSubmit={submit}>
      <input
        className="input mono"
        aria-label="Request id"
        placeholder="SVC-2026-…"
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <Button type="submit" icon="search">
        Find
      </Button>
    </form>
  )
}
