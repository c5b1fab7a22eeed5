/** Enables the compile cache, which persists compiled code between starts. */

import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * The cache is next to the code, so that only users who may change the code may change the cache. Node's default is in
 * a folder shared by all users, and Node runs what it finds there. Users without write access run without a cache.
 * NODE_COMPILE_CACHE sets another folder; NODE_DISABLE_COMPILE_CACHE disables the cache.
 */
export function keepCompiled() {
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/fairway', import.meta.url)))
}
