/** Removes API keys and webhook secrets from output, whether the user mistyped them or a server returned them. */

import { plain } from './deps.ts'
import { keyPattern } from '../core/identity/api-key.ts'
import { webhookSecretPattern } from '../core/events/webhook.ts'

const everySecret = new RegExp(`${webhookSecretPattern.source}|${keyPattern.source}`, 'g')

export const withoutSecrets = (text: string): string => text.replaceAll(everySecret, '[secret]')

/** Makes untrusted text safe for a terminal. */
export const clean = (text: string): string => plain(withoutSecrets(text))
