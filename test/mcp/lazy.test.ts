/** The protocol's packages are loaded by whoever speaks it: neither a server that starts nor another command pays for them. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const src = new URL('../../src/', import.meta.url)

/** Prints the files that an import loads, one on a line. */
const program = (path: string): string => `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(${JSON.stringify(new URL(path, src).href)})
process.stdout.write(loaded.join('\\n'))`

async function loadedBy(path: string): Promise<string[]> {
  const args = ['--input-type=module', '--eval', program(path)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16_000_000 })
  return stdout.split('\n')
}

const ofProtocol = /\/node_modules\/(?:@modelcontextprotocol|zod)\/|\/src\/mcp\/(?!api\.ts)/

for (const path of ['server.ts', 'cli/run.ts']) {
  test(`src/${path} loads nothing of the protocol`, async () => {
    const loaded = await loadedBy(path)
    assert.ok(loaded.length > 50, 'the files were not seen')
    assert.deepEqual(
      loaded.filter((url) => ofProtocol.test(url)),
      [],
    )
  })
}

test('the check sees what the protocol loads', async () => {
  const loaded = await loadedBy('mcp/http.ts')
  assert.ok(loaded.some((url) => url.includes('/zod/')))
  assert.ok(loaded.some((url) => url.includes('/@modelcontextprotocol/server/')))
})
