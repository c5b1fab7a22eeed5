/** `fairway webhooks listen`: a local receiver that prints events and checks their signatures. */

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

export function registerWebhooks(program: Command, deps: CliDeps): void {
  const webhooks = program
    .command('webhooks')
    .description('Receive webhook events on this machine')
    .addHelpText('after', '\nExample:\n  fairway webhooks listen --port 9000 --secret whsec_…')
  webhooks
    .command('listen')
    .description('Receive events, print them and check their signatures')
    .requiredOption('--port <port>', 'Port to listen on; 0 selects a free port', parsePort)
    .requiredOption('--secret <secret>', 'Secret of the endpoint, whsec_…, from its registration')
    .option(
      '--status <status>',
      'HTTP status to return; the server retries unless it is 2xx',
      parseStatus,
      200,
    )
    .option('--json', 'Print each event as one line of JSON')
    .addHelpText(
      'after',
      `
The server must allow private addresses: start it with FAIRWAY_WEBHOOK_ALLOW_PRIVATE=true, and register
http://127.0.0.1:PORT/ as the endpoint.

Example:
  fairway webhooks listen --port 9000 --secret whsec_…`,
    )
    .action((options: ListenOptions) => listen(deps, options))
}

async function listen(deps: CliDeps, options: ListenOptions): Promise<void> {
  // Checked here and not by the option parser, whose error message would print the secret.
  if (!isSecret(options.secret)) {
    throw new CommandFailure('the secret must be whsec_ followed by base64, as shown at registration')
  }
  const receiver = await deps
    .openReceiver({
      host,
      port: options.port,
      status: options.status,
      onRequest: (received) => {
        const checked = checkSignatures(options.secret, received.headers, received.body, deps.clock.nowMs())
        const line = options.json ? asJson(received, checked) : asText(received, checked)
        deps.process.stdout.write(`${line}\n`)
      },
    })
    .catch((error: Error) => {
      throw new CommandFailure(`cannot listen on port ${options.port}: ${error.message}`)
    })
  deps.process.stderr.write(
    `Listening at ${receiver.url}/ and returning ${options.status}. Press Ctrl-C to stop.\n`,
  )
  await stopSignal(deps)
  await receiver.close()
}

function stopSignal(deps: CliDeps): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) deps.process.once(name, () => resolve())
  })
}

/** Null if the body is not a JSON object, and so not an event. */
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
  // JSON.stringify does not escape these, and some control the terminal.
  return line.replaceAll(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)
}

const signatureText: Readonly<Record<CheckedSignatures['contract'], string>> = {
  valid: 'valid',
  missing: 'missing',
  wrong: 'INVALID: different secret or changed body',
  stale: 'valid, but its timestamp is more than five minutes off',
}

function asText({ at, path, body }: ReceivedEvent, { contract, standard }: CheckedSignatures): string {
  const envelope = envelopeOf(body)
  const summary =
    envelope === null
      ? `${body.byteLength} bytes, not an event`
      : `${shown(envelope['event'])}  ${shown(envelope['event_id'])}  attempt ${shown(envelope['attempt'])}`
  return [
    `${at.toISOString()}  POST ${plain(path)}  ${summary}`,
    `  X-SVC-Signature    ${signatureText[contract]}`,
    `  webhook-signature  ${signatureText[standard]}`,
    ...(envelope === null ? [] : dataLines(envelope['data'])),
  ].join('\n')
}

/** One line for each member; untrusted values cannot break out of their line. */
function dataLines(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).map(([name, value]) => `    ${plain(name)}: ${shown(value)}`)
}

function shown(value: unknown): string {
  return plain(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('Expected a port from 0 to 65535.')
  return port
}

function parseStatus(text: string): number {
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(status)) throw new InvalidArgumentError('Expected an HTTP status from 200 to 599.')
  return status
}
