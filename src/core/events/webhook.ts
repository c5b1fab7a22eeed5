/** Webhook endpoints: ids, URL limits, and secrets in the form of Standard Webhooks. */

export const webhookIdPrefix = 'whk'

/** Applies to the URL as sent and as stored, where percent-encoding may make it longer. */
export const webhookUrlLengthMax = 2_048

const idShape = new RegExp(`^${webhookIdPrefix}_[0-9a-hjkmnp-tv-z]{16}$`)

/** False for text that is not a webhook id of this service. */
export function isWebhookId(text: string): boolean {
  return idShape.test(text)
}

export const webhookSecretPrefix = 'whsec_'
export const webhookSecretBytes = 32

/** Limits the size of the header with all signatures. */
const secretsMax = 5

/** An endpoint's secret; a replaced one stays valid for an overlap. */
export interface WebhookSecret {
  readonly secret: string
  /** Null for the newest, which does not end. */
  readonly endsAtMs: number | null
}

/** A secret that replaces the newest, which stays valid until `overlapEndsAtMs`. */
export interface NewSecret {
  readonly secret: string
  readonly nowMs: number
  readonly overlapEndsAtMs: number
}

/** Every replaced secret keeps its full overlap, even if replaced again within it. Null if there are too many. */
export function withNewSecret(
  secrets: readonly WebhookSecret[],
  { secret, nowMs, overlapEndsAtMs }: NewSecret,
): readonly WebhookSecret[] | null {
  const valid = secrets
    .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs)
    .map((one) => ({ ...one, endsAtMs: one.endsAtMs ?? overlapEndsAtMs }))
  return valid.length >= secretsMax ? null : [{ secret, endsAtMs: null }, ...valid]
}

/** Matches a secret anywhere in a text; used to redact logs. */
export const webhookSecretPattern = /whsec_[A-Za-z0-9+/_-]{16,}={0,2}/
