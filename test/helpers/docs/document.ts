/** Executes a document: its blocks in order, as a reader would, on a server of its own. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase, type FreshDatabase } from '../database/databases.ts'
import { freePort } from '../process/free-port.ts'
import { makeCheckout, root, type Checkout } from './checkout.ts'
import { BadDocument, blocksOf, type Block } from './markdown.ts'
import { makeProject, programsOf, shares, type Project } from './programs.ts'
import { Session } from './session.ts'
import { answeredIn, typedIn } from './shell.ts'
import { agrees, filled, portsIn, withPorts } from './values.ts'

/** A page whose reader starts no server has one already, and a key in the environment. */
const startsServer = /\bnpm start\b|\bfairway (?:serve|quickstart)\b/

const postgresExample = 'postgres://fairway@127.0.0.1:5432/fairway'

/** Registers a test for a document, with one for each of its blocks. */
export function testDocument(path: string): void {
  test(`${path} does as it says`, async (context) => {
    const document = await OpenDocument.open(path, readFileSync(join(root, path), 'utf8'))
    try {
      assert.ok(document.blocks.length > 0, 'there is nothing to run')
      let isWell = true
      for (const block of document.blocks) {
        // After a failure the rest would fail for want of what was to come of it.
        if (!isWell) break
        const isOutput = block.kind === 'output'
        await context.test(`${path}:${block.line} ${isOutput ? 'is what is printed' : 'runs'}`, async () => {
          isWell = false
          await document.step(block)
          isWell = true
        })
      }
    } finally {
      await document.close()
    }
  })
}

export class OpenDocument {
  /** Those that are run or compared. */
  readonly blocks: readonly Block[]
  readonly #checkout: Checkout
  readonly #session: Session
  readonly #ports: ReadonlyMap<number, number>
  readonly #database: FreshDatabase | null
  readonly #programs: readonly Block[][]
  #project: Promise<Project> | null = null
  /** What the blocks of the last program printed. */
  #shares = new Map<number, string>()
  /** What the last block printed; null before the first. */
  #last: (() => string) | null = null

  private constructor(
    blocks: readonly Block[],
    ports: ReadonlyMap<number, number>,
    database: FreshDatabase | null,
  ) {
    this.blocks = blocks.filter(({ kind }) => kind !== 'text')
    this.#programs = programsOf(blocks)
    this.#ports = ports
    this.#database = database
    this.#checkout = makeCheckout(ports)
    this.#session = new Session(this.#checkout)
  }

  static async open(path: string, markdown: string): Promise<OpenDocument> {
    const blocks = blocksOf(path, markdown)
    const text = blocks.map((block) => block.text).join('\n')
    const ports = new Map<number, number>()
    for (const port of new Set([8080, 9000, 9100, ...portsIn(text)])) ports.set(port, await freePort())
    const database = text.includes(postgresExample) ? await freshDatabase('postgres') : null
    const document = new OpenDocument(blocks, ports, database)
    const needsServer = document.blocks.length > 0 && !startsServer.test(text)
    if (needsServer) await document.#provide()
    return document
  }

  /** Runs a block, or holds an output against what the block before it printed. Throws where it does not do as it says. */
  async step(block: Block): Promise<void> {
    if (block.kind === 'output') return this.#compare(block)
    if (block.kind === 'program') await this.#runProgram(block)
    else await this.#runShell(block)
    this.#session.check()
  }

  /** Throws where something that was to keep running has ended meanwhile: a reader's would have, too. */
  async close(): Promise<void> {
    try {
      this.#session.check()
    } finally {
      await this.#session.close()
      await this.#database?.drop()
      this.#checkout.remove()
    }
  }

  async #provide(): Promise<void> {
    await this.#session.start('the server', 'fairway serve', false)
    const { code, stderr } = await this.#session.run(
      `key=$(fairway keys issue --type test --owner Reader --json | grep -o 'pk_test_[0-9a-z]*')
       export FAIRWAY_API_KEY=$key`,
    )
    assert.equal(code, 0, stderr)
  }

  /** The text as it is for this run: its ports, its database, the values that were printed. */
  #put(text: string): string {
    const database = text.replaceAll(postgresExample, this.#database?.url ?? '')
    return filled(withPorts(database, this.#ports), this.#session.printed)
  }

  async #runShell(block: Block): Promise<void> {
    const script = this.#put(block.language === 'console' ? typedIn(block.text) : block.text)
    await this.#execute(block, script)
    if (block.language === 'console') expectOutput('text', answeredIn(block.text), this.#last?.() ?? '')
  }

  async #execute({ path, line, kind, wishes }: Block, script: string): Promise<void> {
    if (wishes.afterStop) await this.#session.stopServers()
    if (wishes.background) {
      await this.#session.start(`${path}:${line}`, script, kind === 'program')
      const { background } = this.#session
      this.#last = () => background?.stdout() ?? ''
      return
    }
    const { code, stdout, stderr } = await this.#session.run(script)
    this.#last = () => stdout
    this.#shares = shares(stdout)
    assert.equal(code, wishes.fails, `it ended with ${code} and said:\n${stdout}${stderr}`)
  }

  async #runProgram(block: Block): Promise<void> {
    const program = this.#programs.find((blocks) => blocks.includes(block)) ?? []
    const [first = block] = program
    this.#project ??= makeProject(this.#checkout.folder, this.#programs, (text) => this.#put(text))
    const project = await this.#project
    assert.deepEqual(project.faultsOf(block), [])
    if (block.wishes.file !== null) return this.#session.save(block.wishes.file, this.#put(block.text))
    // The first block runs them all: they are one program.
    if (block === first) {
      for (const part of program) assert.deepEqual(project.faultsOf(part), [])
      await this.#execute(block, project.commandOf(first))
    }
    if (block.wishes.background) return
    const share = this.#shares.get(block.line) ?? assert.fail('the program ended before it came to this')
    this.#last = () => share
  }

  async #compare({ path, line, language, text, wishes }: Block): Promise<void> {
    const shown = withPorts(text, this.#ports)
    const { background } = this.#session
    if (wishes.background && background !== null) {
      return background.says(
        () => agrees(language, shown, background.stdout()),
        `as the document shows:\n${shown}`,
      )
    }
    const printed = this.#last
    if (printed === null) throw new BadDocument(`${path}:${line} shows an output before anything was run`)
    expectOutput(language, shown, printed())
  }
}

function expectOutput(language: string, shown: string, printed: string): void {
  assert.ok(
    agrees(language, shown, printed),
    `the document shows\n${shown}\nand this was printed:\n${printed}`,
  )
}
