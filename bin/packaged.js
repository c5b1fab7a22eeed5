#!/usr/bin/env node
/** Starts the program of the package, where this file is `bin/fairway.js` and the manifest names the oldest Node.js that it runs on. */

import { readFileSync } from 'node:fs'
import { keepCompiled } from './compile-cache.js'
import { hideExperimental } from './quiet.js'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [major, minor] = process.versions.node.split('.').map(Number)
const ranges = engines.node.split(' || ')

/** Of the ranges `^22.20.0` and `>=24.7.0`. */
function isIn(range) {
  const [leastMajor, leastMinor] = range.replace(/^\D+/, '').split('.').map(Number)
  return major === leastMajor ? minor >= leastMinor : range.startsWith('>=') && major > leastMajor
}

if (ranges.some(isIn)) {
  hideExperimental()
  keepCompiled()
  await import('../src/main.js')
} else {
  process.stderr.write(
    `fairway: Node.js ${ranges.map((range) => range.replace(/^\D+/, '')).join(', ')} or later is required, this is ${process.versions.node}.\n`,
  )
  process.exitCode = 1
}
