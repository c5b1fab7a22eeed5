/** The sixteen readiness items, each with its status. */

import type { Readiness } from '@fairway/client'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeLabel } from '../../labels.ts'
import { ItemFix } from './fixes.tsx'
import { items } from './labels.ts'

type Item = Readiness['checklist'][number]

const statuses: Readonly<Record<Item['status'], { tone: Tone; label: string; icon: IconName }>> = {
  ready: { tone: 'go', label: 'Ready', icon: 'check' },
  planned: { tone: 'info', label: 'Planned', icon: 'clock' },
  not_available: { tone: 'degraded', label: 'Not ready', icon: 'warn' },
}

function neededText({ needed_for: levels }: Item): string {
  if (levels.length === 0) return 'Optional'
  return levels.length === 2 ? 'Always required' : `Required for ${levels.join(' and ')}`
}

function ReadinessItem({ item }: { readonly item: Item }) {
  const [name, why] = items[item.item] ?? [codeLabel(item.item), '']
  const { tone, label, icon } = statuses[item.status]
  return (
    <li>
      <div className="status-item-head">
        <h3>{name}</h3>
        <Chip tone={tone}>
          <Icon name={icon} size={15} />
          {label}
        </Chip>
      </div>
      <p>{why}</p>
      <p className="small soft anywhere">{item.detail}</p>
      <p className="small soft">{neededText(item)}</p>
      {item.status === 'not_available' && <ItemFix item={item.item} />}
    </li>
  )
}

export function Checklist({ readiness: { checklist } }: { readonly readiness: Readiness }) {
  return (
    <ul className="status-items" aria-label="Readiness items">
      {checklist.map((item) => (
        <ReadinessItem key={item.item} item={item} />
      ))}
    </ul>
  )
}
