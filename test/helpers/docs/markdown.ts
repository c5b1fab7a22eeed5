/** What a document holds that a machine can check: fenced blocks, headings, links. */

import { commandsOf, typedIn, type Command } from './shell.ts'

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
  /** A program that the reader saves under this name, and runs in a later block. */
  readonly file: string | null
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
const programs = new Set(['ts', 'typescript', 'js', 'javascript', 'python'])
/** Shown and not run. A language that is in none of these lists is refused, so that nothing is skipped by a slip. */
const texts = new Set(['json', 'text', 'markdown', 'http', 'ini', 'csv', 'sql', 'nginx', 'yaml', 'promql'])

const fence = /^( *)(`{3,}|~{3,})(.*)$/

/** A fenced block, before anybody looks at what it says; lines count from 0, `end` is that of the closing fence. */
interface Fenced {
  readonly start: number
  readonly end: number
  readonly indent: number
  readonly info: string
}

/** Every fenced block of a document, in order. What a page shows as code and nobody would run is refused. */
export function blocksOf(path: string, markdown: string): Block[] {
  const refuse = (line: number, why: string): never => {
    throw new BadDocument(`${path}:${line + 1} ${why}`)
  }
  if (markdown.includes('\r'))
    refuse(
      markdown.slice(0, markdown.indexOf('\r')).split('\n').length - 1,
      'ends its lines with a carriage return',
    )
  const lines = markdown.split('\n')
  const found = fencedIn(lines, refuse)
  refuseHiddenCode(lines, found, refuse)
  const blocks = found.map(({ start, end, indent, info }) => {
    const body = lines.slice(start + 1, end)
    const text = body.map((line) => line.slice(Math.min(indent, line.search(/\S|$/)))).join('\n')
    return readBlock({ path, line: start + 1, text: `${text}\n` }, info)
  })
  blocks.forEach((block, index) => {
    // Else it would pass whatever its first part does.
    const isBlind = block.kind === 'shell' && commandsIn(block).at(-1)?.hasOr === true
    if (isBlind && blocks[index + 1]?.kind !== 'output')
      refuse(
        block.line - 1,
        'ends in a || list and shows no output: nobody would see that its first part failed',
      )
  })
  return blocks
}

type Refuse = (line: number, why: string) => never

function fencedIn(lines: readonly string[], refuse: Refuse): Fenced[] {
  const found: Fenced[] = []
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', mark, info = ''] = fence.exec(lines[start] ?? '') ?? []
    if (mark === undefined) continue
    const after = lines.slice(start + 1)
    const length = after.findIndex((line) => line.trim().startsWith(mark))
    if (length === -1) refuse(start, 'has a fence that is never closed')
    const end = start + 1 + length
    if ((lines[end] ?? '').trim() !== mark) refuse(end, 'has a fence inside of another one')
    found.push({ start, end, indent: indent.length, info: info.trim() })
    start = end
  }
  return found
}

const listItem = /^( *(?:[-*+]|\d+[.)]) +)\S/

/** Code in a quotation, behind a tab, in HTML or only indented: it looks like an example on the page, and would not be run. */
function refuseHiddenCode(lines: readonly string[], found: readonly Fenced[], refuse: Refuse): void {
  const startOf = new Map(found.map((block) => [block.start, block]))
  /** Where the text of the innermost list begins; 0 outside of lists. */
  let content = 0
  let isAfterText = false
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const indent = line.replaceAll('\t', '    ').search(/\S/)
    if (indent === -1) {
      isAfterText = false
      continue
    }
    const item = listItem.exec(line)?.[1]
    const isCode = indent >= content + 4 && !isAfterText
    if (indent < content && !isAfterText && item === undefined) content = 0
    const block = startOf.get(index)
    if (isCode || (block !== undefined && indent >= content + 4))
      refuse(index, 'has code that is only indented: fence it')
    if (block !== undefined) {
      index = block.end
      isAfterText = false
      continue
    }
    if (/```|~~~/.test(line)) refuse(index, 'has a fence that is none: it opens and closes no block')
    if (/<pre\b/i.test(line.replaceAll(/`[^`\n]+`/g, ''))) refuse(index, 'has code in HTML: fence it')
    if (item !== undefined) content = item.length
    isAfterText = !line.startsWith('#')
  }
}

/** What a reader types of a shell block, command by command. */
const commandsIn = ({ language, text }: Pick<Block, 'language' | 'text'>): Command[] =>
  commandsOf(language === 'console' ? typedIn(text) : text)

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
  if (kind !== 'program' && wishes.file !== null) refuse('saves what is no program')
  if (kind === 'shell') {
    const commands = commandsIn({ language, text: place.text })
    // Bash's -e does not look at the parts of a list, nor at what comes before the last command of a block that may fail.
    if (commands.slice(0, -1).some(({ isList }) => isList))
      refuse('has a list (&&, ||) that is not its last command: nobody would see that it failed')
    if (wishes.fails !== 0 && commands.length > 1)
      refuse('is meant to fail, and has several commands: nobody would see which of them did')
  }
  return { ...place, language, kind: wishes.output ? 'output' : kind, wishes }
}

const flags = new Set(['background', 'after-stop', 'alone', 'output'])

/** Null where a word means nothing. */
function wishesOf(words: readonly string[]): Wishes | null {
  const valueOf = (form: RegExp): string | null => {
    for (const word of words) {
      const value = form.exec(word)?.[1]
      if (value !== undefined) return value
    }
    return null
  }
  const file = valueOf(/^file=([\w-]+\.(?:ts|js|py))$/)
  const fails = valueOf(/^fails=(\d{1,3})$/)
  const known = new Set([...flags, `file=${file}`, `fails=${fails}`])
  if (words.some((word) => !known.has(word)) || new Set(words).size !== words.length) return null
  const has = (word: string): boolean => words.includes(word)
  return {
    background: has('background'),
    afterStop: has('after-stop'),
    alone: has('alone'),
    output: has('output'),
    fails: Number(fails ?? 0),
    file,
  }
}

/** The page without its blocks. */
const withoutBlocks = (markdown: string): string =>
  markdown.replaceAll(/^ *(```+|~~~+).*\n[\s\S]*?^ *\1 *$/gm, '')

/** The page without its blocks and spans of code. */
export function proseOf(markdown: string): string {
  return withoutBlocks(markdown).replaceAll(/`[^`\n]+`/g, '')
}

/** Where links to this page may point to, as GitHub names its headings. */
export function anchorsOf(markdown: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = [...withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
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
