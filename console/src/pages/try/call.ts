/** The request as a curl command and as TypeScript. Neither contains the key. */

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
