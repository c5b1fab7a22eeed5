/** The payment's outcome, or the form to report it. */

import { ConflictError, type AuditRecord, type ReportedOutcome } from '@fairway/client'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { PrincipalName } from '../../people/principal.tsx'
import { MissingScope } from '../../scope-problem.tsx'
import { useSession } from '../../session.tsx'
import { useMay } from '../../caller.ts'
import { Pairs } from '../../ui/card.tsx'
import { DialogResult } from '../../ui/dialog-result.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { outcomes } from '../../labels.ts'
import type { OutcomeReport } from './outcome-form.tsx'
import { partnersOf } from './partners.tsx'
import type { FileProps } from './file.ts'
import { Absent, Section } from './section.tsx'

function Reported({ of }: { readonly of: ReportedOutcome }) {
  return (
    <Pairs
      of={[
        ['Outcome', <strong key="outcome">{outcomes[of.outcome]}</strong>],
        ...(of.partner === undefined ? [] : [['Partner', <code key="partner">{of.partner}</code>] as const]),
        ...(of.occurred_at === null ? [] : [['Ended', <Time key="ended" at={of.occurred_at} />] as const]),
        ['Reported', <Time key="reported" at={of.reported_at} />],
        ['By', <PrincipalName key="by" of={of.reported_by} />],
      ]}
    />
  )
}

/** Whether an outcome can be reported. */
export const isOutcomeOpen = ({ outcome }: AuditRecord): boolean =>
  outcome === null || outcome.outcome === 'PENDING'

const recordedMessage = 'Outcome recorded'

function useReport({ file, query }: FileProps) {
  const { client } = useSession()
  const [message, setMessage] = useState<string | null>(null)
  /** Resolves with the error if nothing was recorded. */
  async function report(sent: OutcomeReport): Promise<unknown> {
    if (client === null) return null
    try {
      const outcome = await client.reportOutcome(file.request_id, sent)
      // Show it at once, without waiting for the refetch.
      if (file.audit !== null)
        void query.mutate({ ...file, audit: { ...file.audit, outcome } }, { revalidate: false })
      setMessage(recordedMessage)
    } catch (error) {
      if (!(error instanceof ConflictError)) return error
      setMessage('An outcome was already reported: yours was not recorded')
    } finally {
      void query.mutate()
    }
    return null
  }
  return { message, report }
}

/** Loaded after the page: it stands far below the verdict. */
const OutcomeForm = lazy(async () => ({ default: (await import('./later.ts')).OutcomeForm }))

function Missing(form: ComponentProps<typeof OutcomeForm>) {
  if (!useMay('outcome:write')) {
    return (
      <MissingScope scope="outcome:write" title="This key may not report outcomes" tone="info">
        <p>
          It lacks the scope <code>outcome:write</code>.
        </p>
      </MissingScope>
    )
  }
  return (
    <>
      <p className="decision-prose">
        An outcome is recorded permanently. Only “Pending” can be replaced by a later report.
      </p>
      <Suspense fallback={<Skeleton />}>
        <OutcomeForm {...form} />
      </Suspense>
    </>
  )
}

export function OutcomeSection(props: FileProps) {
  const { message, report } = useReport(props)
  const { audit: record, explanation } = props.file
  return (
    <Section id="outcome" title="Payment outcome">
      <Absent file={props.file} name="audit" />
      {message !== null && (
        <DialogResult
          key={record?.outcome?.reported_at}
          tone={message === recordedMessage ? 'go' : 'degraded'}
          title={message}
        />
      )}
      {record !== null && record.outcome !== null && <Reported of={record.outcome} />}
      {record !== null && isOutcomeOpen(record) && (
        <Missing {...{ record, report }} partners={partnersOf(explanation).map(({ partner }) => partner)} />
      )}
    </Section>
  )
}
