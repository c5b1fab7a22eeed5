/** The mode filter of a page, in its address. */

import type { Mode } from '@fairway/client'

/** Empty for all modes. */
export type ModeChoice = Mode | ''

export const modeChoices = [
  ['', 'All modes'],
  ['shadow', 'Shadow'],
  ['live', 'Live'],
] as const satisfies readonly (readonly [ModeChoice, string])[]

/** An unknown mode in the address is none. */
export const modeIn = (params: URLSearchParams): ModeChoice =>
  modeChoices.find(([mode]) => mode === params.get('mode'))?.[0] ?? ''
