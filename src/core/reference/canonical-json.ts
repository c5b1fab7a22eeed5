/** Writes canonical JSON (RFC 8785): no spaces, members sorted by name in UTF-16 code units, numbers as ECMAScript. */

/** Members that are undefined are left out. Throws for what JSON does not have: infinities, NaN, half of a character. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return numberText(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(itemText).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  const members = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(members).toSorted()) {
    const member = members[name]
    if (member !== undefined) text += (text === '' ? '' : ',') + nameText(name) + canonicalJson(member)
  }
  return `{${text}}`
}

const itemText = (item: unknown): string => (item === undefined ? 'null' : canonicalJson(item))

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`)
  return String(value)
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('JSON has no lone surrogates')
  return JSON.stringify(text)
}

/** Quoting a name costs more than finding it. Bounded, because callers choose some of the names. */
const nameTexts = new Map<string, string>()
const nameTextsMax = 1_024
const nameLengthMax = 64

function nameText(name: string): string {
  const known = nameTexts.get(name)
  if (known !== undefined) return known
  const text = `${quoted(name)}:`
  if (nameTexts.size < nameTextsMax && name.length <= nameLengthMax) nameTexts.set(name, text)
  return text
}
