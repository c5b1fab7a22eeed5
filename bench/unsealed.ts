/** The service without its log, through the same door as any other: what the sealing of records is measured against. */

// @ts-expect-error It is JavaScript, for a Node.js that knows no types.
import { keepCompiled } from '../bin/compile-cache.js'

// Before anything else is loaded, as the command does: how it was compiled makes as much of a difference as the log does.
keepCompiled()
const { readConfig } = await import('../src/config.ts')
const { serve } = await import('../src/server.ts')
const { unsealed } = await import('./unsealed-writer.ts')

const server = await serve(readConfig(process.env), process.env, { writing: unsealed })
process.once('SIGTERM', () => void server.stop())
