/** Access requests: what they may become, whom they are from, and how many keys one address may hold. */

export const accessStatuses = ['received', 'approved', 'rejected'] as const

export type AccessStatus = (typeof accessStatuses)[number]

/** `not_checked`: no captcha was set up when the request came. */
export type CaptchaCheck = 'verified' | 'not_checked'

/** Active sandbox keys of one email address. */
export const sandboxKeysPerEmailMax = 3

export const emailLengthMax = 254
const localLengthMax = 64

/** RFC 5321 without quoted local parts and address literals, which no provider gives out. */
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

/** Two spellings of one address: providers do not tell capital letters from small ones. */
export function emailKeyOf(email: string): string {
  return email.toLowerCase()
}
