/** The stored record, its exports and the command that verifies them. */

import { useState } from 'react'
import { Problem } from '../../problem.tsx'
import { saveFile } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/code.tsx'
import type { DecisionQueries } from './queries.ts'
import { Part, Section } from './section.tsx'

const types = { json: 'application/json', csv: 'text/csv' } as const

type Format = keyof typeof types

function useExport(id: string) {
  const { client } = useSession()
  const [busy, setBusy] = useState<Format | null>(null)
  const [error, setError] = useState<unknown>(null)
  async function save(format: Format): Promise<void> {
    if (client === null || busy !== null) return
    setBusy(format)
    setError(null)
    try {
      // Fetch again: an override or outcome may have been added since the page was opened.
      const bundle = await client.exportAudit(id, { format })
      const text = typeof bundle === 'string' ? bundle : `${JSON.stringify(bundle, null, 2)}\n`
      saveFile(`audit-${id}.${format}`, types[format], [text])
    } catch (caught) {
      setError(caught)
    }
    setBusy(null)
  }
  return { busy, error, save }
}

function Evidence({ id, queries }: { readonly id: string; readonly queries: DecisionQueries }) {
  const { busy, error, save } = useExport(id)
  const command = `fairway audit verify audit-${id}.json`
  return (
    <div className="decision-block">
      <h3>Verifiable evidence</h3>
      <p className="decision-prose">
        The export contains the complete record, the explanation and the hashes. Verify it without the
        service:
      </p>
      <div className="command">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
      <Part query={queries.evidence} height={40}>
        {({ integrity }) => (
          <p className="small soft">
            Record hash (SHA-256), the same in every export:{' '}
            <code className="anywhere">{integrity.record_hash}</code>
          </p>
        )}
      </Part>
      {error !== null && <Problem error={error} />}
      <div className="row">
        <Button icon="download" busy={busy === 'json'} onClick={() => void save('json')}>
          Export JSON
        </Button>
        <Button icon="download" busy={busy === 'csv'} onClick={() => void save('csv')}>
          Export CSV
        </Button>
      </div>
    </div>
  )
}

export function RecordSection({ id, queries }: { readonly id: string; readonly queries: DecisionQueries }) {
  return (
    <Section id="record" title="Record">
      <Part query={queries.audit} height={320}>
        {(record) => (
          <>
            <Evidence id={id} queries={queries} />
            <Code title="Audit record" text={JSON.stringify(record, null, 2)} />
          </>
        )}
      </Part>
    </Section>
  )
}
