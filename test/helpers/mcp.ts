/** The service as a host of MCP sees it: by the official client, over both transports and both eras of the protocol. */

import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { dataEnd, dataStart } from '../../src/mcp/render.ts'
import type { Harness } from './harness.ts'
import { inherited } from './process/in-process.ts'

export const program = new URL('../../bin/fairway.js', import.meta.url).pathname

const eras = { 'the handshake of 2025': 'legacy', 'the revision 2026-07-28': { pin: '2026-07-28' } } as const

export interface Way {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly mode: (typeof eras)[keyof typeof eras]
}

export const ways: readonly Way[] = (['stdio', 'http'] as const).flatMap((transport) =>
  Object.entries(eras).map(([era, mode]) => ({ name: `${transport}, ${era}`, transport, mode })),
)

export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  /** The first line, which is ours. */
  readonly line: string
  // eslint-disable-next-line typescript/no-explicit-any -- as the answers of the harness
  readonly data: any
}

export interface Host {
  readonly client: Client
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<ToolAnswer>
}

/** The environment of a host that has no settings of the person who runs the tests. */
export const bareEnvironment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  ...inherited(),
  XDG_CONFIG_HOME: '/nonexistent',
  ...more,
})

/** The only text of an answer, and what stands between its marks. */
export function dataIn(text: string): unknown {
  const lines = text.split('\n')
  assert.deepEqual([lines.length, lines[2], lines[4]], [5, dataStart, dataEnd], text)
  return JSON.parse(lines[3] ?? '')
}

export const listen = ({ app }: Pick<Harness, 'app'>): Promise<string> =>
  app.listen({ host: '127.0.0.1', port: 0 })

export interface Place {
  readonly url: string
  /** Null over stdio alone. */
  readonly key: string | null
  /** What the host has set of itself, over stdio. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A host that talks to the service at `url`. */
export async function withHost(
  { transport, mode }: Omit<Way, 'name'>,
  { url, key, environment = {} }: Place,
  work: (host: Host) => Promise<void>,
): Promise<void> {
  const client = new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode } })
  const settings = { FAIRWAY_URL: url, ...(key === null ? {} : { FAIRWAY_API_KEY: key }) }
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL('/mcp', url), {
          requestInit: { headers: { authorization: `Bearer ${key}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [program, 'mcp'],
          env: bareEnvironment({ ...settings, ...environment }),
          stderr: 'ignore',
        }),
  )
  try {
    await work({ client, call: (name, given = {}) => callTool(client, name, given) })
  } finally {
    await client.close()
  }
}

export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given })
  const [only, ...others] = content
  assert.ok(only?.type === 'text' && others.length === 0)
  const data = dataIn(only.text)
  const [line = '', notice = ''] = only.text.split('\n')
  const parts = { headline: line, notice: notice.replace('Between the marks', 'Under `data`'), data }
  assert.deepEqual(structuredContent, parts, 'both forms are one answer')
  return { isError, text: only.text, line, data }
}

/** The requests that reached the API since `from`, without those of the protocol itself. */
export function requestsIn({ log }: Harness, from = 0): string[] {
  return log.slice(from).flatMap((line) => {
    const { msg, method, route } = JSON.parse(line) as Record<'msg' | 'method' | 'route', string>
    return msg === 'http: request completed' && route !== '/mcp' ? [`${method} ${route}`] : []
  })
}
