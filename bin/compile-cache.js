/** Where compiled code is kept from one start to the next. */

import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Beside the code, so that only who may change the code may change what is kept of it: Node's own place is in a folder that all
 * users share, and Node runs what it finds there. Who may not write here goes without. NODE_COMPILE_CACHE says another place,
 * NODE_DISABLE_COMPILE_CACHE that there is to be none.
 */
export function keepCompiled() {
  module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/fairway', import.meta.url)))
}
