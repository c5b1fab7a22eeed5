/** Tries the document on a recorded decision: before, after, and the rules that fired. Nothing is stored. */

import { NotFoundError, type PolicyCheck, type PolicyDocument } from '@fairway/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAction } from '../../action.ts'
import { Problem } from '../../problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state.tsx'
import { Chip, Verdict } from '../../ui/verdict.tsx'

type Tried = NonNullable<PolicyCheck['tried']>

function Result({ of }: { readonly of: Tried }) {
  const { request_id: id, from, to, fired, decided } = of
  return (
    <div className="policy-tried" role="status">
      <p className="policy-flip">
        <Verdict of={from} />
        <Icon name="arrow" size={15} />
        <span className="sr-only">becomes</span>
        <Verdict of={to} />
        <span className="small soft">{from === to ? 'unchanged' : 'changed'}</span>
      </p>
      {fired.length === 0 ? (
        <p className="small soft">No rule fired.</p>
      ) : (
        <ul className="policy-fired" aria-label="Rules that fired">
          {fired.map((rule) => (
            <li key={rule}>
              <code>{rule}</code>
              <Chip {...(decided.includes(rule) && { tone: 'degraded' as const })}>
                {decided.includes(rule) ? 'fired, made the decision' : 'fired'}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      <p className="small">
        <Link href={`/verifications/${encodeURIComponent(id)}`}>Open the decision</Link>
      </p>
    </div>
  )
}

interface Answer {
  readonly text: string
  readonly check: PolicyCheck
}

function AnswerView({ of: { text, check }, current }: { readonly of: Answer; readonly current: string }) {
  if (text !== current) return <p className="soft small">The document has changed since. Try it again.</p>
  if (!check.valid || check.tried === null) {
    return (
      <Notice tone="degraded" title="Correct the errors first" live>
        <p>A document with errors cannot be tried.</p>
      </Notice>
    )
  }
  return <Result of={check.tried} />
}

export function TryCard({ document }: { readonly document: PolicyDocument }) {
  const [id, setId] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const current = JSON.stringify(document)
  const action = useAction(
    async (client) => ({
      text: current,
      check: await client.checkPolicy(document, { request_id: id.trim() }),
    }),
    setAnswer,
  )
  const isUnknown = action.error instanceof NotFoundError
  return (
    <Card title="Try on a decision">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAnswer(null)
          if (id.trim() !== '') action.run()
        }}
      >
        <Field
          label="Request id"
          hint={
            <>
              Of a recorded decision: see <Link href="/verifications">Verifications</Link>.
            </>
          }
          error={
            isUnknown
              ? 'No such decision of this owner, or another version of the engine decided it.'
              : undefined
          }
        >
          {(input) => (
            <input
              {...input}
              className="input mono"
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              value={id}
              onChange={({ target }) => setId(target.value)}
            />
          )}
        </Field>
        <div>
          <Button type="submit" busy={action.busy}>
            Try
          </Button>
        </div>
      </form>
      {action.error !== null && !isUnknown && <Problem error={action.error} />}
      {answer !== null && <AnswerView of={answer} current={current} />}
    </Card>
  )
}
