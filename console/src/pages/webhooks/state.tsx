/** The state of a delivery as a label, an icon and a colour. */

import type { Delivery } from '@fairway/client'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Chip, type Tone } from '../../ui/verdict.tsx'
import { deliveryState } from './labels.ts'

const iconOf: Readonly<Record<Tone, IconName>> = {
  go: 'check',
  degraded: 'clock',
  nogo: 'stop',
  info: 'arrow',
}

export function DeliveryState({ of }: { readonly of: Delivery }) {
  const { label, tone } = deliveryState(of)
  return (
    <Chip tone={tone}>
      <Icon name={iconOf[tone]} size={15} />
      {label}
    </Chip>
  )
}
