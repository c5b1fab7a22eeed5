/** Finds members given twice in one object, without parsing a body a second time. */

import { pointerPart } from './json.ts'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** The number of members in valid JSON: only they have a colon outside of texts. */
export function membersIn(json: Uint8Array): number {
  let members = 0
  let isText = false
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place]
    if (byte === quote) isText = !isText
    else if (isText) place += byte === backslash ? 1 : 0
    else if (byte === colon) members += 1
  }
  return members
}

/** The number of members in all objects of a parsed value. Without recursion, since the input controls the depth. */
export function membersOf(root: unknown): number {
  let members = 0
  const pending = [root]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (!Array.isArray(value)) members += inner.length
    for (const member of inner) if (typeof member === 'object') pending.push(member)
  }
  return members
}

/** An object or a list that is being read. */
interface Open {
  /** Null for a list. */
  readonly names: Set<string> | null
  /** The name of the current member, or the place of the current item. */
  at: string | number
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The path of the first member that its object has twice, in valid JSON; empty if there is none. */
export function firstRepeated(json: string): string {
  const open: Open[] = []
  let text = ''
  for (const [token] of json.matchAll(tokens)) {
    const inner = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '' })
    else if (token === '[') open.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof inner?.at === 'number') inner.at += 1
    else if (token === ':' && inner?.names) {
      inner.at = JSON.parse(text) as string
      if (inner.names.has(inner.at)) return open.map(({ at }) => `/${pointerPart(String(at))}`).join('')
      inner.names.add(inner.at)
    } else text = token
  }
  return ''
}
