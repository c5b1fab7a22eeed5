/** The API request and its response, ready to copy. */

import { useIsVisitor } from '../../caller.ts'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Segments } from '../../ui/field.tsx'
import { curlOf, pythonOf, scriptOf } from './call.ts'
import type { Shown, VerificationRequest } from './verification.ts'

const formats = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['json', 'JSON response'],
] as const
type Format = (typeof formats)[number][0]

export const formatOf = (text: string | null): Format =>
  formats.find(([format]) => format === text)?.[0] ?? 'curl'

/** The response as received, without the client's own `held`. */
function jsonOf({ decision, hold }: Shown): string {
  const answer: object = decision ?? {
    message: hold.message,
    code: hold.code,
    request_id: hold.requestId,
    unavailable_signals: hold.unavailableSignals,
  }
  return JSON.stringify(answer, (name, value: unknown) => (name === 'held' ? undefined : value), 2)
}

export function ApiCall({
  request,
  shown,
  format,
  onFormat,
}: {
  readonly request: VerificationRequest
  readonly shown: Shown | null
  readonly format: Format
  readonly onFormat: (format: Format) => void
}) {
  const { origin } = window.location
  const isVisitor = useIsVisitor()
  return (
    <Card
      title={isVisitor ? 'The same call from your code' : 'API request'}
      note={
        request.idempotencyKey === null
          ? 'The demo needs no key. With a key, POST /api/v1/verify accepts the same members and records the decision.'
          : 'Set FAIRWAY_API_KEY to your key. A retry with the same idempotency key returns the same decision.'
      }
      actions={<Segments label="Format" options={formats} value={format} onChange={onFormat} />}
    >
      {format === 'curl' && <Code title="Shell" text={curlOf(request, origin)} />}
      {format === 'typescript' && <Code title="TypeScript" text={scriptOf(request, origin)} />}
      {format === 'python' && <Code title="Python" text={pythonOf(request, origin)} />}
      {format === 'json' &&
        (shown === null ? (
          <p className="soft">No response yet. Select Verify.</p>
        ) : (
          <Code title="Response" text={jsonOf(shown)} />
        ))}
    </Card>
  )
}
