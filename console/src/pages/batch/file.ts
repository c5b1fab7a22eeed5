/** Loads a file or pasted text and checks that it can be assessed. */

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
  /** The command to run instead. */
  readonly command?: string
}

export type LoadResult = { readonly loaded: Loaded } | { readonly refusal: Refusal }

const refused = (title: string, body: string, command?: string): LoadResult => ({
  refusal: { title, body, ...(command !== undefined && { command }) },
})

/** The file name, quoted for a shell if needed. */
const quoted = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`
const commandFor = (name: string): string => `fairway assess ${quoted(name)}`

/** The first characters of formats that are often chosen instead of CSV. */
const otherKinds: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^PK/, 'a spreadsheet or an archive'],
  [/^%PDF/, 'a PDF'],
  [/^\s*[[{]/, 'JSON'],
  [/^\s*</, 'HTML or XML'],
]

export function loadText(name: string, text: string): LoadResult {
  if (text.trim() === '') return refused(`${name} is empty`, 'Provide a header row and at least one payment.')
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
    if (count === 0) return refused(`${name} has no payments`, 'Add at least one row below the header row.')
    if (count > rowsMax) {
      return refused(
        `${name} has ${formatCount(count)} rows`,
        `The limit here is ${rowsMax} rows. Nothing was sent. The command line accepts files of any size:`,
        commandFor(name),
      )
    }
    return { loaded: { name, text, sheet } }
  } catch (error) {
    if (!(error instanceof NotCsv)) throw error
    return refused(`${name} cannot be read`, `It ${error.message}. Correct the file and choose it again.`)
  }
}

function tooLarge(name: string, size: number): LoadResult {
  return refused(
    `${name} is too large`,
    `It has ${formatCount(Math.ceil(size / 1_024))} KiB; the limit here is ${formatCount(bytesMax / 1_024)} KiB. The command line accepts files of any size:`,
    commandFor(name),
  )
}

export async function loadFile(file: File): Promise<LoadResult> {
  if (file.size > bytesMax) return tooLarge(file.name, file.size)
  const bytes = await file.arrayBuffer()
  try {
    return loadText(file.name, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const isArchive = new TextDecoder('latin1').decode(bytes.slice(0, 2)) === 'PK'
    return refused(
      `${file.name} is not CSV`,
      isArchive
        ? 'It looks like a spreadsheet or an archive. Save it as CSV and choose that file.'
        : 'It is not UTF-8 text. Save it as CSV in UTF-8 and choose that file.',
    )
  }
}
