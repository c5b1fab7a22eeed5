/** The configurations that docs/mcp.md gives to hosts work as they are, with an address and a key of one's own. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { withHarness } from '../helpers/harness.ts'
import { bareEnvironment, callTool, listen, program } from '../helpers/mcp.ts'

interface Configuration {
  readonly command?: string
  readonly args?: string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
  readonly headers?: Record<string, string>
}

const page = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text)

function transportOf({ command, args = [], env = {}, url, headers = {} }: Configuration) {
  if (url !== undefined) return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  assert.equal(command, 'fairway')
  return new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: bareEnvironment(env),
    stderr: 'ignore',
  })
}

test('the page has one block for each transport', () => assert.equal(blocks.length, 2))

for (const block of blocks) {
  const name = block.includes('/mcp') ? 'http' : 'stdio'
  test(`a host with the block for ${name} gets a decision`, async () => {
    await withHarness({}, async (harness) => {
      const { key } = await harness.issue()
      const url = await listen(harness)
      const own = block.replaceAll('https://fairway.example.com', url).replaceAll('svc-sandbox-…', key)
      const { mcpServers } = JSON.parse(own) as { mcpServers: { fairway: Configuration } }
      const client = new Client({ name: 'host', version: '1.0.0' })
      await client.connect(transportOf(mcpServers.fairway))
      try {
        const { data } = await callTool(client, 'verify', { corridor: 'GB-NG', amount: 500, currency: 'GBP' })
        assert.equal(data.decision, 'GO')
      } finally {
        await client.close()
      }
    })
  })
}
