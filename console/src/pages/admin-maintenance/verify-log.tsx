/** Starts a check of the whole log, against saved checkpoints and trusted keys if there are any. */

import { useState } from 'react'
import { Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { useStart } from './jobs.tsx'

export function VerifyLog({ isRunning }: { readonly isRunning: boolean }) {
  const [checkpoint, setCheckpoint] = useState('')
  const [keys, setKeys] = useState('')
  const trusted = keys
    .split('\n')
    .map((key) => key.trim())
    .filter(Boolean)
  const start = useStart(() => ({
    kind: 'verify_log',
    ...(checkpoint.trim() !== '' && { checkpoints: [checkpoint] }),
    ...(trusted.length > 0 && { trusted_keys: trusted }),
  }))
  return (
    <Card
      title="Check of the log"
      note="Compares every record, override, outcome, act and change of a review with the log, and the log with its signatures."
    >
      <details>
        <summary>With a saved checkpoint or trusted keys</summary>
        <div className="stack">
          <Field
            label="Saved checkpoint"
            hint="As JSON or as the note. Only a checkpoint that was kept elsewhere reveals a log cut short together with its records."
          >
            {(input) => (
              <textarea
                {...input}
                rows={5}
                spellCheck={false}
                maxLength={8_000}
                value={checkpoint}
                onChange={({ target }) => setCheckpoint(target.value)}
              />
            )}
          </Field>
          <Field
            label="Trusted verifier keys"
            hint="One a line. Without them the keys in the database count."
          >
            {(input) => (
              <textarea
                {...input}
                rows={2}
                spellCheck={false}
                value={keys}
                onChange={({ target }) => setKeys(target.value)}
              />
            )}
          </Field>
        </div>
      </details>
      {start.error !== null && <Problem error={start.error} />}
      <div>
        <Button variant="primary" icon="check" busy={start.busy || isRunning} onClick={start.run}>
          Check the log
        </Button>
      </div>
    </Card>
  )
}
