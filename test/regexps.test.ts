/** Regular expressions that a caller's text could keep busy: none whose work grows faster than a power of the text's length. */

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as ast from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['src', 'client/src', 'console/src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`),
)
const config = join(root, 'tsconfig.regexps.json')
const compilerOptions = {
  noResolve: true,
  noLib: true,
  types: [],
  jsx: 'preserve',
  noEmit: true,
  module: 'nodenext',
  target: 'esnext',
  allowImportingTsExtensions: true,
}
const parser = new API({
  cwd: root,
  fs: {
    fileExists: (path) => (path === config ? true : undefined),
    readFile: (path) => (path === config ? JSON.stringify({ compilerOptions, files }) : undefined),
  },
})
const { program } =
  parser.updateSnapshot({ openProjects: [config] }).getProjects()[0] ?? assert.fail('no project')
after(() => parser.close())

function* nodesOf(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

const nodes = files.flatMap((path) => {
  const file = program.getSourceFile(join(root, path)) ?? assert.fail(`${path} was not parsed`)
  return [...nodesOf(file)]
})
const literals = nodes.filter(ast.isRegularExpressionLiteral).map((node) => node.getText())

/** Patterns of the schemas, which judge what callers send before anything else does. */
function published(): string[] {
  const text = readFileSync(join(root, 'docs/openapi.json'), 'utf8')
  const found: string[] = []
  JSON.parse(text, (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') found.push(`/${value}/`)
    return value
  })
  return found
}

interface Group {
  repeats: boolean
  chooses: boolean
}

const repeatedFrom = 1_000

/** Whether the quantifier at this place has no end, or one so far off that it makes no difference. */
function isEndless(rest: string): boolean {
  const [, most] = /^\{\d+(?:,(\d*))?\}/.exec(rest) ?? []
  return /^[*+]/.test(rest) || most === '' || Number(most ?? 0) >= repeatedFrom
}

/** What in a pattern could be matched in more ways than one again and again: repetition in repetition, choice in repetition. */
export function suspicions(pattern: string): string[] {
  const found: string[] = []
  const open: Group[] = [{ repeats: false, chooses: false }]
  const top = (): Group => open.at(-1) ?? assert.fail(`unbalanced: ${pattern}`)
  // Characters, classes and escapes alike stand for one atom; groups and choices are what matters.
  for (const { 0: token, index } of pattern.matchAll(
    /\\.|\[(?:\\.|[^\]\\])*\]|\(\??[:=!<]*|\)|\||[^\\[()|]/gs,
  )) {
    const endless = isEndless(pattern.slice(index + token.length))
    if (token.startsWith('(')) open.push({ repeats: false, chooses: false })
    else if (token === '|') top().chooses = true
    else if (token === ')') {
      const group = open.pop() ?? assert.fail(`unbalanced: ${pattern}`)
      if (endless && group.repeats) found.push('repetition in repetition')
      if (endless && group.chooses) found.push('choice in repetition')
      top().repeats ||= group.repeats || endless
    } else if (endless) top().repeats = true
  }
  return found
}

/** Each was looked at: why only one way leads through it. */
const judged: Readonly<Record<string, string>> = {
  [String.raw`/"(?:[^"\\]|\\.)*"\s*(:)?/gs`]:
    'what is chosen between begins differently: with a backslash, or without',
  [String.raw`/"(?:[^"\\]|\\.)*"|[{}[\],:]/g`]:
    'what is chosen between begins differently: with a backslash, or without',
  [String.raw`/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\/[^\r\n]*/g`]:
    'what is chosen between begins differently: with a backslash, or without',
  [String.raw`/[ \t\r\f]*"([^"]*(?:""[^"]*)*)"(?!")([^,\n]*)/y`]:
    'each round begins with a quotation mark, which nothing else in it can match',
  [String.raw`/^([^\s+]+)\n(0|[1-9]\d{0,15})\n(\S{44})\n(?:previous (0|[1-9]\d{0,15})\n)?time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n\n((?:\u2014 [^\s+]+ [A-Za-z0-9+/=]+\n)+)$/`]:
    'each round is a line, and nothing in it matches the end of one',
  [String.raw`/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/`]:
    'each round begins with an underscore, which the rest of it lacks',
  ["/^[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*$/"]:
    'each round begins with a dot, which the rest of it lacks',
}

test('the check sees what blows up, and passes over what does not', () => {
  for (const bad of ['^(a+)+$', '(?:a*)*b', '(a|aa)+$', '(?:x{2,})*', '((a)+b?)*'])
    assert.notDeepEqual(suspicions(bad), [], bad)
  for (const good of ['^[a+]+$', 'a+b+', '\\(a+\\)+', '(?:ab)+', '(?:a+b){1,3}'])
    assert.deepEqual(suspicions(good), [], good)
})

test('no regular expression repeats what repeats or chooses, but for those that were judged', () => {
  assert.ok(literals.length > 50, 'the expressions were not found')
  const all = [...new Set([...literals, ...published()])]
  const suspicious = all.filter(
    (literal) => suspicions(literal.slice(1, literal.lastIndexOf('/'))).length > 0,
  )
  assert.deepEqual(suspicious.toSorted(), Object.keys(judged).toSorted())
})

const pumps = [
  'a',
  '0',
  ' ',
  '\t',
  '\n',
  '.',
  '_',
  '-',
  '"',
  '\\',
  ',',
  ';',
  '/',
  '=',
  'a.',
  'A_',
  '\u2014 a',
  'pk_test_',
]

test('each comes to an end on long texts that all but match', () => {
  for (const literal of new Set([...literals, ...published()])) {
    const at = literal.lastIndexOf('/')
    const expression = new RegExp(literal.slice(1, at), literal.slice(at + 1))
    for (const pump of pumps) for (const end of ['', '!\u0000']) expression.test(pump.repeat(5_000) + end)
  }
})
