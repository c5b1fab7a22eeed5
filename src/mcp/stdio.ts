/** MCP over standard input and output: a host starts the process, and ends it by closing its input. */

import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createMcpServer, type McpDeps } from './server.ts'

export interface StdioOptions {
  readonly input: Readable
  /** A stream of Node.js, in its narrower type. */
  readonly output: NodeJS.WritableStream
  /** Ends the connection. */
  readonly signal: AbortSignal
  readonly onError: (message: string) => void
}

/** The library lists every rule that an unreadable message breaks, with parts of the message. */
const messageOf = ({ name, message }: Error): string =>
  name === 'ZodError' ? 'ignored a message that is not JSON-RPC' : message

/** Resolves when the host has closed the connection, or the signal has. */
export async function serveMcp(
  deps: McpDeps,
  { input, output, signal, onError }: StdioOptions,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const end = (): void => resolve()
    input.once('end', end)
    input.once('close', end)
    output.once('close', end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
  const handle = serveStdio(() => createMcpServer(deps), {
    transport: new StdioServerTransport(input, output as Writable),
    maxSubscriptions: 0,
    onerror: (error) => onError(messageOf(error)),
  })
  await ended
  await handle.close()
}
