/** Takes a file or a text and finds out whether it can be assessed; what cannot is told in words, and nothing is lost. */

import { formatCount } from '../../format.ts'
import { bytesMax, NotCsv, rowsMax, sheetOf, type Sheet } from './csv.ts'

export interface Loaded {
  readonly name: string
  readonly text: string
  readonly sheet: Sheet
}

export interface Refusal {
  readonly title: string
  readonly body: string
  /** What to run instead. */
  readonly command?: string
}

export type Taken = { readonly loaded: Loaded } | { readonly refusal: Refusal }

const refused = (title: string, body: string, command?: string): Taken => ({
  refusal: { title, body, ...(command !== undefined && { command }) },
})

/** A file's name in a shell, whatever it is called. */
const quoted = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
const commandFor = (name: string): string => `fairway assess ${quoted(name)}`

/** How files begin that look like tables to people and are none to us. */
const otherKinds: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^PK/, 'a spreadsheet or an archive'],
  [/^%PDF/, 'a PDF'],
  [/^\s*[[{]/, 'JSON'],
  [/^\s*</, 'a page or XML'],
]

export function takeText(name: string, text: string): Taken {
  if (text.trim() === '')
    return refused(`${name} is empty`, 'It needs a header row and at least one payment.')
  const size = new Blob([text]).size
  if (size > bytesMax) return tooLarge(name, size)
  const kind = otherKinds.find(([start]) => start.test(text))?.[1]
  if (kind !== undefined) {
    return refused(
      `${name} is not CSV`,
      `It looks like ${kind}. Save or export it as CSV and choose that file.`,
    )
  }
  try {
    const sheet = sheetOf(text)
    const count = sheet.rows.length
    if (count === 0) return refused(`${name} has no payments`, 'There is a header row, and no row below it.')
    if (count > rowsMax) {
      return refused(
        `${name} has ${formatCount(count)} rows`,
        `Up to ${rowsMax} are assessed here, so nothing was sent. On the command line a file may have any size:`,
        commandFor(name),
      )
    }
    return { loaded: { name, text, sheet } }
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error
    return refused(`${name} cannot be read`, `It ${error.message}. Correct it and choose it again.`)
  }
}

function tooLarge(name: string, size: number): Taken {
  return refused(
    `${name} is too large`,
    `It has ${formatCount(Math.ceil(size / 1_024))} KiB, and up to ${formatCount(bytesMax / 1_024)} KiB are taken here. On the command line a file may have any size:`,
    commandFor(name),
  )
}

export async function takeFile(file: File): Promise<Taken> {
  if (file.size > bytesMax) return tooLarge(file.name, file.size)
  const bytes = await file.arrayBuffer()
  try {
    return takeText(file.name, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const isArchive = new TextDecoder('latin1').decode(bytes.slice(0, 2)) === 'PK'
    return refused(
      `${file.name} is not CSV`,
      isArchive
        ? 'It looks like a spreadsheet or an archive. Save it as CSV and choose that file.'
        : 'It is no text in UTF-8. Save it as CSV in UTF-8 and choose that file.',
    )
  }
}
