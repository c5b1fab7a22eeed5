/** The console in a real Chromium, against the real server: what every test of it needs. */

import { leafHashes } from '../../src/app/log/leaf.ts'
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../../src/adapters/system.ts'
import { issueKey } from '../../src/app/access/keys.ts'
import type { Scope } from '../../src/core/identity/api-key.ts'
import { migratedDatabase } from './database/databases.ts'
import { serve, type Served } from './process/process.ts'
import { chromiumArgs, chromiumNeeded } from './process/runtimes.ts'

export const screenshots = new URL('../../test-output/', import.meta.url).pathname
mkdirSync(screenshots, { recursive: true })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface View {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Signed in with this key, as a tab that has it already. */
  readonly key?: string
}

export interface Visited {
  readonly page: Page
  /** What a page must not do: errors, broken policies, requests to other hosts. */
  readonly faults: string[]
}

export interface Console {
  readonly url: string
  readonly server: Served
  readonly databaseUrl: string
  /** A key of an owner of its own. */
  readonly issue: (key?: {
    readonly ownerLabel?: string
    readonly scopes?: readonly Scope[]
  }) => Promise<string>
  /** Opens the path in a window of its own. */
  readonly visit: (path: string, view?: View) => Promise<Visited>
  readonly close: () => Promise<void>
}

/** No request is refused for having come too often, unless a test sets its own limit. */
const generous = {
  FAIRWAY_LIMIT_DEMO: '100000/60',
  FAIRWAY_LIMIT_ACCESS: '100000/60',
  FAIRWAY_LIMIT_KEYED: '100000/60',
}

/** One server and one browser for a test file: keys have owners of their own, so tests do not meet. */
export async function openConsole(settings: Readonly<Record<string, string>> = {}): Promise<Console> {
  const database = await migratedDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url, ...generous, ...settings })
  const browser = await chromium.launch({ executablePath: chromiumNeeded.path(), args: chromiumArgs })
  // Beside the server, as an operator's command does it, without the half second that a command takes to start.
  const { store } = await openStore({
    leafHashes,
    databaseUrl: database.url,
    clock,
    random,
    onFault: assert.fail,
  })
  return {
    url: server.url,
    server,
    databaseUrl: database.url,
    async issue({ ownerLabel = 'End to end', scopes = [] } = {}) {
      const asked = { prefix: 'pk_test_', ownerLabel, scopes: [...scopes], verifyLimit: null } as const
      return (await issueKey({ keys: store.keys, clock, random }, asked)).key
    },
    visit: (path, view) => visit(browser, server.url, path, view),
    async close() {
      await browser.close()
      await store.close()
      if (server.child.exitCode === null && server.child.signalCode === null) await server.stop()
      await database.drop()
    },
  }
}

async function visit(browser: Browser, url: string, path: string, view: View = {}): Promise<Visited> {
  const { width = 1280, height = 900, scheme = 'light', key } = view
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Africa/Lagos',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(40_000)
  if (key !== undefined) {
    await context.addInitScript(`sessionStorage.setItem('fairway.key', ${JSON.stringify(key)})`)
  }
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    // What the network says is the page's to show, and a test of its own to look at.
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) faults.push(message.text())
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(`${url}/`) && !/^(?:data|blob):/.test(to)) faults.push(`a request to ${to}`)
    if (key !== undefined && to.includes(key)) faults.push('the key is in an address')
  })
  await page.goto(url + path)
  return { page, faults }
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** No accessibility rule is broken, nothing is wider than its window, nothing went wrong; and a picture for people. */
export async function checkPage({ page, faults }: Visited, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}console-${name}.png`, fullPage: true })
  const found = (await page.evaluate(
    `(async () => { ${axe}; return (await axe.run(document, { resultTypes: ['violations'], iframes: false, preload: false })).violations })()`,
  )) as Violation[]
  const told = found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  )
  assert.deepEqual(told, [], `${name} breaks no rule of accessibility`)
  const wider = await page.evaluate(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  )
  assert.equal(wider, 0, `${name} fits its window`)
  assert.deepEqual(faults, [], name)
}
