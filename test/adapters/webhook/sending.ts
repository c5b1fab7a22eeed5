/** How the tests of the sender send: in a trial, to loopback alone, and with a resolver that knows what it is told. */

import type { TestContext } from 'node:test'
import { createWebhookSender, type SenderOptions } from '../../../src/adapters/webhook/sender.ts'
import type { SendOutcome, WebhookSender } from '../../../src/app/ports/webhooks.ts'

export const answered = (status: number, answer?: string): SendOutcome =>
  answer === undefined ? { kind: 'answered', status } : { kind: 'answered', status, answer }
export const failed = (fault: Extract<SendOutcome, { kind: 'failed' }>['fault']): SendOutcome => ({
  kind: 'failed',
  fault,
})

export interface Sending {
  readonly sender: WebhookSender
  readonly send: (url: string, body?: Uint8Array, headers?: Record<string, string>) => Promise<SendOutcome>
}

/** Every name is loopback. */
export function openSending(t: TestContext, options: Partial<SenderOptions> = {}): Sending {
  const sender = createWebhookSender({
    resolver: { resolve: async () => ['127.0.0.1'] },
    allowPrivate: true,
    ownAddresses: () => [],
    ...options,
  })
  t.after(() => sender.close())
  return {
    sender,
    send: (url, body = Buffer.from('{}'), headers = {}) => sender.send({ url, headers, body }),
  }
}

/** An answer as it goes over the wire. */
export const wire = (status: string, headers: readonly string[] = [], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n')

export const empty = (status: string): string => wire(status, ['content-length: 0'])
