/** The stored secrets of webhook endpoints: encrypted under the newest key, or known to be lost. */

import type { SecretBox } from '../log/secret-box.ts'
import type { SecretHolder, SecretStore } from '../ports/webhooks.ts'

const pageSize = 500

/** Endpoints whose newest secret no key opens: nothing can be signed for them. */
export async function findLost(secrets: SecretStore, box: SecretBox | null): Promise<SecretHolder[]> {
  const lost: SecretHolder[] = []
  for await (const holder of holders(secrets)) if (isLost(holder, box)) lost.push(holder)
  return lost
}

/** Encrypts what is not encrypted, or was under an earlier key. Returns the endpoints that need a new secret. */
export async function encryptStored(secrets: SecretStore, box: SecretBox): Promise<SecretHolder[]> {
  const lost: SecretHolder[] = []
  for await (const holder of holders(secrets)) {
    if (isLost(holder, box)) lost.push(holder)
    else if (!holder.secrets.every(({ secret }) => box.isCurrent(secret))) {
      await secrets.replace(holder, resealed(holder, box))
    }
  }
  return lost
}

async function* holders(secrets: SecretStore): AsyncGenerator<SecretHolder> {
  let after = ''
  for (;;) {
    const page = await secrets.list(after, pageSize)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.webhookId
  }
}

function isLost({ webhookId, secrets: [newest] }: SecretHolder, box: SecretBox | null): boolean {
  if (newest === undefined) return true
  if (box === null) return !newest.secret.startsWith('whsec_')
  return box.open(newest.secret, webhookId) === null
}

/** An earlier secret that no key opens signs nothing any more. */
function resealed({ webhookId, secrets }: SecretHolder, box: SecretBox): SecretHolder['secrets'] {
  return secrets.flatMap(({ secret, endsAtMs }) => {
    const text = box.open(secret, webhookId)
    return text === null ? [] : [{ secret: box.seal(text, webhookId), endsAtMs }]
  })
}
