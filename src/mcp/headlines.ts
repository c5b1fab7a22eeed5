/** First lines of answers. Only known words and numbers are in them: text that people wrote stays in the marked data. */

type Answer = Readonly<Record<string, unknown>>

/** The first line of an answer. */
export type Headline = (answer: Answer) => string

/** A word of Fairway's own, such as `MANUAL_APPROVAL`. Anything else is not repeated outside the data. */
const word = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z_-]{0,40}$/.test(value) ? value : 'unknown'

const number = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : 'an unknown number'

const requestId = (value: unknown): string =>
  typeof value === 'string' && /^SVC-\d{4}-[0-9A-Z]{26}$/.test(value) ? value : 'of an unknown id'

const instant = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/.test(value) ? value : null

const rowsIn = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${String(count) === '1' ? one : many}`

const refusals: Readonly<Record<string, string>> = {
  DEGRADED: 'DEGRADED: this is not a go. Do not pay: a person must look at the payment first.',
  'NO-GO': 'NO-GO: do not pay.',
}

/** The decision first, so that nobody takes another answer for a GO. */
export function decisionLine(answer: Answer): string {
  const { decision, mode, recommended_action: action } = answer
  const id = `Decision ${requestId(answer['request_id'])}, recommended action ${word(action)}.`
  const refusal =
    decision === 'GO' ? undefined : (refusals[word(decision)] ?? 'This is not a go: do not pay.')
  if (refusal !== undefined) return `${refusal} ${id}`
  const until = instant(answer['valid_until'])
  const end =
    until === null ? '' : ` It is valid until ${until}; after that, verify again with a new idempotency_key.`
  return `${goOf(answer)} ${isLive(mode)}${id}${end}`
}

/** A key gives its first answer back for ever, also once that has ended. A host's clock may be wrong, so none is asked. */
function goOf({ recommended_action: action, idempotency_hit: isRepeated }: Answer): string {
  if (action !== 'PROCEED') return `GO with a condition: do not pay until ${word(action)} is done.`
  return isRepeated === true
    ? 'GO, given before to this idempotency_key: the payment may proceed only while it is valid.'
    : 'GO: the payment may proceed.'
}

const isLive = (mode: unknown): string =>
  mode === 'live' ? '' : 'Shadow mode: the signals are simulated, so this says nothing about a real payment. '

export function explanationLine(answer: Answer): string {
  const { decision, score, request_id: id } = answer
  const not = decision === 'GO' ? '' : ', which is not a go'
  return `Decision ${requestId(id)} was ${word(decision)}${not}; its score is ${number(score)}. An explanation allows no payment.`
}

export const rankingLine = ({ partner_count: count, mode }: Answer): string =>
  `A ranking of ${number(count)} partners, ${word(mode)} mode. It is no decision: verify the payment before paying.`

export const corridorsLine = ({ corridors, mode }: Answer): string =>
  `${counted(rowsIn(corridors), 'corridor')}, ${word(mode)} mode.`

export const corridorLine = ({ status, data_environment: source }: Answer): string =>
  `Status of the corridor: ${word(status)}, from ${word(source)} data. It is no decision: verify the payment before paying.`

export const historyLine = ({ items, next_cursor: next }: Answer): string =>
  `${counted(rowsIn(items), 'recorded decision')}, newest first. ${more(next)}`

export const reviewsLine = ({ reviews, next_cursor: next }: Answer): string =>
  `${counted(rowsIn(reviews), 'review')}, oldest due first. Only people can claim, propose or approve. ${more(next)}`

export const reviewLine = ({ status, decision }: Answer): string =>
  `The review is ${word(status)}; its decision is ${word(decision)}. Only people can claim, propose or approve.`

export const policiesLine = ({ policies, next_cursor: next }: Answer): string =>
  `${counted(rowsIn(policies), 'policy', 'policies')}, newest first. Only people can promote one. ${more(next)}`

export const reportLine = ({ records, unchanged }: Answer): string =>
  `The candidate was evaluated on ${counted(number(records), 'decision')} and left ${number(unchanged)} unchanged. Only people can promote it.`

export const calibrationLine = ({ records, with_outcome: ended }: Answer): string =>
  `${counted(number(records), 'decision')}, of which ${number(ended)} have an outcome.`

export const fileLine = ({ request_id: id }: Answer): string =>
  `Everything known about decision ${requestId(id)}.`

const more = (cursor: unknown): string =>
  typeof cursor === 'string' ? 'There are more: pass next_cursor as cursor.' : 'There are no more.'
