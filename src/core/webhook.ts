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

/** Matches any secret wherever it stands in a text; logs are cleaned with it. */
export const webhookSecretPattern = /whsec_[A-Za-z0-9+/_-]{16,}={0,2}/
