/** What a document holds that a machine can check: fenced blocks, headings, links. */

/** What the words behind the language ask for. */
export interface Wishes {
  /** It keeps running: a terminal of its own. */
  readonly background: boolean
  /** The server is stopped before. */
  readonly afterStop: boolean
  /** A program of its own, which the blocks around it are no part of. */
  readonly alone: boolean
  /** No example, but what the block before it prints; with `background`, what the newest program that runs comes to print. */
  readonly output: boolean
  /** The exit code with which it is meant to end. */
  readonly fails: number
}

export interface Block {
  readonly path: string
  /** Of its opening fence, from 1. */
  readonly line: number
  readonly language: string
  readonly kind: 'shell' | 'program' | 'output' | 'text'
  readonly wishes: Wishes
  readonly text: string
}

/** A document that cannot be taken at its word. */
export class BadDocument extends Error {
  override readonly name = 'BadDocument'
}

const shells = new Set(['sh', 'bash', 'shell', 'console'])
const programs = new Set(['ts', 'typescript', 'js', 'javascript'])
/** Shown and not run. A language that is in none of these lists is refused, so that nothing is skipped by a slip. */
const texts = new Set([
  'json',
  'text',
  'markdown',
  'http',
  'ini',
  'csv',
  'python',
  'sql',
  'nginx',
  'yaml',
  'promql',
])

const fence = /^( *)(`{3,}|~{3,})(.*)$/

/** Every fenced block of a document, in order. */
export function blocksOf(path: string, markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = '', mark, info = ''] = fence.exec(lines[index] ?? '') ?? []
    if (mark === undefined) continue
    const ends = (line: string): boolean => line.trim().startsWith(mark) && line.trim() === mark
    const length = lines.slice(index + 1).findIndex(ends)
    if (length === -1) throw new BadDocument(`${path}:${index + 1} has a fence that is never closed`)
    const body = lines.slice(index + 1, index + 1 + length)
    const text = body.map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/)))).join('\n')
    blocks.push(readBlock({ path, line: index + 1, text: `${text}\n` }, info.trim()))
    index += length + 1
  }
  return blocks
}

function readBlock(place: Pick<Block, 'path' | 'line' | 'text'>, info: string): Block {
  const refuse = (why: string): never => {
    throw new BadDocument(`${place.path}:${place.line} ${why}`)
  }
  const [language = '', ...words] = info.split(/\s+/)
  if (language === '') refuse('has a fence without a language')
  const wishes = wishesOf(words) ?? refuse(`has a fence with words that mean nothing: ${words.join(' ')}`)
  const kind = shells.has(language) ? 'shell' : programs.has(language) ? 'program' : 'text'
  if (kind === 'text' && !texts.has(language))
    refuse(`has a fence in a language that is not known: ${language}`)
  if (kind === 'text' && words.length > 0 && !wishes.output) refuse('asks to run what is only shown')
  if (kind !== 'text' && wishes.output) refuse('has an example that is meant as an output')
  return { ...place, language, kind: wishes.output ? 'output' : kind, wishes }
}

const flags = new Set(['background', 'after-stop', 'alone', 'output'])

function wishesOf(words: readonly string[]): Wishes | null {
  const code = words.map((word) => /^fails=(\d{1,3})$/.exec(word)?.[1]).find((found) => found !== undefined)
  const rest = words.filter((word) => !word.startsWith('fails='))
  if (rest.some((word) => !flags.has(word)) || words.length - rest.length !== (code === undefined ? 0 : 1))
    return null
  const has = (word: string): boolean => rest.includes(word)
  return {
    background: has('background'),
    afterStop: has('after-stop'),
    alone: has('alone'),
    output: has('output'),
    fails: Number(code ?? 0),
  }
}

/** The page without its blocks and spans of code. */
export function proseOf(markdown: string): string {
  return markdown.replaceAll(/^ *(```+|~~~+).*\n[\s\S]*?^ *\1 *$/gm, '').replaceAll(/`[^`\n]+`/g, '')
}

/** Where links to this page may point to, as GitHub names its headings. */
export function anchorsOf(markdown: string): Set<string> {
  const withoutBlocks = markdown.replaceAll(/^ *(```+|~~~+).*\n[\s\S]*?^ *\1 *$/gm, '')
  const seen = new Map<string, number>()
  const anchors = [...withoutBlocks.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const earlier = seen.get(slug) ?? 0
    seen.set(slug, earlier + 1)
    return earlier === 0 ? slug : `${slug}-${earlier}`
  })
  return new Set(anchors)
}

/** The targets of the page's links, but for those that leave the repository. */
export function linksOf(markdown: string): string[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}
