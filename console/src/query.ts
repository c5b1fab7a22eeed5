/** API queries: deduplicated, cached and retried where a retry can help. */

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
import { publicClient } from './clients.ts'
import { useSession } from './session.tsx'

const retryFirstMs = 3_000
const retryMaxMs = 30_000

/** The delay before a retry; null if a retry cannot help. */
function retryAfterMs(error: unknown, tries: number): number | null {
  if (error instanceof RateLimitError || error instanceof UnavailableError) {
    return (error.retryAfterSeconds ?? 5) * 1_000
  }
  // Exponential back-off: every page of every tab retries.
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

export type Query<Answer> = SWRResponse<Answer, FairwayError>

export interface QueryOptions {
  /** The polling interval while the page is visible. */
  readonly refreshMs?: number
  /** Shows the previous data until the data of a changed query arrives. */
  readonly keepPrevious?: boolean
}

const settingsOf = ({ refreshMs, keepPrevious = false }: QueryOptions): SWRConfiguration => ({
  ...(refreshMs !== undefined && { refreshInterval: refreshMs }),
  keepPreviousData: keepPrevious,
})

/** The answer for an address. The previous one stays while it loads, but not after an error. */
export function shownFor<Answer extends { readonly address: string }>(
  address: string,
  { data, error, mutate }: Query<Answer>,
) {
  const isStale = data !== undefined && data.address !== address
  return {
    error,
    isStale,
    shown: isStale && error !== undefined ? undefined : data,
    reload: () => void mutate(),
  }
}

/** A query for which nobody needs to be signed in. The name must include everything that the query depends on; null disables it. */
export function usePublicQuery<Answer>(
  name: readonly unknown[] | null,
  load: (client: FairwayClient) => Promise<Answer>,
  options: QueryOptions = {},
): Query<Answer> {
  const key = name === null ? null : ['public', ...name]
  return useSWR<Answer, FairwayError>(key, () => load(publicClient), settingsOf(options))
}

/** A query for the data of the caller's owner; disabled without one. A caller whom the server rejects is signed out. */
export function useQuery<Answer>(
  name: readonly unknown[] | null,
  load: (client: FairwayClient) => Promise<Answer>,
  options: QueryOptions = {},
): Query<Answer> {
  return useClientQuery(useSession().client, name, load, options)
}

/** A query that concerns the caller alone, whatever owner an admin of the installation has chosen. */
export function useOwnQuery<Answer>(
  name: readonly unknown[] | null,
  load: (client: FairwayClient) => Promise<Answer>,
  options: QueryOptions = {},
): Query<Answer> {
  return useClientQuery(useSession().ownClient, name, load, options)
}

function useClientQuery<Answer>(
  client: FairwayClient | null,
  name: readonly unknown[] | null,
  load: (client: FairwayClient) => Promise<Answer>,
  options: QueryOptions,
): Query<Answer> {
  const { number, reject } = useSession()
  /** Data that another caller loaded is never shown to this one. */
  const [initial] = useState(number)
  const keepPrevious = options.keepPrevious === true && number === initial
  const key = client === null || name === null ? null : ['keyed', number, ...name]
  const query = useSWR<Answer, FairwayError>(
    key,
    () => {
      if (client === null) throw new Error('not signed in')
      return load(client)
    },
    settingsOf({ ...options, keepPrevious }),
  )
  const isRejected = query.error instanceof AuthenticationError
  useEffect(() => {
    if (isRejected) reject()
  }, [isRejected, reject])
  return query
}
