/** What the compiler's own parser reads in the sources, so that no rule is fooled by a comment, a string or a regular expression. */

import assert from 'node:assert/strict'
import { join, posix } from 'node:path'
import { after } from 'node:test'
import * as ast from 'typescript/unstable/ast'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { root, sources } from './files.ts'

const config = join(root, 'tsconfig.tidy.json')
const parser = new API({
  cwd: root,
  fs: {
    fileExists: (path) => (path === config ? true : undefined),
    readFile: (path) => (path === config ? tidyConfig() : undefined),
  },
})
const { program } =
  parser.updateSnapshot({ openProjects: [config] }).getProjects()[0] ?? assert.fail('no project')
after(() => parser.close())

function tidyConfig(): string {
  const options = { noResolve: true, noLib: true, types: [], allowJs: true, jsx: 'preserve', noEmit: true }
  const compilerOptions = {
    ...options,
    module: 'nodenext',
    target: 'esnext',
    allowImportingTsExtensions: true,
  }
  return JSON.stringify({ compilerOptions, files: sources })
}

function parse(path: string): SourceFile {
  return program.getSourceFile(join(root, path)) ?? assert.fail(`${path} was not parsed`)
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

/** The findings of a rule over some files, each as `path:line what`. */
export function findings(
  paths: readonly string[],
  rule: (node: Node, path: string) => string | null,
): string[] {
  return paths.flatMap((path) => {
    const file = parse(path)
    return [...nodesOf(file)].flatMap((node) => {
      const found = rule(node, path)
      return found === null ? [] : [`${path}:${lineOf(node, file)} ${found}`]
    })
  })
}

function lineOf(node: Node, file: SourceFile): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}

/** One import of any kind: static, dynamic, re-exported or of types only. */
export interface Reference {
  readonly path: string
  readonly line: number
  readonly specifier: string
  /** Where a relative specifier leads, as a path from the root; null for a package. */
  readonly target: string | null
  readonly typeOnly: boolean
}

type Named = Pick<Reference, 'specifier' | 'typeOnly'>

/** What a node imports, if it is an import of any kind. */
function namedBy(node: Node): Named | null {
  if (ast.isImportDeclaration(node) || ast.isExportDeclaration(node)) {
    const { moduleSpecifier } = node
    if (moduleSpecifier === undefined) return null
    const typeOnly = /^(?:import|export)\s+type\b/.test(node.getText())
    return { specifier: textOf(moduleSpecifier), typeOnly }
  }
  if (ast.isImportTypeNode(node)) {
    const { argument } = node
    const literal = ast.isLiteralTypeNode(argument) ? argument.literal : argument
    return { specifier: textOf(literal), typeOnly: true }
  }
  if (ast.isCallExpression(node) && node.expression.kind === ast.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments
    return { specifier: argument === undefined ? '' : textOf(argument), typeOnly: false }
  }
  return null
}

/** A computed name has a space in it, so that no floor may import it. */
const textOf = (node: Node): string => (ast.isStringLiteral(node) ? node.text : `computed: ${node.getText()}`)

/** Every import in the sources. */
export const references: readonly Reference[] = sources.flatMap((path) => {
  const file = parse(path)
  return [...nodesOf(file)].flatMap((node) => {
    const named = namedBy(node)
    if (named === null) return []
    const { specifier } = named
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
    return [{ ...named, path, line: lineOf(node, file), target }]
  })
})
