/** Draws pictures of boxes and arrows as SVG: with the colours of the console, light and dark, and no other file. */

import { escapeHtml } from '../site/frame.ts'

/** The meaning of a box or a line, which gives it its colours. */
export type Tone = 'plain' | 'key' | 'go' | 'stop' | 'soft'

export interface Box {
  readonly kind: 'box'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly title: string
  readonly lines: readonly string[]
  readonly tone: Tone
}

interface Arrow {
  readonly kind: 'arrow'
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly label: string
  readonly labelAt: readonly [x: number, y: number]
  readonly anchor: 'start' | 'middle' | 'end'
  readonly tone: Tone
  readonly isDashed: boolean
  readonly hasHead: boolean
}

interface Text {
  readonly kind: 'text'
  readonly x: number
  readonly y: number
  readonly text: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly isStrong: boolean
}

export type Shape = Box | Arrow | Text

export interface Picture {
  /** The name of its file. */
  readonly name: string
  /** For people who do not see it. */
  readonly title: string
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

const titlePx = 14
const linePx = 12
const lineHeight = 17
const padding = 12

export const boxHeight = ({ lines }: Pick<Box, 'lines'>): number =>
  padding * 2 + titlePx + lines.length * lineHeight

export function box(
  [x, y, width]: readonly [x: number, y: number, width: number],
  title: string,
  lines: readonly string[] = [],
  tone: Tone = 'plain',
): Box {
  return { kind: 'box', x, y, width, title, lines, tone }
}

interface ArrowOptions {
  readonly label?: string
  readonly tone?: Tone
  readonly isDashed?: boolean
  readonly hasHead?: boolean
}

const middleX = ({ x, width }: Box): number => x + width / 2
const middleY = (one: Box): number => one.y + boxHeight(one) / 2
const bottom = (one: Box): number => one.y + boxHeight(one)

/** A line through points, with its label beside the first part of it. */
export function line(points: Arrow['points'], options: ArrowOptions = {}): Arrow {
  const { label = '', tone = 'plain', isDashed = false, hasHead = true } = options
  const [[fromX, fromY] = [0, 0], [toX, toY] = [0, 0]] = points
  const isFlat = fromY === toY
  const labelAt: [number, number] = isFlat
    ? [(fromX + toX) / 2, fromY - 7]
    : [Math.max(fromX, toX) + 8, (fromY + toY) / 2 + 4]
  return {
    kind: 'arrow',
    points,
    label,
    labelAt,
    anchor: isFlat ? 'middle' : 'start',
    tone,
    isDashed,
    hasHead,
  }
}

/** Down from a box to one below it, with a bend if they are not in line. */
export function down(from: Box, to: Box, options: ArrowOptions = {}): Arrow {
  const [fromX, toX] = [middleX(from), middleX(to)]
  const [fromY, toY] = [bottom(from), to.y]
  if (fromX === toX)
    return line(
      [
        [fromX, fromY],
        [toX, toY],
      ],
      options,
    )
  const bendY = (fromY + toY) / 2
  return line(
    [
      [fromX, fromY],
      [fromX, bendY],
      [toX, bendY],
      [toX, toY],
    ],
    options,
  )
}

/** From the side of a box to the side of one beside it. */
export function across(from: Box, to: Box, options: ArrowOptions = {}): Arrow {
  const isRight = to.x > from.x
  const fromX = isRight ? from.x + from.width : from.x
  const toX = isRight ? to.x : to.x + to.width
  const y = middleY(from)
  const toY = middleY(to)
  if (Math.abs(y - toY) < 1)
    return line(
      [
        [fromX, y],
        [toX, y],
      ],
      options,
    )
  const bendX = (fromX + toX) / 2
  return line(
    [
      [fromX, y],
      [bendX, y],
      [bendX, toY],
      [toX, toY],
    ],
    options,
  )
}

export function words(
  [x, y]: readonly [x: number, y: number],
  text: string,
  { anchor = 'start', isStrong = false }: Partial<Pick<Text, 'anchor' | 'isStrong'>> = {},
): Text {
  return { kind: 'text', x, y, text, anchor, isStrong }
}

function boxMarkup(one: Box): string {
  const { x, y, width, title, lines, tone } = one
  const text = (content: string, at: number, name: string): string =>
    `<text class="${name}" x="${middleX(one)}" y="${at}" text-anchor="middle">${escapeHtml(content)}</text>`
  const firstY = y + padding + titlePx - 2
  return [
    `<rect class="box ${tone}" x="${x}" y="${y}" width="${width}" height="${boxHeight(one)}" rx="8"/>`,
    text(title, firstY, 'title'),
    ...lines.map((content, index) => text(content, firstY + (index + 1) * lineHeight, 'line')),
  ].join('\n')
}

function arrowMarkup({ points, label, labelAt, anchor, tone, isDashed, hasHead }: Arrow): string {
  const names = ['arrow', tone, ...(isDashed ? ['dashed'] : [])].join(' ')
  const path = `<polyline class="${names}" points="${points.map((point) => point.join(',')).join(' ')}"/>`
  const head = hasHead ? headMarkup(points, tone) : ''
  const [x, y] = labelAt
  const text =
    label === ''
      ? ''
      : `<text class="label" x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(label)}</text>`
  return [path, head, text].filter((part) => part !== '').join('\n')
}

const headPx = 7

/** A triangle at the last point, in the direction of the last part. */
function headMarkup(points: Arrow['points'], tone: Tone): string {
  const [toX, toY] = points.at(-1) ?? [0, 0]
  const [fromX, fromY] = points.at(-2) ?? [0, 0]
  const [dx, dy] = [Math.sign(toX - fromX), Math.sign(toY - fromY)]
  const corner = (side: number): string =>
    `${toX - dx * headPx + dy * side * 4},${toY - dy * headPx + dx * side * 4}`
  return `<polygon class="head ${tone}" points="${toX},${toY} ${corner(1)} ${corner(-1)}"/>`
}

function shapeMarkup(shape: Shape): string {
  if (shape.kind === 'box') return boxMarkup(shape)
  if (shape.kind === 'arrow') return arrowMarkup(shape)
  const name = shape.isStrong ? 'title' : 'line'
  return `<text class="${name}" x="${shape.x}" y="${shape.y}" text-anchor="${shape.anchor}">${escapeHtml(shape.text)}</text>`
}

/** Colours by name: light, dark. Those of `console/src/ui/tokens.css`. */
const colours = {
  ink: ['#14213d', '#e8edf6'],
  soft: ['#51607a', '#a3b0c6'],
  line: ['#8290a6', '#71809c'],
  paper: ['#f6f8fb', '#0c1220'],
  card: ['#ffffff', '#141d31'],
  accent: ['#0b5cad', '#7db8ff'],
  tint: ['#eaf2fb', '#1a2c4b'],
  go: ['#2b8a63', '#3fae7d'],
  'go-tint': ['#e7f4ee', '#16332d'],
  stop: ['#b3261e', '#ee6a5f'],
  'stop-tint': ['#fbe9e7', '#422326'],
} as const

const variables = (side: 0 | 1): string =>
  Object.entries(colours)
    .map(([name, pair]) => `--${name}:${pair[side]}`)
    .join(';')

/** The rules of the shapes, which the guide's style sheet has, too. */
const rules = `text{font-family:Inter,system-ui,sans-serif;fill:var(--ink)}
.title{font-size:${titlePx}px;font-weight:600}
.line,.label{font-size:${linePx}px;fill:var(--soft)}
.label{paint-order:stroke;stroke:var(--paper);stroke-width:5px;stroke-linejoin:round}
.box{fill:var(--card);stroke:var(--line);stroke-width:1.25}
.box.key{fill:var(--tint);stroke:var(--accent)}
.box.go{fill:var(--go-tint);stroke:var(--go)}
.box.stop{fill:var(--stop-tint);stroke:var(--stop)}
.box.soft{fill:none;stroke-dasharray:4 4}
.arrow{fill:none;stroke:var(--line);stroke-width:1.5}
.arrow.key{stroke:var(--accent)}
.arrow.go{stroke:var(--go)}
.arrow.stop{stroke:var(--stop)}
.dashed{stroke-dasharray:4 4}
.head{fill:var(--line)}
.head.key{fill:var(--accent)}
.head.go{fill:var(--go)}
.head.stop{fill:var(--stop)}
.paper{fill:var(--paper)}`

/** A file of its own, which follows the theme of the system. */
export function pictureFile({ title, width, height, shapes }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(title)}">
<style>
svg{${variables(0)}}
@media (prefers-color-scheme:dark){svg{${variables(1)}}}
${rules}
</style>
<rect class="paper" width="${width}" height="${height}" rx="12"/>
${shapes.map(shapeMarkup).join('\n')}
</svg>
`
}
