/** The commands of a shell block, as far as one must know them to see whether bash would notice that one of them failed. */

export interface Command {
  readonly text: string
  /** It is a list: with `&&` or `||` on its outermost level. */
  readonly isList: boolean
  /** It ends in `|| other`, so that it ends well when its first part fails. */
  readonly hasOr: boolean
}

const tokens =
  /\\\n|[ \t]+|#.*|&&|\|\||;;|[;&|()\n](?!>)|(?:\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|[<>]&|&>|[^\s\\'"&|;()])+|[\s\S]/g

/** Words in whose place, at the head of a command, something begins that goes on over separators; and those that end it. */
const opening = new Set(['if', 'for', 'while', 'until', 'case', '{', '('])
const closing = new Set(['fi', 'done', 'esac', '}'])
/** A command follows them. */
const leading = new Set(['if', 'while', 'until', 'then', 'do', 'else', 'elif', '{', '!', 'time'])
const joining = new Set(['&&', '||', '|'])
const separators = new Set(['\n', ';', '&', ';;'])

/** The commands of the outermost level, in order; a compound one with all that is in it. */
export function commandsOf(script: string): Command[] {
  if (/<<(?!<)/.test(script))
    throw new Error('a here-document is not understood: write a file in another way')
  const reader = new Reader()
  for (const [token] of script.matchAll(tokens)) reader.read(token)
  reader.end()
  return reader.commands
}

class Reader {
  readonly commands: Command[] = []
  readonly #open: string[] = []
  #text = ''
  #lists = new Set<string>()
  /** The next word is a command's first. */
  #isHead = true
  /** What was read last joins two commands, also over the end of a line. */
  #isJoined = false

  read(token: string): void {
    if (/^(?:[ \t]|\\\n|#)/.test(token)) {
      this.#text += token.startsWith('#') ? '' : token
      return
    }
    const isOutermost = this.#open.length === 0
    if (separators.has(token) && isOutermost) {
      if (!(token === '\n' && this.#isJoined)) this.end()
      return
    }
    if (isOutermost && (token === '&&' || token === '||')) this.#lists.add(token)
    this.#nest(token)
    this.#text += token
    this.#isHead =
      separators.has(token) ||
      joining.has(token) ||
      token === '(' ||
      token === ')' ||
      (this.#isHead && leading.has(token))
    this.#isJoined = joining.has(token)
  }

  /** The end of a command. */
  end(): void {
    const text = this.#text.trim()
    if (text !== '') this.commands.push({ text, isList: this.#lists.size > 0, hasOr: this.#lists.has('||') })
    this.#text = ''
    this.#lists = new Set()
    this.#isHead = true
    this.#isJoined = false
  }

  #nest(token: string): void {
    const isWord = token !== '(' && token !== ')'
    if (isWord && !this.#isHead) return
    if (opening.has(token)) this.#open.push(token)
    // Of a case, each pattern ends in one that nothing opened.
    else if (token === ')' ? this.#open.at(-1) === '(' : closing.has(token)) this.#open.pop()
  }
}

/** Of a console block, what a reader types. */
export const typedIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2))
    .join('\n')

/** Of a console block, what is answered. */
export const answeredIn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('$ '))
    .join('\n')
