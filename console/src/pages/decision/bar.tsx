/** The bar that stays in sight: verdict, instruction, payment, and the acts that the caller may take. */

import type { DecisionFile } from '@fairway/client'
import { Link } from 'wouter'
import { formatAmount } from '../../format.ts'
import { outcomes, overrideLabels } from '../../labels.ts'
import { Chip, toneOf, Verdict } from '../../ui/verdict.tsx'
import { Acts } from './acts.tsx'
import { instructionOf } from './instruction.ts'

function Payment({ file: { audit } }: { readonly file: DecisionFile }) {
  if (audit === null) return null
  const { amount, currency, corridor, outcome, human_override: override } = audit
  return (
    <p className="bar-payment">
      <strong>{formatAmount(amount, currency)}</strong>
      <Link href={`/corridors/${encodeURIComponent(corridor)}`}>{corridor}</Link>
      {override !== null && <Chip tone="info">{overrideLabels[override.action]}</Chip>}
      {outcome !== null && <Chip>{`Payment: ${outcomes[outcome.outcome].toLowerCase()}`}</Chip>}
    </p>
  )
}

export function Bar({
  file,
  onJump,
}: {
  readonly file: DecisionFile
  readonly onJump: (section: 'override' | 'outcome') => void
}) {
  const { decision } = file.explanation
  const instruction = instructionOf(file)
  return (
    <section className={`decision-bar bar-${toneOf[decision]}`} aria-label="Decision summary">
      <div className="bar-verdict">
        <Verdict of={decision} />
      </div>
      <Payment file={file} />
      {instruction !== null && <p className="bar-action">{instruction}</p>}
      <Acts file={file} onJump={onJump} />
    </section>
  )
}
