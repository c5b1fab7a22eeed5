/** The service without its log: what the sealing of records is measured against. Nobody else can start it so. */

import { readConfig } from '../src/config.ts'
import { serve } from '../src/server.ts'

const server = await serve(readConfig(process.env), process.env, false)
process.once('SIGTERM', () => void server.stop())
