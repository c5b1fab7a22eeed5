/** Starts the service without sealing: the baseline of the sealing group. */

// @ts-expect-error Plain JavaScript, for Node.js versions without type stripping.
import { keepCompiled } from '../../bin/compile-cache.js'

// First, as in the command: the compile cache affects the result as much as sealing does.
keepCompiled()
const { readConfig } = await import('../../src/config.ts')
const { serve } = await import('../../src/server.ts')
const { unsealed } = await import('./unsealed-writer.ts')

const server = await serve(readConfig(process.env), process.env, { writing: unsealed })
process.once('SIGTERM', () => void server.stop())
