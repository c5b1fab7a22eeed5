/** One action on the server, with its busy state and its error. */

import { AuthenticationError, type FairwayClient, type FairwayError } from '@fairway/client'
import { useState } from 'react'
import { useSession } from './session.tsx'

export function useAction<Done>(act: (client: FairwayClient) => Promise<Done>, onDone: (done: Done) => void) {
  const { client: ofOwner, ownClient, reject } = useSession()
  const client = ofOwner ?? ownClient
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<FairwayError | null>(null)
  async function run(): Promise<void> {
    if (busy || client === null) return
    setBusy(true)
    setError(null)
    try {
      onDone(await act(client))
    } catch (caught) {
      setError(caught as FairwayError)
      // The page then shows a sign-in form in its place.
      if (caught instanceof AuthenticationError) reject()
    }
    setBusy(false)
  }
  return { busy, error, run: (): void => void run(), clearError: () => setError(null) }
}

export type Action = ReturnType<typeof useAction>
