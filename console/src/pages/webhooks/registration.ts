/** The registering of an endpoint: once, though its answer may be lost on the way. */

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

/** As the server writes it. */
const written = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

export const isLost = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError

async function idsOf(client: FairwayClient): Promise<ReadonlySet<string>> {
  return new Set((await client.webhooks()).map(({ webhook_id: id }) => id))
}

interface State {
  readonly busy: boolean
  readonly error: FairwayError | null
  /** Stands there since a try whose answer was lost: it may be ours, and nobody has seen its secret. */
  readonly found: Webhook | null
}

const still: State = { busy: false, error: null, found: null }

/** Only this has a secret to show. */
export type WithSecret = Pick<RegisteredWebhook, 'webhook_id' | 'secret'>

export interface Registration extends State {
  readonly register: (request: WebhookRequest) => void
  /** What was found gets another secret, which is shown. */
  readonly rotate: () => void
  readonly remove: () => void
  /** Whoever comes back to the form finds no old error; what was found is still to be settled. */
  readonly forget: () => void
}

/** A try that never makes a second one unnoticed; `settled` when nothing is in doubt any more. */
function useTry(
  known: readonly Webhook[] | undefined,
  onDone: (registered: WithSecret) => void,
  onChanged: () => void,
) {
  /** Those that were there before a try whose answer was lost; null where none was. */
  const before = useRef<ReadonlySet<string> | null>(null)

  /** Whether there is one now that was not: asked after a lost answer, and before the next try. */
  async function look(api: FairwayClient, url: string): Promise<Webhook | null> {
    const all = await api.webhooks()
    const found = all.find((one) => written(one.url) === written(url) && !before.current?.has(one.webhook_id))
    if (found !== undefined) onChanged()
    return found ?? null
  }

  async function tried(api: FairwayClient, request: WebhookRequest): Promise<State> {
    const found = before.current === null ? null : await look(api, request.url)
    if (found !== null) return { ...still, found }
    const ids = known === undefined ? await idsOf(api) : new Set(known.map(({ webhook_id: id }) => id))
    try {
      onDone(await api.registerWebhook(request))
      before.current = null
      return still
    } catch (error) {
      if (!isLost(error)) throw error
      before.current ??= ids
      // Where this is not answered either, the next try begins with it.
      const made = await look(api, request.url).catch(() => null)
      return { ...still, error: made === null ? (error as FairwayError) : null, found: made }
    }
  }

  return {
    tried,
    settled: () => {
      before.current = null
    },
  }
}

export function useRegistration(
  known: readonly Webhook[] | undefined,
  onDone: (registered: WithSecret) => void,
  onChanged: () => void,
): Registration {
  const { client, refuse } = useSession()
  const [state, setState] = useState(still)
  const { tried, settled } = useTry(known, onDone, onChanged)

  async function act(work: (api: FairwayClient) => Promise<State>): Promise<void> {
    if (state.busy || client === null) return
    setState({ ...state, busy: true, error: null })
    try {
      setState(await work(client))
    } catch (error) {
      setState({ ...state, busy: false, error: error as FairwayError })
      if (error instanceof AuthenticationError) refuse()
    }
  }

  const settle = (work: (api: FairwayClient, id: string) => Promise<void>) =>
    void act(async (api) => {
      if (state.found !== null) await work(api, state.found.webhook_id)
      settled()
      return still
    })

  return {
    ...state,
    register: (request) => void act((api) => tried(api, request)),
    forget: () => setState((now) => ({ ...now, error: null })),
    rotate: () => settle(async (api, id) => onDone(await api.rotateWebhookSecret(id))),
    remove: () =>
      settle(async (api, id) => {
        await api.removeWebhook(id)
        onChanged()
      }),
  }
}
