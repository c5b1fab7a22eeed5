/** The tests of the client, the command line, the tools of MCP and what is deployed, in one process. */

import { runRoom } from '../helpers/room.ts'

await runRoom('client', 'cli', 'console', 'contract', 'deploy', 'mcp')
