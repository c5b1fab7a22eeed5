/** MCP over streamable HTTP: each request is one message and one answer in JSON, and nothing is kept between them. */

import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { createMcpServer, type McpDeps } from './server.ts'

/** A refusal of a message, as JSON-RPC has it. */
export const rpcError = (code: number, message: string): object => ({
  jsonrpc: '2.0',
  error: { code, message },
  id: null,
})

export const parseErrorCode = -32_700
export const invalidRequestCode = -32_600

/** `message` is the body of the request, which has been read. Nothing here looks at who calls. */
export async function answerMcp(deps: McpDeps, request: Request, message: unknown): Promise<Response> {
  const createServer = () => createMcpServer(deps)
  if (await isLegacyRequest(request, message)) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = createServer()
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, { parsedBody: message })
    } finally {
      await server.close()
    }
  }
  // No list changes, so nobody needs a stream to hear of it.
  const handler = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: message })
}
