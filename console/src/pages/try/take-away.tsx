/** The call and its answer, ready to copy. */

import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Segments } from '../../ui/field.tsx'
import { curlOf, scriptOf } from './call.ts'
import type { Question, Shown } from './verification.ts'

const forms = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['json', 'JSON answer'],
] as const
type Form = (typeof forms)[number][0]

export const formOf = (text: string | null): Form => forms.find(([form]) => form === text)?.[0] ?? 'curl'

/** As it came: `held` is the client's own. */
function jsonOf({ decision, hold }: Shown): string {
  const answer: object = decision ?? {
    message: hold.message,
    code: hold.code,
    request_id: hold.requestId,
    unavailable_signals: hold.unavailableSignals,
  }
  return JSON.stringify(answer, (name, value: unknown) => (name === 'held' ? undefined : value), 2)
}

export function TakeAway({
  question,
  shown,
  form,
  onForm,
}: {
  readonly question: Question
  readonly shown: Shown | null
  readonly form: Form
  readonly onForm: (form: Form) => void
}) {
  const { origin } = window.location
  return (
    <Card
      title="The same call"
      note={
        question.recordedUnder === null
          ? 'It needs no key. With one, POST /api/v1/verify takes the same members and records the decision.'
          : 'With your key in FAIRWAY_API_KEY. The same idempotency key gets the same answer, and decides nothing twice.'
      }
      actions={<Segments label="Form" options={forms} value={form} onChange={onForm} />}
    >
      {form === 'curl' && <Code title="Shell" text={curlOf(question, origin)} />}
      {form === 'typescript' && <Code title="TypeScript" text={scriptOf(question, origin)} />}
      {form === 'json' &&
        (shown === null ? (
          <p className="soft">No answer yet: press Verify.</p>
        ) : (
          <Code title="Answer" text={jsonOf(shown)} />
        ))}
    </Card>
  )
}
