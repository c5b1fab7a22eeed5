/** Keys and secrets taken out of what is said: neither what was typed in the wrong place nor what a server sends back shows one. */

import { plain } from './deps.ts'
import { keyPattern } from '../core/identity/api-key.ts'
import { webhookSecretPattern } from '../core/events/webhook.ts'

const everySecret = new RegExp(`${webhookSecretPattern.source}|${keyPattern.source}`, 'g')

export const withoutSecrets = (text: string): string => text.replaceAll(everySecret, '[secret]')

/** As it may stand on a terminal, whoever wrote it. */
export const clean = (text: string): string => plain(withoutSecrets(text))
