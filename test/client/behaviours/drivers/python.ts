/** Runs the steps of a row with the Python client, in a process of Python: a line of JSON a step, and one back. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { python, pythonEnvironment } from '../../../helpers/process/python.ts'
import type { Driver, Result } from '../row.ts'

const program = join(import.meta.dirname, 'driver.py')

type Python = ChildProcessByStdio<Writable, Readable, Readable>

export function pythonDriver(mode: 'sync' | 'async'): Driver {
  let child: Python | null = null
  let lines: AsyncIterator<string> | null = null
  let errors = ''

  async function tell(message: object): Promise<Result> {
    if (child === null || lines === null) throw new Error('Python was not started')
    child.stdin.write(`${JSON.stringify(message, spelled)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`Python ended: ${errors}`)
    const { crash, ...result } = JSON.parse(value) as Result & { crash?: string }
    if (crash !== undefined) throw new Error(crash)
    return result
  }
  return {
    name: `Python, ${mode}`,
    async start() {
      child = startPython(mode)
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      child.stdin.on('error', () => undefined)
      lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      await once(child, 'spawn').catch((cause: unknown) => {
        throw new Error('The tests need Python 3.10 or later: set PYTHON to its command.', { cause })
      })
    },
    async reset(chance) {
      await tell({ reset: chance })
    },
    run: (step) => tell(step),
    async end() {
      if (child === null || child.exitCode !== null) return
      const ended = once(child, 'close')
      child.stdin.end()
      await ended
      // Warnings are errors, and one that comes up in a destructor can only be printed.
      assert.equal(errors, '')
    },
  }
}

function startPython(mode: string): Python {
  return spawn(python, [program, mode], { env: pythonEnvironment, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** JSON has no word for Infinity and NaN. */
const spelled = (_name: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
