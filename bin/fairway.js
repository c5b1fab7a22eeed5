#!/usr/bin/env node
/** Starts the program with a supported Node.js: this one, or the one that `npm ci` installed. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { keepCompiled } from './compile-cache.js'
import { nodeIsNewEnough, reportOldNode } from './require-node.js'

const main = new URL('../src/main.ts', import.meta.url)
const own = ['node', 'node.exe']
  .map((name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)))
  .find((path) => existsSync(path))

if (nodeIsNewEnough()) {
  keepCompiled()
  await import(main.href)
} else if (own !== undefined) {
  // Run this file again, so that both paths share one entry.
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // A terminal sends Ctrl-C to both processes: forwarded, it would be a second signal, which exits at once.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on('error', (error) => {
    process.stderr.write(`fairway: cannot start ${own}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    // Exit like the child, in the form that shells use, for scripts that gate on the exit code.
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
} else {
  reportOldNode()
  process.exitCode = 1
}
