/** Webhook endpoints: their ids, the bounds of their URLs, and their secrets as Standard Webhooks writes them. */

export const webhookIdPrefix = 'whk'

/** Also of the URL as it is kept, where some characters take more room than they did. */
export const webhookUrlLengthMax = 2_048

const idShape = new RegExp(`^${webhookIdPrefix}_[0-9a-hjkmnp-tv-z]{16}$`)

/** False for every text that this service cannot have issued. */
export function isWebhookId(text: string): boolean {
  return idShape.test(text)
}

export const webhookSecretPrefix = 'whsec_'
export const webhookSecretBytes = 32

/** So that the header that carries all signatures stays small. */
const secretsMax = 5

/** An endpoint's secret; one that was replaced goes on for a while. */
export interface WebhookSecret {
  readonly secret: string
  /** Null: the newest, which does not end. */
  readonly endsAtMs: number | null
}

/** A secret that takes the place of the newest, which goes on beside it for a while. */
export interface NewSecret {
  readonly secret: string
  readonly nowMs: number
  readonly overlapEndsAtMs: number
}

/** Every replaced secret keeps its day, also where the next replacement comes within it; null where there are too many. */
export function withNewSecret(
  secrets: readonly WebhookSecret[],
  { secret, nowMs, overlapEndsAtMs }: NewSecret,
): readonly WebhookSecret[] | null {
  const kept = secrets
    .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs)
    .map((one) => ({ ...one, endsAtMs: one.endsAtMs ?? overlapEndsAtMs }))
  return kept.length >= secretsMax ? null : [{ secret, endsAtMs: null }, ...kept]
}

/** Matches any secret wherever it stands in a text; logs are cleaned with it. */
export const webhookSecretPattern = /whsec_[A-Za-z0-9+/_-]{16,}={0,2}/
