/** The same call to take away: exactly what was asked, for a shell and for TypeScript. The key itself is never in it. */

import type { Question } from './verification.ts'

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const inScript = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

export function curlOf({ payment, recordedUnder }: Question, origin: string): string {
  const path = recordedUnder === null ? 'demo-verify' : 'verify'
  return [
    `curl -s ${origin}/api/v1/${path}`,
    ...(recordedUnder === null
      ? []
      : [
          '-H "Authorization: Bearer $FAIRWAY_API_KEY"',
          `-H ${inShell(`Idempotency-Key: ${recordedUnder}`)}`,
        ]),
    `-H 'Content-Type: application/json'`,
    `-d ${inShell(JSON.stringify(payment))}`,
  ].join(' \\\n  ')
}

export function scriptOf({ payment, recordedUnder }: Question, origin: string): string {
  const { corridor, amount, currency } = payment
  const sum = amount === undefined ? '' : `amount: ${amount}, `
  const body = `{ corridor: ${inScript(corridor)}, ${sum}currency: ${inScript(currency)} }`
  const opens = "import { FairwayClient } from '@fairway/client'\n"
  if (recordedUnder === null) {
    return `${opens}
const client = new FairwayClient({ baseUrl: ${inScript(origin)} })

const answer = await client.demoVerify(${body})
console.log(answer.decision, answer.recommended_action)`
  }
  return `${opens}
const client = new FairwayClient({
  baseUrl: ${inScript(origin)},
  apiKey: process.env['FAIRWAY_API_KEY'] ?? '',
})

const answer = await client.verify(
  ${body},
  { idempotencyKey: ${inScript(recordedUnder)} },
)
if (answer.held) console.log('hold: ask again in', answer.retryAfterSeconds, 'seconds')
else console.log(answer.decision, answer.recommended_action)`
}
