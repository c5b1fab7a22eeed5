/** Structured logs, one JSON object per line, with every API key and webhook secret redacted. */

import { pino, type Logger } from 'pino'
import { keyPattern } from '../core/identity/api-key.ts'
import { webhookSecretPattern } from '../core/events/webhook.ts'

const everyKey = new RegExp(keyPattern.source, 'g')
const everySecret = new RegExp(webhookSecretPattern.source, 'g')

export function createLogger(level: string, stream: NodeJS.WritableStream = process.stdout): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers["x-api-key"]'],
      hooks: {
        streamWrite: (line) => line.replaceAll(everyKey, '[key]').replaceAll(everySecret, '[secret]'),
      },
    },
    stream,
  )
}
