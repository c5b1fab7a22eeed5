/** Access requests: statuses, email validation and the quotas of sandbox keys. */

export const accessStatuses = ['received', 'approved', 'rejected'] as const

export type AccessStatus = (typeof accessStatuses)[number]

/** `not_checked`: no captcha was configured at the time of the request. */
export type CaptchaCheck = 'verified' | 'not_checked'

/** Active sandbox keys per email address. */
export const sandboxKeysPerEmailMax = 3

/** Active sandbox keys per client address: their records cannot be deleted, and email addresses cost nothing. */
export const sandboxKeysPerClientMax = 10

export const emailLengthMax = 254
const localLengthMax = 64

/** RFC 5321 without quoted local parts and address literals, which providers do not issue. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    text.length <= emailLengthMax &&
    local.length <= localLengthMax &&
    localPart.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => domainLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

/** The same for all spellings of an address that differ only in case, since providers ignore case. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase()
}
