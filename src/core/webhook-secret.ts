/** A webhook's shared secret, as Standard Webhooks writes it: a prefix, and base64 of random bytes. */

export const webhookSecretPrefix = 'whsec_'
export const webhookSecretBytes = 32

/** Matches any secret wherever it stands in a text; logs are cleaned with it. */
export const webhookSecretPattern = /whsec_[A-Za-z0-9+/_-]{16,}={0,2}/
