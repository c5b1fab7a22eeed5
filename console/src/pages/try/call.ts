/** The request as a curl command, as TypeScript and as Python. None contains the key. */

import type { VerificationRequest } from './verification.ts'

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const scriptQuoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

export function curlOf({ payment, idempotencyKey }: VerificationRequest, origin: string): string {
  const path = idempotencyKey === null ? 'demo-verify' : 'verify'
  return [
    `curl -s ${origin}/api/v1/${path}`,
    ...(idempotencyKey === null
      ? []
      : [
          '-H "Authorization: Bearer $FAIRWAY_API_KEY"',
          `-H ${shellQuoted(`Idempotency-Key: ${idempotencyKey}`)}`,
        ]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuoted(JSON.stringify(payment))}`,
  ].join(' \\\n  ')
}

export function scriptOf({ payment, idempotencyKey }: VerificationRequest, origin: string): string {
  const { corridor, amount, currency } = payment
  const sum = amount === undefined ? '' : `amount: ${amount}, `
  const body = `{ corridor: ${scriptQuoted(corridor)}, ${sum}currency: ${scriptQuoted(currency)} }`
  const imports = "import { FairwayClient } from '@fairway/client'\n"
  if (idempotencyKey === null) {
    return `${imports}
const client = new FairwayClient({ baseUrl: ${scriptQuoted(origin)} })

const answer = await client.demoVerify(${body})
console.log(answer.decision, answer.recommended_action)`
  }
  return `${imports}
const client = new FairwayClient({
  baseUrl: ${scriptQuoted(origin)},
  apiKey: process.env['FAIRWAY_API_KEY'] ?? '',
})

const answer = await client.verify(
  ${body},
  { idempotencyKey: ${scriptQuoted(idempotencyKey)} },
)
if (answer.held) console.log('hold: retry in', answer.retryAfterSeconds, 'seconds')
else console.log(answer.decision, answer.recommended_action)`
}

export function pythonOf({ payment, idempotencyKey }: VerificationRequest, origin: string): string {
  // Texts and numbers of JSON are those of Python.
  const members = Object.entries(payment).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
  const body = `{${members.join(', ')}}`
  if (idempotencyKey === null) {
    return `from fairway import FairwayClient

client = FairwayClient(${JSON.stringify(origin)})
answer = client.demo_verify(${body})
print(answer["decision"], answer["recommended_action"])`
  }
  return `import os

from fairway import FairwayClient, Hold

client = FairwayClient(${JSON.stringify(origin)}, os.environ["FAIRWAY_API_KEY"])
answer = client.verify(
    ${body},
    idempotency_key=${JSON.stringify(idempotencyKey)},
)
if isinstance(answer, Hold):
    print("hold: retry in", answer.retry_after_seconds, "seconds")
else:
    print(answer["decision"], answer["recommended_action"])`
}
