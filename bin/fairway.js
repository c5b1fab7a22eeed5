#!/usr/bin/env node
/** Starts the program with a Node.js that can run it: this one, or the one that `npm ci` brought. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { complainAboutNode, nodeIsNewEnough } from './require-node.js'

const main = new URL('../src/main.ts', import.meta.url)
const own = ['node', 'node.exe']
  .map((name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url)))
  .find((path) => existsSync(path))

if (nodeIsNewEnough()) {
  await import(main.href)
} else if (own !== undefined) {
  const child = spawn(own, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 128)
  })
} else {
  complainAboutNode()
  process.exitCode = 1
}
