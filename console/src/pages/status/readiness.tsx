/** Readiness: the sixteen items, those that need attention told apart by a word, a shape and a colour. */

import type { Readiness } from '@fairway/client'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { codeWords } from '../../words.ts'
import { items } from './words.ts'

type Item = Readiness['checklist'][number]

const statuses: Readonly<Record<Item['status'], { tone: Tone; words: string; icon: IconName }>> = {
  ready: { tone: 'go', words: 'Ready', icon: 'check' },
  planned: { tone: 'info', words: 'Planned', icon: 'clock' },
  not_available: { tone: 'degraded', words: 'Not ready', icon: 'warn' },
}

function neededWords({ needed_for: levels }: Item): string {
  if (levels.length === 0) return 'Good to have'
  return levels.length === 2 ? 'Needed always' : `Needed for ${levels.join(' and ')}`
}

function One({ item }: { readonly item: Item }) {
  const [name, why] = items[item.item] ?? [codeWords(item.item), '']
  const { tone, words, icon } = statuses[item.status]
  return (
    <li>
      <div className="status-item-head">
        <h3>{name}</h3>
        <Chip tone={tone}>
          <Icon name={icon} size={15} />
          {words}
        </Chip>
      </div>
      <p>{why}</p>
      <p className="small soft anywhere">{item.detail}</p>
      <p className="small soft">{neededWords(item)}</p>
    </li>
  )
}

export function Checklist({ readiness: { checklist } }: { readonly readiness: Readiness }) {
  return (
    <ul className="status-items" aria-label="Items of readiness">
      {checklist.map((item) => (
        <One key={item.item} item={item} />
      ))}
    </ul>
  )
}
