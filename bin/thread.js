/**
 * The entry of every worker thread. A thread does not inherit the compile cache of its process; without the cache it
 * loads its own TypeScript compiler, which takes about 40 MB.
 */

import * as module from 'node:module'
import { workerData } from 'node:worker_threads'
import { hideExperimental } from './quiet.js'

hideExperimental()
const { compileCache, entry } = workerData
if (compileCache !== null) module.enableCompileCache(compileCache)
await import(entry)
