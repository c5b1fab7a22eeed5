/** The TypeScript of a document: in a project that has the client as a user has it, checked by the compiler, run by node. */

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

/** Blocks that are one program: neighbours, with nothing to run between them, unless one is to stand alone. */
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
      if (joins && open !== null) open.push(block)
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

export interface Project {
  /** The file of the program that begins with this block. */
  fileOf(first: Block): string
  /** What the compiler says of these lines of the document. */
  faultsOf(block: Block): readonly string[]
}

/** Writes and checks all programs of a document. Lines keep their numbers, so that faults name those of the document. */
export async function makeProject(
  folder: string,
  programs: readonly (readonly Block[])[],
  put: (text: string) => string,
): Promise<Project> {
  const directory = join(folder, 'programs')
  await makeModules(join(directory, 'node_modules'))
  const fileOf = ({ line, language }: Block): string =>
    join(directory, `line-${line}.${language.startsWith('t') ? 'ts' : 'js'}`)
  for (const blocks of programs) {
    const [first] = blocks
    if (first !== undefined) writeFileSync(fileOf(first), put(programText(blocks)))
  }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  const said = await compile(['-p', directory])
  const faults = [...said.matchAll(/^.*?line-\d+\.[jt]s\((\d+),\d+\): (.*(?:\n .*)*)/gm)]
  if (said.trim() !== '' && faults.length === 0) throw new Error(said)
  return {
    fileOf,
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
    const mark = `process.stdout.write(${JSON.stringify(`${markOf(block)}\n`)})`
    lines[block.line - 1] = block.wishes.background ? '' : mark
    block.text.split('\n').forEach((line, index) => (lines[block.line + index] = line))
  }
  return Array.from(lines, (line) => line ?? '').join('\n')
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
  const said = await compile(['-p', join(root, 'client'), '--outDir', join(client, 'dist')])
  if (said !== '') throw new Error(`the client cannot be built: ${said}`)
  return client
}

/** What the compiler says: nothing, where all is well. */
async function compile(args: readonly string[]): Promise<string> {
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  try {
    return (await promisify(execFile)(compiler, [...args, '--pretty', 'false'])).stdout
  } catch (error) {
    const { stdout, message } = error as Error & { stdout?: string }
    return stdout || message
  }
}
