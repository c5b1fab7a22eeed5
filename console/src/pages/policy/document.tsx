/** The document of a policy, in words and tables. */

import type { PolicyDocument } from '@fairway/client'
import type { ReactNode } from 'react'
import { formatAlignedAmount, formatScore } from '../../format.ts'
import { boundsOf, useRules } from '../../rules.ts'
import { Card, Pairs } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Verdict } from '../../ui/verdict.tsx'

export type Rule = NonNullable<PolicyDocument['rules']>[number]

interface Cap {
  readonly currency: string
  readonly review_above: number
  readonly block_above: number
}

const capColumns: readonly Column<Cap>[] = [
  { name: 'Currency', cell: ({ currency }) => currency },
  {
    name: 'At most DEGRADED above',
    number: true,
    cell: ({ currency, review_above: above }) => formatAlignedAmount(above, currency),
  },
  {
    name: 'NO-GO above',
    number: true,
    cell: ({ currency, block_above: above }) => formatAlignedAmount(above, currency),
  },
]

function Floor({
  value,
  contract,
}: {
  readonly value: number | undefined
  readonly contract: number | null
}) {
  const own = contract === null ? 'as the contract' : `${formatScore(contract)}, as the contract`
  if (value === undefined) return <span className="soft">{own}</span>
  return (
    <>
      <strong className="figures">{formatScore(value)}</strong>
      {contract !== null && <span className="soft small"> contract: {formatScore(contract)}</span>}
    </>
  )
}

/** A rule sets NO-GO, or allows no more than DEGRADED. */
export function Then({ of }: { readonly of: Rule['then'] }) {
  return (
    <span className="policy-then">
      <span className="small soft">{of === 'NO-GO' ? 'then' : 'at most'}</span>
      <Verdict of={of} />
    </span>
  )
}

function Rules({ of }: { readonly of: readonly Rule[] }): ReactNode {
  if (of.length === 0) return <p className="soft">No rules.</p>
  return (
    <ol className="policy-rules" aria-label="Rules">
      {of.map((rule) => (
        <li key={rule.id}>
          <span className="row">
            <strong className="mono anywhere">{rule.id}</strong>
            <Then of={rule.then} />
          </span>
          <code className="policy-when">{rule.when}</code>
          <span>{rule.message}</span>
        </li>
      ))}
    </ol>
  )
}

/** All that a document says, in words. */
export function DocumentText({ of: document }: { readonly of: PolicyDocument }) {
  const { data: rules } = useRules()
  const bounds = rules === undefined ? null : boundsOf(rules)
  const caps = Object.entries(document.caps ?? {}).map(([currency, cap]) => ({ currency, ...cap }))
  const asContract = <span className="soft">as the contract</span>
  return (
    <>
      <Pairs
        of={[
          [
            'Without an amount',
            document.require_amount === true ? <Then key="amount" of="DEGRADED" /> : asContract,
          ],
          ['GO from score', <Floor key="go" value={document.go_floor} contract={bounds?.go ?? null} />],
          [
            'NO-GO below score',
            <Floor key="no-go" value={document.no_go_below} contract={bounds?.degraded ?? null} />,
          ],
          ...(caps.length === 0 ? [['Caps', asContract] as const] : []),
        ]}
      />
      {caps.length > 0 && (
        <section className="policy-part" aria-label="Caps">
          <h3>Caps</h3>
          <Table
            caption="Caps by currency"
            columns={capColumns}
            rows={caps}
            keyOf={({ currency }) => currency}
          />
        </section>
      )}
      <section className="policy-part" aria-label="Rules">
        <h3>Rules</h3>
        <Rules of={document.rules ?? []} />
      </section>
    </>
  )
}

export function DocumentJson({
  of: document,
  children,
}: {
  readonly of: PolicyDocument
  readonly children?: ReactNode
}) {
  return (
    <details className="policy-json">
      <summary>Document as JSON</summary>
      <Code title="Document as JSON" text={JSON.stringify(document, null, 2)} />
      {children}
    </details>
  )
}

export function DocumentCard({ of: document, sha256 }: { of: PolicyDocument; sha256: string }) {
  return (
    <Card title="Document">
      <DocumentText of={document} />
      <DocumentJson of={document}>
        <p className="small soft">
          SHA-256: <code className="anywhere">{sha256}</code>
        </p>
      </DocumentJson>
    </Card>
  )
}
