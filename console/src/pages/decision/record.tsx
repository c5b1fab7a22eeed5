/** The record itself: as it is kept, to take away, and to be checked by whoever doubts it. */

import { useState } from 'react'
import { Problem } from '../../problem.tsx'
import { saveFile } from '../../save.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/code.tsx'
import type { AboutDecision } from './asks.ts'
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
      // Afresh: an override or an outcome may have come since the page was opened.
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

function Evidence({ id, about }: { readonly id: string; readonly about: AboutDecision }) {
  const { busy, error, save } = useExport(id)
  const command = `fairway audit verify audit-${id}.json`
  return (
    <div className="decision-block">
      <h3>Evidence that can be checked</h3>
      <p className="decision-prose">
        The export holds the record whole, the explanation and the hashes. Anybody can check it without a
        server:
      </p>
      <div className="command">
        <code>{command}</code>
        <CopyButton text={command} />
      </div>
      <Part asked={about.evidence} height={40}>
        {({ integrity }) => (
          <p className="small soft">
            SHA-256 of the record, the same in every export:{' '}
            <code className="anywhere">{integrity.record_hash}</code>
          </p>
        )}
      </Part>
      {error !== null && <Problem error={error} />}
      <div className="row">
        <Button icon="download" busy={busy === 'json'} onClick={() => void save('json')}>
          Download JSON
        </Button>
        <Button icon="download" busy={busy === 'csv'} onClick={() => void save('csv')}>
          Download CSV
        </Button>
      </div>
    </div>
  )
}

export function RecordSection({ id, about }: { readonly id: string; readonly about: AboutDecision }) {
  return (
    <Section id="record" title="Record">
      <Part asked={about.audit} height={320}>
        {(record) => (
          <>
            <Evidence id={id} about={about} />
            <Code title="Audit record" text={JSON.stringify(record, null, 2)} />
          </>
        )}
      </Part>
    </Section>
  )
}
