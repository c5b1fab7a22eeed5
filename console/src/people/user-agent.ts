/** Names the browser and the system of a session, from the text by which the browser names itself. */

/** Most browsers also name those that they resemble, so the order matters. */
const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

const nameIn = (table: readonly (readonly [string, RegExp])[], text: string): string | undefined =>
  table.find(([, pattern]) => pattern.test(text))?.[0]

/** `Firefox on Windows`; an unknown text is shown unchanged. */
export function browserName(userAgent: string): string {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}
