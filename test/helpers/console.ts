/** The console in a real Chromium, against the real server: the tests of a process share one of each. */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach, before } from 'node:test'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { openStore } from '../../src/adapters/store/open.ts'
import { systemClock as clock, systemRandom as random } from '../../src/adapters/system.ts'
import { issueKey, revokeKey, rotateKey, type IssuedKey } from '../../src/app/access/keys.ts'
import { leafHashes } from '../../src/app/log/leaf.ts'
import type { Mode, Scope } from '../../src/core/identity/api-key.ts'
import { migratedDatabase } from './database/databases.ts'
import { checkedFetch } from './process/checked-fetch.ts'
import { serve, type Served } from './process/process.ts'
import { chromiumArgs, chromiumNeeded } from './process/runtimes.ts'

const pictures = new URL('../../test-output/', import.meta.url).pathname
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Look {
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Its time is the test's to move, in a session of its own, since a clock is a whole session's. */
  readonly hasClock?: boolean
}

export interface View extends Look {
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
    readonly mode?: Mode
  }) => Promise<string>
  readonly revoke: (key: string) => Promise<void>
  /** Ends the key at once and returns the one that replaces it. */
  readonly rotate: (key: string) => Promise<string>
  /** Opens the path in a window of its own, which closes when the test ends. */
  readonly visit: (path: string, view?: View) => Promise<Visited>
}

/** No request is refused for having come too often, unless a test sets its own limit. */
const generous = {
  FAIRWAY_LIMIT_DEMO: '100000/60',
  FAIRWAY_LIMIT_ACCESS: '100000/60',
  FAIRWAY_LIMIT_KEYED: '100000/60',
}

/** The second try of a delivery comes soon, the third not while a test looks. */
export const webhookSettings = {
  FAIRWAY_WEBHOOK_ALLOW_PRIVATE: 'true',
  FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,900,900,900',
}

/** Pages of one session and one site share a renderer, which has compiled the console, and axe, once. */
const args = [...chromiumArgs, '--process-per-site']

let browser: Browser
let session: BrowserContext
/** Keeps the renderer alive between tests. */
let keeper: Page
/** The console that tests share. Keys have owners of their own, so tests do not meet; a test that stops the server brings its own. */
export let console: Console
let closeConsole: () => Promise<void>

const isThere = chromiumNeeded.skip === false

before(async () => {
  if (!isThere) return
  browser = await chromium.launch({ executablePath: chromiumNeeded.path(), args })
  session = await newSession()
  ;({ console, close: closeConsole } = await openConsole(webhookSettings))
  keeper = await session.newPage()
  await keeper.goto(`${console.url}/theme.js`)
})

/** No window and nothing stored outlives its test. */
afterEach(async () => {
  if (!isThere) return
  const windows = session.pages().filter((page) => page !== keeper)
  const apart = browser.contexts().filter((context) => context !== session)
  await Promise.all([...windows, ...apart].map((one) => one.close()))
  await keeper.evaluate('localStorage.clear()')
})

after(async () => {
  if (!isThere) return
  await browser.close()
  await closeConsole()
})

async function newSession(): Promise<BrowserContext> {
  const made = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Africa/Lagos',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  made.setDefaultTimeout(120_000)
  return made
}

/** With a server of its own. */
export async function withConsole(
  settings: Readonly<Record<string, string>>,
  work: (console: Console) => Promise<void>,
): Promise<void> {
  const opened = await openConsole(settings)
  try {
    await work(opened.console)
  } finally {
    await opened.close()
  }
}

/** A server believes a key for half a second after it has looked it up. */
async function untilRefused(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  while ((await checkedFetch(`${url}/api/v1/organisation/settings`, { headers })).status !== 401);
}

async function openConsole(settings: Readonly<Record<string, string>>) {
  const database = await migratedDatabase('sqlite')
  const server = await serve({ DATABASE_URL: database.url, ...generous, ...settings })
  // Beside the server, as an operator's command does it, without the half second that a command takes to start.
  const { store } = await openStore({
    leafHashes,
    databaseUrl: database.url,
    clock,
    onFault: assert.fail,
  })
  const deps = { keys: store.keys, clock, random }
  const ids = new Map<string, string>()
  const known = ({ key, record }: IssuedKey): string => {
    ids.set(key, record.keyId)
    return key
  }
  const opened: Console = {
    url: server.url,
    server,
    databaseUrl: database.url,
    async issue({ ownerLabel = 'End to end', scopes = [], mode = 'shadow' } = {}) {
      const prefix = mode === 'live' ? 'pk_live_' : 'pk_test_'
      return known(await issueKey(deps, { prefix, ownerLabel, scopes, verifyLimit: null }))
    },
    async revoke(key) {
      assert.ok(await revokeKey(deps, ids.get(key) ?? ''))
      await untilRefused(server.url, key)
    },
    async rotate(key) {
      const rotated = await rotateKey(deps, ids.get(key) ?? '', 0)
      if (rotated.kind !== 'rotated') assert.fail(rotated.kind)
      await untilRefused(server.url, key)
      return known(rotated.issued)
    },
    visit: (path, view) => visit(server.url, path, view),
  }
  const close = async (): Promise<void> => {
    await store.close()
    if (server.child.exitCode === null && server.child.signalCode === null) await server.stop()
    await database.drop()
  }
  return { console: opened, close }
}

export async function openWindow(look: Look = {}): Promise<Page> {
  const { width = 1280, height = 900, scheme = 'light', hasClock = false } = look
  const page = await (hasClock ? await newSession() : session).newPage()
  if (hasClock) await page.clock.install()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme })
  return page
}

async function visit(url: string, path: string, { key, ...look }: View = {}): Promise<Visited> {
  const page = await openWindow(look)
  if (key !== undefined) {
    await page.addInitScript(`sessionStorage.setItem('fairway.key', ${JSON.stringify(key)})`)
  }
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

/** All that a page, its address and its storage hold: a secret that was shown is in none of it. */
export const heldBy = async (page: Page): Promise<string> =>
  page.url() +
  (await page.content()) +
  String(
    await page.evaluate(
      'JSON.stringify({ ...sessionStorage, ...localStorage }) + JSON.stringify(history.state)',
    ),
  )

/** For people, where they ask for pictures: a picture costs as much as everything else on a page. */
export async function picture(page: Page, name: string, isWanted = process.env['TEST_PICTURES'] === 'true') {
  if (!isWanted) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: `${pictures}${name}.png`, fullPage: true })
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** From this width on, a row of a list has one line. */
const wideFrom = 1280
const rowHeightMax = 44

/** The rows of lists that are higher; not those of texts side by side, of a matrix, or of the details below a row. */
const highRows = `[...document.querySelectorAll('main table.table:not(.stack-named, .matrix, .sheet) > tbody > tr:not(.row-below)')]
  .map((row) => [row.getBoundingClientRect().height, row.textContent.slice(0, 60)])
  .filter(([height]) => innerWidth >= ${wideFrom} && height > ${rowHeightMax})
  .map(([height, text]) => text + ' is ' + height + ' px high')`

/**
 * No accessibility rule is broken, nothing is wider than its window, no row of a list is higher than one line, nothing went
 * wrong; what fails has its picture taken.
 */
export async function checkPage({ page, faults }: Visited, name: string): Promise<void> {
  // A button that ends its work while the rules are being applied is half of each state, and breaks one.
  await page.locator('.spinner').first().waitFor({ state: 'detached' })
  // So is one whose colours are on their way from one state to the other.
  await page.evaluate(
    `Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime)).map(({ finished }) => finished))`,
  )
  const found = (await page.evaluate(
    `(async () => { ${axe}; return (await axe.run(document, { resultTypes: ['violations'], iframes: false, preload: false })).violations })()`,
  )) as Violation[]
  const violations = found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
  )
  const wider = await page.evaluate(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  )
  const high = (await page.evaluate(highRows)) as string[]
  const checked = { violations, wider, high, faults }
  const isFine = wider === 0 && violations.length + high.length + faults.length === 0
  await picture(page, `console-${name}`, isFine ? undefined : true)
  assert.deepEqual(checked, { violations: [], wider: 0, high: [], faults: [] }, name)
}
