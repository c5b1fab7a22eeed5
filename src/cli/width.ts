/** Measures text in terminal columns, and truncates and wraps it by that width. */

const printableAscii = /^[\x20-\x7e]*$/

/** Combining marks, joiners and selectors take no column. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
/** East Asian scripts, fullwidth forms and emoji; a variation selector turns a sign into an emoji. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u
/** Halfwidth forms of the scripts above. */
const halfWide = /^[\uff61-\uffdc]/

let segmenter: Intl.Segmenter | null = null

/** User-perceived characters. The segmenter is created on first use: most text is ASCII. */
function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

function columnsOf(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0
  return wide.test(grapheme) && !halfWide.test(grapheme) ? 2 : 1
}

export function widthOf(text: string): number {
  if (printableAscii.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += columnsOf(grapheme)
  return width
}

/** At most `widthMax` columns; truncated text ends in an ellipsis. */
export function truncated(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text
  let start = ''
  let width = 1
  for (const grapheme of graphemes(text)) {
    width += columnsOf(grapheme)
    if (width > widthMax) break
    start += grapheme
  }
  return `${start}…`
}

/** Breaks text between words into lines of at most `widthMax` columns; a longer word gets its own line. */
export function wrapped(text: string, widthMax: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > widthMax) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
