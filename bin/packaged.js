#!/usr/bin/env node
/** Starts the program of the package, where this file is `bin/fairway.js` and the manifest names the oldest Node.js that it runs on. */

import { readFileSync } from 'node:fs'
import { keepCompiled } from './compile-cache.js'
import { hideExperimental } from './quiet.js'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const oldest = engines.node.slice('>='.length)

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

if (isNewEnough()) {
  hideExperimental()
  keepCompiled()
  await import('../src/main.js')
} else {
  process.stderr.write(`fairway: Node.js ${oldest} or later is required, this is ${process.versions.node}.\n`)
  process.exitCode = 1
}
