/** The stretch and its steps, in whole UTC days. */

import type { Calibration } from '@fairway/client'
import { formatUtcDate } from '../../format.ts'

export type Step = Calibration['series'][number]

const dayMs = 86_400_000

interface Stretch {
  readonly from: string
  /** Not included. */
  readonly to: string
}

const daysOf = ({ from, to }: Stretch): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The first and the last day; of one day, that day. */
export function stepText(stretch: Stretch): string {
  const first = formatUtcDate(stretch.from)
  return daysOf(stretch) <= 1 ? first : `${first} to ${formatUtcDate(Date.parse(stretch.to) - 1)}`
}

/** The last step may be shorter, so the name is that of the first. */
export function stepName(first: Stretch): string {
  const days = daysOf(first)
  return days <= 1 ? 'in days' : `in steps of ${days} days`
}

export function stretchText(stretch: Stretch): string {
  const days = daysOf(stretch)
  return `${stepText(stretch)}: ${days} whole UTC ${days === 1 ? 'day' : 'days'}`
}
