/** Questions to the API: asked once for all who want to know, shown from memory, asked again where that helps. */

import {
  AuthenticationError,
  ConnectionError,
  FairwayError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  type FairwayClient,
} from '@fairway/client'
import { useEffect, useState } from 'react'
import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr'
import { openClient, useSession } from './session.tsx'

const retryFirstMs = 3_000
const retryMaxMs = 30_000

/** How long until an error is worth another try; null where asking again changes nothing. */
function retryAfterMs(error: unknown, tries: number): number | null {
  if (error instanceof RateLimitError || error instanceof UnavailableError) {
    return (error.retryAfterSeconds ?? 5) * 1_000
  }
  // A server that does not answer is asked less and less often: every page of every tab asks it.
  return error instanceof ConnectionError || error instanceof TimeoutError
    ? Math.min(retryMaxMs, retryFirstMs * 2 ** (tries - 1))
    : null
}

export const swrSettings: SWRConfiguration = {
  revalidateOnFocus: false,
  onErrorRetry(error: unknown, _key, _config, revalidate, { retryCount }) {
    const afterMs = retryAfterMs(error, retryCount)
    if (afterMs !== null) setTimeout(() => void revalidate({ retryCount }), afterMs)
  },
}

export type Asked<Answer> = SWRResponse<Answer, FairwayError>

export interface AskOptions {
  /** Asks again so often while the page is looked at. */
  readonly everyMs?: number
  /** Of a question whose words change: what was shown stays until the new answer is there. */
  readonly keepPrevious?: boolean
}

const settingsOf = ({ everyMs, keepPrevious = false }: AskOptions): SWRConfiguration => ({
  ...(everyMs !== undefined && { refreshInterval: everyMs }),
  keepPreviousData: keepPrevious,
})

/** Without a key. The name must say all that the question depends on. */
export function useOpenAsk<Answer>(
  name: readonly unknown[],
  ask: (client: FairwayClient) => Promise<Answer>,
  options: AskOptions = {},
): Asked<Answer> {
  return useSWR<Answer, FairwayError>(['open', ...name], () => ask(openClient), settingsOf(options))
}

/** With the key of this tab; nothing is asked without one. A key that is refused ends the session. */
export function useAsk<Answer>(
  name: readonly unknown[] | null,
  ask: (client: FairwayClient) => Promise<Answer>,
  options: AskOptions = {},
): Asked<Answer> {
  const { client, number, refuse } = useSession()
  /** What another key was answered is never kept for this one. */
  const [began] = useState(number)
  const keepPrevious = options.keepPrevious === true && number === began
  const key = client === null || name === null ? null : ['keyed', number, ...name]
  const asked = useSWR<Answer, FairwayError>(
    key,
    () => {
      if (client === null) throw new Error('nobody is signed in')
      return ask(client)
    },
    settingsOf({ ...options, keepPrevious }),
  )
  const isRefused = asked.error instanceof AuthenticationError
  useEffect(() => {
    if (isRefused) refuse()
  }, [isRefused, refuse])
  return asked
}
