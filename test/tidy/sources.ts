/** Sources: what the core never does, sizes of files, functions and rooms, and what each file says of itself. */

import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import * as ast from 'typescript/unstable/ast'
import type { Node } from 'typescript/unstable/ast'
import { everyFile, expectNone, inSrc, linesOf, read, sources } from './files.ts'
import { findings } from './parser.ts'

// What the core never does

const worldly = new Set(
  'process globalThis performance crypto console fetch setTimeout setInterval setImmediate queueMicrotask Buffer'.split(
    ' ',
  ),
)

/** The clock, chance, the process and waiting; `new Date(ms)` only spells a time that was given. */
function impurity(node: Node): string | null {
  if (ast.isAwaitExpression(node) || node.kind === ast.SyntaxKind.AsyncKeyword) return 'waits'
  if (ast.isPropertyAccessExpression(node)) {
    const text = node.getText()
    if (text === 'Date.now' || text === 'Math.random') return `uses ${text}`
  }
  if (ast.isNewExpression(node) && node.expression.getText() === 'Date') {
    return (node.arguments?.length ?? 0) === 0 ? 'reads the clock' : null
  }
  if (ast.isCallExpression(node) && node.expression.getText() === 'Date') return 'reads the clock'
  if (!ast.isIdentifier(node) || !worldly.has(node.text)) return null
  const { parent } = node
  const isMember = ast.isPropertyAccessExpression(parent) && parent.name === node
  return isMember ? null : `uses ${node.text}`
}

test('the core knows no clock, no chance, no process and no waiting', () => {
  const core = inSrc.filter((path) => path.startsWith('src/core/'))
  expectNone(findings(core, impurity))
  assert.notDeepEqual(findings(['src/adapters/system.ts'], impurity), [], 'the rule sees nothing')
})

test('the environment is read in main alone', () => {
  const others = inSrc.filter((path) => path !== 'src/main.ts')
  const readers = findings(others, (node) =>
    ast.isPropertyAccessExpression(node) && node.getText() === 'process.env' ? 'reads the environment' : null,
  )
  expectNone(readers)
})

/** Those that are no everyday number: 200, 400 and 500 may count something else. */
const unmistakable = /^(?:40[134589]|41[35]|422|429|431|503)$/

/** The ways out speak HTTP as well, to others. */
const speaksHttp = /^src\/(?:http\/|adapters\/(?:webhook\/|feeds\/|captcha\.ts$))/

test('HTTP statuses live in http alone', () => {
  const elsewhere = inSrc.filter((path) => !speaksHttp.test(path))
  const statuses = findings(elsewhere, (node) => {
    if (ast.isNumericLiteral(node) && unmistakable.test(node.text)) return `has the status ${node.text}`
    return ast.isIdentifier(node) && /^status(?:Code|Of)$/.test(node.text) ? `has ${node.text}` : null
  })
  expectNone(statuses)
})

// Sizes

const linesMax = { file: 400, function: 60 }
const roomFilesMax = 17

/** Generated files, data and golden tables have no size limit. */
const sizeExempt = [
  /^src\/core\/reference\/data\//,
  /^client\/src\/openapi\.ts$/,
  /^test\/core\/decision\/golden\.ts$/,
]

const sized = sources.filter((path) => !sizeExempt.some((pattern) => pattern.test(path)))

test('no file is longer than 400 lines', () => {
  const long = sized.map((path) => `${path} ${linesOf(read(path)).length}`)
  expectNone(long.filter((entry) => Number(entry.split(' ')[1]) > linesMax.file))
})

test('no function is longer than 60 lines', () => {
  let functions = 0
  const long = findings(sized, (node) => {
    if (!ast.isFunctionLikeDeclaration(node)) return null
    functions += 1
    const { length } = linesOf(node.getText())
    return length > linesMax.function ? `is ${length} lines long` : null
  })
  expectNone(long)
  assert.ok(functions > 200, 'the functions were not found')
})

/** One file a resource: it is found by the path of the resource. */
const routes = 'src/http/routes'

test('a room holds about fifteen files', () => {
  const housed = sources.filter((path) => /^(?:src|bench|torture|scripts)\//.test(path))
  const rooms = Map.groupBy(housed, (path) => dirname(path))
  const full = [...rooms].filter(([room, { length }]) => room !== routes && length > roomFilesMax)
  expectNone(full.map(([room, { length }]) => `${room} ${length}`))
  assert.ok(rooms.has(routes) && rooms.size > 20, 'the rooms were not found')
})

// Texts

test('every source file opens with a sentence on its job', () => {
  expectNone(sources.filter((path) => !/^(?:#!.*\n)?\/\*\*\s+\S/.test(read(path))))
})

test('no comment opens with a pronoun in the place of a noun', () => {
  const opening = /(?:\/\*\*?|\/\/|^ +\*) (?:What|Who|Where|Whoever|Whatever) (?!if\b)/m
  const shipped = sources.filter((path) => !path.startsWith('test/') && path !== 'client/src/openapi.ts')
  expectNone(shipped.filter((path) => opening.test(read(path))))
})

test('nothing in src is left for later', () => {
  const marks = /\b(?:TODO|FIXME)\b/
  expectNone(inSrc.filter((path) => marks.test(read(path))))
})

test('no file names a package registry', () => {
  const registry =
    /"resolved":\s*"https?:|\/\/[\w.-]*(?:registry|artifactory|verdaccio|nexus)[\w.-]*[/:"']|^\s*(?:@[\w-]+:)?registry\s*=/im
  assert.ok(everyFile.includes('package-lock.json'))
  expectNone(everyFile.filter((path) => registry.test(read(path))))
})
