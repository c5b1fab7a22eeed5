/** Signs out, with the busy state and the error of ending a session on the server. */

import type { FairwayError } from '@fairway/client'
import { useState } from 'react'
import { useSession } from '../session.tsx'

export function useSignOut(onDone?: () => void) {
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  async function run(): Promise<void> {
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await session.signOut()
      onDone?.()
    } catch (caught) {
      setError(caught as FairwayError)
    }
    setBusy(false)
  }
  return { busy, error, signOut: () => void run() }
}
