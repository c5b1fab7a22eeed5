/** Logs: one JSON object per line, or calm lines for a person. Every API key and webhook secret is redacted. */

import { pino, type Logger } from 'pino'
import { keyPattern } from '../core/identity/api-key.ts'
import { webhookSecretPattern } from '../core/events/webhook.ts'

const everyKey = new RegExp(keyPattern.source, 'g')
const everySecret = new RegExp(webhookSecretPattern.source, 'g')

interface LogOptions {
  readonly logLevel: string
  readonly logFormat: 'json' | 'text'
}

/** Replaces the values of named members. */
interface LogMask {
  readonly names: ReadonlySet<string>
  deep(value: unknown): unknown
}

/** Adds members to each line, and receives the lines as they are written. */
interface LogTap {
  members(): object
  line(text: string): void
}

export function createLogger(
  { logLevel, logFormat }: LogOptions,
  stream: NodeJS.WritableStream = process.stdout,
  mask: LogMask | null = null,
  tap: LogTap | null = null,
): Logger {
  const output = destination(stream, logFormat === 'json' ? (line) => line : textLine)
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['req.headers.authorization', 'req.headers["x-api-key"]'],
      ...(tap === null ? {} : { mixin: () => tap.members() }),
      hooks: {
        streamWrite: (line) =>
          maskedLine(line, mask).replaceAll(everyKey, '[key]').replaceAll(everySecret, '[secret]'),
      },
    },
    tap === null ? output : tapped(output, tap),
  )
}

/** A log that cannot be written must not end the service: its disk may be full, or its reader gone. Lines are lost until it can. */
function destination(stream: NodeJS.WritableStream, format: (line: string) => string) {
  let hasFailed = false
  const report = ({ message }: Error): void => {
    if (!hasFailed) process.stderr.write(`fairway: cannot write the log, lines are lost: ${message}\n`)
    hasFailed = true
  }
  if (stream === process.stdout) {
    // In place of the listener of the command line, which ends the process.
    process.stdout.removeAllListeners('error').on('error', report)
    if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  }
  return { write: (line: string) => void stream.write(format(line)) }
}

const tapped = (stream: { write(line: string): void }, tap: LogTap) => ({
  write(line: string) {
    stream.write(line)
    tap.line(line)
  },
})

/** Members of any depth, also of errors and of a request's own logger. */
function maskedLine(line: string, mask: LogMask | null): string {
  return mask === null || mask.names.size === 0 ? line : `${JSON.stringify(mask.deep(JSON.parse(line)))}\n`
}

/** Callers choose parts of a log line, so that no character of it may control the terminal. */
const controls = /(?!\n)\p{C}/gu

interface LogRecord {
  readonly level: string
  readonly time: string
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [field: string]: unknown
}

/** One line with the local time, and the stack of an error below it. */
function textLine(line: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as LogRecord
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const text = [msg, ...more].join(' ').replaceAll('\n', ' ')
  const stack = err?.stack ?? err?.message ?? ''
  const below = stack === '' ? [] : stack.split('\n').map((part) => `  ${part}`)
  const clock = new Date(time).toTimeString().slice(0, 8)
  return [`${clock} ${level.padEnd(5)} ${text}`, ...below, ''].join('\n').replaceAll(controls, ' ')
}
