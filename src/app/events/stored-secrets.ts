/** The stored secrets of webhook endpoints: encrypted under the newest key, or known to be lost. */

import type { SecretBox } from '../log/secret-box.ts'
import type { EndpointStore, Webhook } from '../ports/webhooks.ts'

const pageSize = 500

/** Endpoints whose newest secret no key opens: nothing can be signed for them. */
export async function findLost(endpoints: EndpointStore, box: SecretBox | null): Promise<Webhook[]> {
  const lost: Webhook[] = []
  for await (const holder of holders(endpoints)) if (isLost(holder, box)) lost.push(holder)
  return lost
}

/** Encrypts what is not encrypted, or was under an earlier key. Returns the endpoints that need a new secret. */
export async function encryptStored(endpoints: EndpointStore, box: SecretBox): Promise<Webhook[]> {
  const lost: Webhook[] = []
  for await (const holder of holders(endpoints)) {
    if (isLost(holder, box)) lost.push(holder)
    else if (!holder.secrets.every(({ secret }) => box.isCurrent(secret))) {
      await endpoints.replaceSecrets(holder, resealed(holder, box))
    }
  }
  return lost
}

async function* holders(endpoints: EndpointStore): AsyncGenerator<Webhook> {
  let after = ''
  for (;;) {
    const page = await endpoints.list(after, pageSize)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.webhookId
  }
}

function isLost({ webhookId, secrets: [newest] }: Webhook, box: SecretBox | null): boolean {
  if (newest === undefined) return true
  if (box === null) return !newest.secret.startsWith('whsec_')
  return box.open(newest.secret, webhookId) === null
}

/** An earlier secret that no key opens signs nothing any more. */
function resealed({ webhookId, secrets }: Webhook, box: SecretBox): Webhook['secrets'] {
  return secrets.flatMap(({ secret, endsAtMs }) => {
    const text = box.open(secret, webhookId)
    return text === null ? [] : [{ secret: box.seal(text, webhookId), endsAtMs }]
  })
}
