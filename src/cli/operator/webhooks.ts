/** `fairway webhooks listen`: a receiver for trying events out, which says of each whether its signatures hold. */

import { InvalidArgumentError, type Command } from 'commander'
import { checkSignatures, isSecret, type CheckedSignatures } from '../../app/events/delivery/signature.ts'
import { CommandFailure, plain, type CliDeps, type ReceivedEvent } from '../deps.ts'
import { isObject } from '../../core/reference/json.ts'

const host = '127.0.0.1'

interface ListenOptions {
  readonly port: number
  readonly secret: string
  readonly status: number
  readonly json?: true
}

export function registerWebhooks(program: Command, parts: CliDeps): void {
  const webhooks = program
    .command('webhooks')
    .description('try events out')
    .addHelpText('after', '\nExample:\n  fairway webhooks listen --port 9000 --secret whsec_…')
  webhooks
    .command('listen')
    .description('receive events on this machine, show them, and say whether their signatures hold')
    .requiredOption('--port <port>', 'where to listen; 0 takes any that is free', parsePort)
    .requiredOption('--secret <secret>', "the endpoint's secret, whsec_…, from its registration")
    .option('--status <status>', 'what to answer; anything but 2xx is tried again later', parseStatus, 200)
    .option('--json', 'print each event as one line of JSON')
    .addHelpText(
      'after',
      `
The server must allow this machine: start it with FAIRWAY_WEBHOOK_ALLOW_PRIVATE=true, and register
http://127.0.0.1:PORT/ as the endpoint.

Example:
  fairway webhooks listen --port 9000 --secret whsec_…`,
    )
    .action((options: ListenOptions) => listen(parts, options))
}

async function listen(parts: CliDeps, options: ListenOptions): Promise<void> {
  // Not when the options are read: what is refused there is repeated on the terminal.
  if (!isSecret(options.secret)) {
    throw new CommandFailure('the secret must begin with whsec_ and go on in base64, as it was shown')
  }
  const receiver = await parts
    .openReceiver({
      host,
      port: options.port,
      status: options.status,
      onRequest: (received) => {
        const checked = checkSignatures(options.secret, received.headers, received.body, parts.clock.nowMs())
        const line = options.json ? asJson(received, checked) : asText(received, checked)
        parts.process.stdout.write(`${line}\n`)
      },
    })
    .catch((error: Error) => {
      throw new CommandFailure(`cannot listen on port ${options.port}: ${error.message}`)
    })
  parts.process.stderr.write(
    `Listening at ${receiver.url}/ and answering ${options.status}. Stop with Ctrl-C.\n`,
  )
  await stopSignal(parts)
  await receiver.close()
}

function stopSignal(parts: CliDeps): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) parts.process.once(name, () => resolve())
  })
}

/** Null where the body is no JSON object: somebody else is calling. */
function envelopeOf(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function asJson({ at, path, body }: ReceivedEvent, { contract, standard }: CheckedSignatures): string {
  const line = JSON.stringify({
    received_at: at.toISOString(),
    path,
    bytes: body.byteLength,
    signatures: { 'x-svc-signature': contract, 'webhook-signature': standard },
    body: envelopeOf(body),
  })
  // JSON leaves these as they are, and a terminal obeys some of them.
  return line.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}

const told: Readonly<Record<CheckedSignatures['contract'], string>> = {
  valid: 'holds',
  missing: 'is missing',
  wrong: 'DOES NOT HOLD: another secret, or a changed body',
  stale: 'holds, but its time is more than five minutes off',
}

function asText({ at, path, body }: ReceivedEvent, { contract, standard }: CheckedSignatures): string {
  const envelope = envelopeOf(body)
  const what =
    envelope === null
      ? `${body.byteLength} bytes that are no event`
      : `${shown(envelope['event'])}  ${shown(envelope['event_id'])}  attempt ${shown(envelope['attempt'])}`
  return [
    `${at.toISOString()}  POST ${plain(path)}  ${what}`,
    `  X-SVC-Signature    ${told[contract]}`,
    `  webhook-signature  ${told[standard]}`,
    ...(envelope === null ? [] : dataLines(envelope['data'])),
  ].join('\n')
}

/** A line for each member: nothing that came from outside can break out of its line. */
function dataLines(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).map(([name, value]) => `    ${plain(name)}: ${shown(value)}`)
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('It is a port from 0 to 65535.')
  return port
}

function parseStatus(text: string): number {
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(status)) throw new InvalidArgumentError('It is an HTTP status from 200 to 599.')
  return status
}
