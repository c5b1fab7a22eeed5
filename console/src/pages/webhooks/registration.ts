/** Registers an endpoint once, even if the response is lost. */

import {
  AuthenticationError,
  ConnectionError,
  TimeoutError,
  type FairwayClient,
  type FairwayError,
  type RegisteredWebhook,
  type Webhook,
  type WebhookRequest,
} from '@fairway/client'
import { useRef, useState } from 'react'
import { useSession } from '../../session.tsx'

/** The URL in the server's form. */
const normalised = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

export const isResponseLost = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError

async function idsOf(client: FairwayClient): Promise<ReadonlySet<string>> {
  return new Set((await client.webhooks()).map(({ webhook_id: id }) => id))
}

interface State {
  readonly busy: boolean
  readonly error: FairwayError | null
  /** An endpoint that appeared after a lost response: possibly ours, with a secret that was never shown. */
  readonly unconfirmed: Webhook | null
}

const idle: State = { busy: false, error: null, unconfirmed: null }

/** An endpoint with its new secret. */
export type WithSecret = Pick<RegisteredWebhook, 'webhook_id' | 'secret'>

export interface Registration extends State {
  readonly register: (request: WebhookRequest) => void
  /** Gives the unconfirmed endpoint a new secret, which is shown. */
  readonly rotate: () => void
  readonly remove: () => void
  /** Clears the error when the form closes; an unconfirmed endpoint remains. */
  readonly clearError: () => void
}

/** Registers without creating duplicates; call `settled` when the unconfirmed endpoint is resolved. */
function useAttempt(
  existing: readonly Webhook[] | undefined,
  onDone: (registered: WithSecret) => void,
  onChanged: () => void,
) {
  /** The ids before the attempt whose response was lost; null if there was none. */
  const before = useRef<ReadonlySet<string> | null>(null)

  /** Finds an endpoint that appeared since; used after a lost response and before the next attempt. */
  async function findNew(api: FairwayClient, url: string): Promise<Webhook | null> {
    const all = await api.webhooks()
    const match = all.find(
      (one) => normalised(one.url) === normalised(url) && !before.current?.has(one.webhook_id),
    )
    if (match !== undefined) onChanged()
    return match ?? null
  }

  async function attempt(api: FairwayClient, request: WebhookRequest): Promise<State> {
    const unconfirmed = before.current === null ? null : await findNew(api, request.url)
    if (unconfirmed !== null) return { ...idle, unconfirmed }
    const ids = existing === undefined ? await idsOf(api) : new Set(existing.map(({ webhook_id: id }) => id))
    try {
      onDone(await api.registerWebhook(request))
      before.current = null
      return idle
    } catch (error) {
      if (!isResponseLost(error)) throw error
      before.current ??= ids
      // If this check fails too, the next attempt repeats it first.
      const created = await findNew(api, request.url).catch(() => null)
      return { ...idle, error: created === null ? (error as FairwayError) : null, unconfirmed: created }
    }
  }

  return {
    attempt,
    settled: () => {
      before.current = null
    },
  }
}

export function useRegistration(
  existing: readonly Webhook[] | undefined,
  onDone: (registered: WithSecret) => void,
  onChanged: () => void,
): Registration {
  const { client, reject } = useSession()
  const [state, setState] = useState(idle)
  const { attempt, settled } = useAttempt(existing, onDone, onChanged)

  async function act(work: (api: FairwayClient) => Promise<State>): Promise<void> {
    if (state.busy || client === null) return
    setState({ ...state, busy: true, error: null })
    try {
      setState(await work(client))
    } catch (error) {
      setState({ ...state, busy: false, error: error as FairwayError })
      if (error instanceof AuthenticationError) reject()
    }
  }

  const settle = (work: (api: FairwayClient, id: string) => Promise<void>) =>
    void act(async (api) => {
      if (state.unconfirmed !== null) await work(api, state.unconfirmed.webhook_id)
      settled()
      return idle
    })

  return {
    ...state,
    register: (request) => void act((api) => attempt(api, request)),
    clearError: () => setState((current) => ({ ...current, error: null })),
    rotate: () => settle(async (api, id) => onDone(await api.rotateWebhookSecret(id))),
    remove: () =>
      settle(async (api, id) => {
        await api.removeWebhook(id)
        onChanged()
      }),
  }
}
