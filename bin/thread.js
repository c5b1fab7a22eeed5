/**
 * The entry of every thread. A thread does not inherit the compile cache of its process, and without it brings a compiler of
 * its own along for as long as it lives: some 40 MB.
 */

import * as module from 'node:module'
import { workerData } from 'node:worker_threads'

const { compileCache, entry } = workerData
if (compileCache !== null) module.enableCompileCache(compileCache)
await import(entry)
