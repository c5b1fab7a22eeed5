/** Between the contract's times and those of an input, which are the reader's own. */

const two = (number: number): string => String(number).padStart(2, '0')

/** As an input of the type `datetime-local` has it; empty where it is no time. Nothing is lost on the way there and back. */
export function localInputOf(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`
  const rest = (at.getSeconds() * 1_000 + at.getMilliseconds()) / 1_000
  return `${date}T${minutes}${rest === 0 ? '' : `:${rest.toFixed(3).padStart(6, '0')}`}`
}

/** In UTC; empty where nothing was entered. */
export function isoOf(localInput: string): string {
  const at = new Date(localInput)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
