/** The evidence of a decision: export, proof, policies, signal sources and the stored record. */

import type { DecisionFile } from '@fairway/client'
import { Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Pairs } from '../../ui/card.tsx'
import { Code, CopyButton } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'
import { useExport } from './export.ts'
import { DecisionPolicies, Gate } from './policies.tsx'
import { Absent, Section } from './section.tsx'
import { Provenance } from './signals.tsx'

function Export({ file }: { readonly file: DecisionFile }) {
  const { request_id: id, recording } = file
  const { busy, error, save } = useExport(id)
  const command = `fairway audit verify audit-${id}.json`
  return (
    <Section id="export" title="Verifiable evidence">
      <Absent file={file} name="recording" />
      {recording !== null && (
        <>
          <p className="decision-prose">
            The export contains the complete record, the explanation and the hashes. Verify it without the
            service:
          </p>
          <div className="command">
            <code>{command}</code>
            <CopyButton text={command} />
          </div>
          <p className="small soft">
            Record hash (SHA-256), the same in every export:{' '}
            <code className="anywhere">{recording.record_hash}</code>
          </p>
          {error !== null && <Problem error={error} />}
          <div className="row">
            <Button icon="download" busy={busy === 'json'} onClick={() => save('json')}>
              Export JSON
            </Button>
            <Button icon="download" busy={busy === 'csv'} onClick={() => save('csv')}>
              Export CSV
            </Button>
          </div>
        </>
      )}
    </Section>
  )
}

type Sealed = NonNullable<DecisionFile['proof']>

const leafText = (leaf: Sealed['record']) =>
  leaf === null ? (
    <span className="soft">none</span>
  ) : (
    <>
      Entry {leaf.leaf_index}
      <code className="decision-second anywhere">{leaf.leaf_hash}</code>
    </>
  )

const statusChip = (status: Sealed['status']) =>
  status === 'sealed' ? <Chip tone="go">Sealed</Chip> : <Chip>Not sealed yet</Chip>

function Proof({ of: { status, record, override, outcome, checkpoint } }: { readonly of: Sealed }) {
  return (
    <Pairs
      of={[
        ['Status', statusChip(status)],
        ['Record', leafText(record)],
        ['Override', leafText(override)],
        ['Outcome', leafText(outcome)],
        ...(checkpoint === null
          ? []
          : ([
              ['Checkpoint', <Time key="made" at={checkpoint.made_at} />],
              ['Size of the log', checkpoint.tree_size],
              [
                'Root hash',
                <code key="root" className="anywhere">
                  {checkpoint.root_hash}
                </code>,
              ],
            ] as const)),
      ]}
    />
  )
}

export function Evidence({ file }: { readonly file: DecisionFile }) {
  const { audit, proof, explanation } = file
  return (
    <>
      <div className="columns">
        <Export file={file} />
        <Section id="proof" title="Proof">
          {proof === null ? <Absent file={file} name="proof" /> : <Proof of={proof} />}
        </Section>
      </div>
      <Section id="policies" title="Policies">
        <Gate of={explanation.policy_gate} />
        <DecisionPolicies of={explanation} />
      </Section>
      <Provenance of={file.provenance} />
      <Section id="record" title="Record">
        {audit === null ? (
          <Absent file={file} name="audit" />
        ) : (
          <Code title="Audit record" text={JSON.stringify(audit, null, 2)} />
        )}
      </Section>
    </>
  )
}
