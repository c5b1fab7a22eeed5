/** The findings of the doctor's checks, and how bad each is. */

/** From harmless to bad. `skipped`: not checked, for a reason that another check finds. */
export const states = ['skipped', 'ok', 'note', 'warning', 'fault'] as const

export type State = (typeof states)[number]

export interface Finding {
  readonly state: State
  readonly found: string
  /** The thing to do about it; null for nothing. */
  readonly action: string | null
}

export const ok = (found: string): Finding => ({ state: 'ok', found, action: null })
export const note = (found: string, action: string | null = null): Finding => ({
  state: 'note',
  found,
  action,
})
export const warning = (found: string, action: string): Finding => ({ state: 'warning', found, action })
export const fault = (found: string, action: string): Finding => ({ state: 'fault', found, action })
export const skipped = (reason: string): Finding => ({
  state: 'skipped',
  found: `Not checked: ${reason}`,
  action: null,
})

export function worstOf(findings: readonly Pick<Finding, 'state'>[]): State {
  return states[Math.max(0, ...findings.map(({ state }) => states.indexOf(state)))] ?? 'skipped'
}
