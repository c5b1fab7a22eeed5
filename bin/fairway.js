#!/usr/bin/env node
/** Starts the program with a Node.js that can run it: this one, or the one that `npm ci` brought. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { keepCompiled } from './compile-cache.js'
import { complainAboutNode, nodeIsNewEnough } from './require-node.js'

const main = new URL('../src/main.ts', import.meta.url)
const own = ['node', 'node.exe']
  .map((name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)))
  .find((path) => existsSync(path))

if (nodeIsNewEnough()) {
  // What one command has compiled, the next need not.
  keepCompiled()
  await import(main.href)
} else if (own !== undefined) {
  // This very file again, so that both ways lead through the same door.
  const child = spawn(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // A terminal sends Ctrl-C to both of us: passed on it would be the second one, which is not waited for.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
  }
  child.on('error', (error) => {
    process.stderr.write(`fairway: ${own} cannot be started: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    // As a shell tells it: what gates on our exit code must see the child's.
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
} else {
  complainAboutNode()
  process.exitCode = 1
}
