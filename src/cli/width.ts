/** How many columns of a terminal a text takes, and texts cut and wrapped by that. */

const printableAscii = /^[\x20-\x7e]*$/

/** Marks that stand on another character, joiners and selectors. */
const unseen = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u
/** Scripts of square characters, fullwidth forms, and pictures; a selector makes a picture of a sign. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u
/** Of the scripts above, but half as wide. */
const halfWide = /^[\uff61-\uffdc]/

let segmenter: Intl.Segmenter | null = null

/** What a reader takes for one character. Made when it is needed: most texts are plain. */
function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

function columnsOf(grapheme: string): number {
  if (unseen.test(grapheme)) return 0
  return wide.test(grapheme) && !halfWide.test(grapheme) ? 2 : 1
}

export function widthOf(text: string): number {
  if (printableAscii.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += columnsOf(grapheme)
  return width
}

/** At most so many columns, with an ellipsis where some of it is left out. */
export function fitted(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text
  let kept = ''
  let width = 1
  for (const grapheme of graphemes(text)) {
    width += columnsOf(grapheme)
    if (width > widthMax) break
    kept += grapheme
  }
  return `${kept}…`
}

/** Lines of at most so many columns, parted between words; a longer word has a line of its own. */
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
