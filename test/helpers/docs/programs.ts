/**
 * The programs of a document. TypeScript is in a project that has the client as a user has it, checked by the compiler and run by
 * node; Python is checked by mypy, and run by the python3 of the reader's terminal, into which the page has installed the client.
 */

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './checkout.ts'
import { madeFolder } from './leftovers.ts'
import type { Block } from './markdown.ts'

/** What a user of the examples installs beside the client. */
const packages = ['fastify', 'express', 'standardwebhooks', 'canonicalize', '@types']

const options = {
  target: 'es2024',
  lib: ['es2024'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  // A page may have nothing but JavaScript, which is then at least read.
  allowJs: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
}

const isPython = ({ language }: Block): boolean => language === 'python'

/** Blocks that are one program: neighbours in one language, with nothing to run between them, unless one is to stand alone. */
export function programsOf(blocks: readonly Block[]): Block[][] {
  const found: Block[][] = []
  let open: Block[] | null = null
  for (const block of blocks) {
    if (block.kind === 'text' || block.kind === 'output') continue
    const joins =
      block.kind === 'program' &&
      !block.wishes.alone &&
      !block.wishes.background &&
      block.wishes.file === null
    if (block.kind === 'program') {
      if (joins && open?.[0] !== undefined && isPython(open[0]) === isPython(block)) open.push(block)
      else found.push([block])
    }
    open = joins ? (found.at(-1) ?? null) : null
  }
  return found
}

/** Printed where a block of a program begins. */
export const markOf = ({ line }: Block): string => `@@ line ${line} @@`

/** What each block of a program printed, by the line of the block; none of those that it did not come to. */
export function shares(printed: string): Map<number, string> {
  const parts = printed.split(/@@ line (\d+) @@\n/).slice(1)
  const numbers = parts.filter((_, index) => index % 2 === 0)
  return new Map(numbers.map((line, index) => [Number(line), parts[index * 2 + 1] ?? '']))
}

const endings: Readonly<Record<string, string>> = {
  ts: 'ts',
  typescript: 'ts',
  js: 'js',
  javascript: 'js',
  python: 'py',
}

export interface Project {
  /** The command that runs the program that begins with this block. */
  commandOf(first: Block): string
  /** What the compiler or mypy says of these lines of the document. */
  faultsOf(block: Block): readonly string[]
}

/** Writes and checks all programs of a document. Lines keep their numbers, so that faults name those of the document. */
export async function makeProject(
  folder: string,
  programs: readonly (readonly Block[])[],
  put: (text: string) => string,
): Promise<Project> {
  const directory = join(folder, 'programs')
  mkdirSync(directory)
  const fileOf = ({ line, language }: Block): string => join(directory, `line_${line}.${endings[language]}`)
  const firsts = programs.flatMap(([first]) => first ?? [])
  for (const blocks of programs) {
    const [first] = blocks
    if (first !== undefined) writeFileSync(fileOf(first), put(programText(blocks)))
  }
  const pythonFiles = firsts.filter(isPython).map(fileOf)
  const output = [
    pythonFiles.length < firsts.length ? await checkScripts(directory) : '',
    pythonFiles.length > 0 ? await checkPython(directory, pythonFiles) : '',
  ].join('')
  const faults = [...output.matchAll(/^.*?line_\d+\.(?:[jt]s\(|py:)(\d+)(?:,\d+\))?: (.*(?:\n .*)*)/gm)]
  if (output.trim() !== '' && faults.length === 0) throw new Error(output)
  return {
    commandOf: (first) => `exec ${isPython(first) ? 'python3' : 'node'} '${fileOf(first)}'`,
    faultsOf: ({ line, text }) => {
      const last = line + text.split('\n').length
      return faults
        .map(([, at, what]) => ({ at: Number(at), what }))
        .filter(({ at }) => at >= line && at <= last)
        .map(({ at, what }) => `line ${at}: ${what}`)
    },
  }
}

function programText(blocks: readonly Block[]): string {
  const lines: string[] = []
  for (const block of blocks) {
    // Its fence is on this line, which is free. What keeps running is one block and needs no mark.
    const mark = isPython(block)
      ? `print(${JSON.stringify(markOf(block))})`
      : `process.stdout.write(${JSON.stringify(`${markOf(block)}\n`)})`
    lines[block.line - 1] = block.wishes.background ? '' : mark
    block.text.split('\n').forEach((line, index) => (lines[block.line + index] = line))
  }
  return Array.from(lines, (line) => line ?? '').join('\n')
}

async function checkScripts(directory: string): Promise<string> {
  await makeModules(join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  return reportOf(join(root, 'node_modules', '.bin', 'tsc'), ['-p', directory, '--pretty', 'false'])
}

/** As a program of its own each, since each is a `__main__`. */
async function checkPython(directory: string, files: readonly string[]): Promise<string> {
  const cache = ['--cache-dir', join(directory, 'mypy')]
  const env = { ...process.env, MYPYPATH: join(root, 'clients', 'python', 'src') }
  const settings = ['--strict', '--no-error-summary', '--hide-error-context', ...cache]
  return reportOf('mypy', [...settings, '--scripts-are-modules', ...files], env)
}

async function makeModules(modules: string): Promise<void> {
  clientBuilt ??= buildClient()
  const client = await clientBuilt
  mkdirSync(join(modules, '@fairway'), { recursive: true })
  symlinkSync(client, join(modules, '@fairway', 'client'))
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(modules, name))
}

/** Once for all documents of this process. */
let clientBuilt: Promise<string> | null = null

/** The client as it is packed. */
async function buildClient(): Promise<string> {
  const client = madeFolder('fairway-client-')
  copyFileSync(join(root, 'client', 'package.json'), join(client, 'package.json'))
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const args = ['-p', join(root, 'client'), '--outDir', join(client, 'dist'), '--pretty', 'false']
  const faults = await reportOf(compiler, args)
  if (faults !== '') throw new Error(`the client cannot be built: ${faults}`)
  return client
}

/** The report of a checker: empty, where all is well. */
async function reportOf(program: string, args: readonly string[], env = process.env): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { env })).stdout
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string }
    return stdout || message
  }
}
