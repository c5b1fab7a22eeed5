/** The API clients: with this tab's key, with the session of the browser, or with neither. All call this origin alone. */

import { FairwayClient, type FairwayClientOptions, type Mode } from '@fairway/client'
import { observedFetch } from './remaining.ts'

/** No retries in the client: a failure is shown at once, and queries retry where that helps. */
const limits = { maxRetries: 0, timeoutMs: 20_000, totalTimeoutMs: 20_000 }

function clientWith(options: Omit<FairwayClientOptions, 'baseUrl'>): FairwayClient {
  return new FairwayClient({ baseUrl: window.location.origin, ...limits, ...options })
}

/** A key travels alone: the cookie of a person is not sent with it. */
const withoutCookie = { fetch: observedFetch('omit') }
const cookieFetch = observedFetch('same-origin')

/** The client for endpoints that need nobody to be signed in. */
export const publicClient = clientWith({ runtime: withoutCookie })

/** The client for sign-in and sign-out, which set the cookie of the session. */
export const browserClient = clientWith({ runtime: { fetch: cookieFetch } })

export const keyClient = (apiKey: string): FairwayClient => clientWith({ apiKey, runtime: withoutCookie })

/** `ownerId` is the owner that an admin of the installation has chosen. */
export function personClient(ownerId: string | null): FairwayClient {
  return clientWith({
    session: true,
    runtime: {
      fetch: (url, request) => {
        const headers = new Headers(request.headers)
        if (ownerId !== null) headers.set('x-fairway-owner', ownerId)
        return cookieFetch(url, { ...request, headers })
      },
    },
  })
}

/** The prefix of a key says its mode, so no page has to wait for an answer to know it. */
export const modeOfKey = (key: string): Mode => (/^(?:pk_live_|svc-live-)/.test(key) ? 'live' : 'shadow')

/** Checks a key with the server; rejects if it is not accepted. */
export async function checkKey(key: string): Promise<void> {
  await keyClient(key).me()
}
