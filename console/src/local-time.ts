/** Converts between the API's UTC times and the local times of inputs. */

const two = (number: number): string => String(number).padStart(2, '0')

/** The value of a `datetime-local` input; empty if the time is invalid. Round trips are exact to the millisecond. */
export function localInputOf(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ''
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`
  const rest = (at.getSeconds() * 1_000 + at.getMilliseconds()) / 1_000
  return `${date}T${minutes}${rest === 0 ? '' : `:${rest.toFixed(3).padStart(6, '0')}`}`
}

/** The UTC time; empty if the input is empty. */
export function isoOf(localInput: string): string {
  const at = new Date(localInput)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}
