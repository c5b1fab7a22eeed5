/** A live key in the console: every page says its mode, holds say why, and nothing simulated is shown. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { CorridorHealth } from '@fairway/client'
import { checkPage, console, withConsole, type Console } from '../../helpers/console.ts'
import { withFolder } from '../../helpers/folder.ts'
import {
  calm,
  feedsAt,
  httpFeed,
  openTestProvider,
  providerBody,
  text,
  type Answering,
} from '../../helpers/peers/provider.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'

const narrow = { width: 390, scheme: 'dark' } as const
const views = [{}, narrow]
const endOf = (view: object): string => ('width' in view ? '-390-dark' : '')
const onHold = 'Live mode. Live decisions are on hold: no feed is set up for 7 of 7 signals. Set up feeds'

const bannerIs = (page: Page, words: string) =>
  page.locator('.mode-banner').getByText(words, { exact: true }).waitFor()

/** The requests for simulated verdicts. */
function simulated(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/\/(?:demo-\w+|decision\/compare|batch-assess)$/.test(path)) sent.push(path)
  })
  return sent
}

const verify = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true })
const settled = (page: Page) => page.locator('.skeleton').first().waitFor({ state: 'detached' })

const { skip } = chromiumNeeded

describe('the mode of a key', { skip }, () => {
  test('every page says which mode it is in, and to a stranger nothing', async () => {
    const [live, shadow] = [await console.issue({ mode: 'live' }), await console.issue()]
    const pages = ['/', '/sign-in', '/overview', '/verifications', '/verifications/SVC-2026-X', '/batch']
    pages.push('/partners', '/corridors', '/corridors/GB-NG', '/webhooks', '/status')
    const { page } = await console.visit('/', { key: live })
    for (const path of pages) {
      await page.goto(console.url + path)
      await bannerIs(page, onHold)
    }
    const other = await console.visit('/overview', { key: shadow })
    await bannerIs(other.page, 'Shadow mode: signals are simulated.')
    const stranger = await console.visit('/status')
    await stranger.page.getByText('items need attention').waitFor()
    assert.equal(await stranger.page.locator('.mode-banner').count(), 0)
  })
})

describe('a live key without feeds', { skip }, () => {
  test('a corridor says that live decisions are held and why, and is not operational', heldCorridor)
  test('Try it holds, leads to the feeds and never asks the demo', heldTry)
  test('a demo decision is gone once a live key has signed in', forgetsTheDemo)
  test('partners and batches have no simulated results', noSimulatedPages)
  test('a corridor without data is decided without bars or signals', withoutData)
})

async function heldCorridor(): Promise<void> {
  const key = await console.issue({ mode: 'live' })
  for (const view of views) {
    const visited = await console.visit('/corridors/GB-NG', { key, ...view })
    const { page } = visited
    const card = page.getByRole('region', { name: 'Health for everyday payments' })
    await card.getByText('Live decisions are on hold', { exact: true }).waitFor()
    await card.getByText('No feed is set up for any of the seven signals.').waitFor()
    await card.getByText('No data: no signal of this corridor can be read.').waitFor()
    assert.equal(await page.locator('.bucket-value').count(), 0)
    assert.equal(await page.getByText(/operational|simulated/i).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Rank partners' }).count(), 0)
    await settled(page)
    await checkPage(visited, `live-corridor-held${endOf(view)}`)
    await page.goto(`${console.url}/corridors`)
    await page
      .getByRole('table', { name: /^Corridors:/ })
      .getByText('Impaired')
      .first()
      .waitFor()
    assert.equal(await page.getByText('Operational').count(), 0)
  }
}

async function heldTry(): Promise<void> {
  const key = await console.issue({ mode: 'live' })
  for (const view of views) {
    const visited = await console.visit('/?corridor=GB-NG&amount=1000&currency=GBP', { key, ...view })
    const { page } = visited
    const sent = simulated(page)
    await page.reload()
    await page.getByText('Live decisions are on hold', { exact: true }).waitFor()
    assert.equal(await page.getByText('Test amounts').count(), 0)
    await checkPage(visited, `live-try-open${endOf(view)}`)
    await verify(page).click()
    await page.getByText('HOLD', { exact: true }).waitFor()
    await page.getByText('Live decisions stay on hold until the feeds are set up.').waitFor()
    assert.equal(await page.getByText(/minutes/).count(), 0)
    assert.equal(await page.locator('main .verdict', { hasText: 'GO' }).count(), 0)
    await checkPage(visited, `live-try-held${endOf(view)}`)
    await page.locator('.try-answer').getByRole('link', { name: 'Set up feeds' }).click()
    await page.waitForURL('**/status#feeds')
    const setting = page.locator('#feeds').getByText('FAIRWAY_LIVE_FEEDS')
    await setting.waitFor()
    await page.locator('#feeds').getByText('docs/live.md').waitFor()
    assert.equal(await page.locator('#feeds').getByText('Simulation').count(), 0)
    await settled(page)
    const { y = -1 } = (await setting.boundingBox()) ?? {}
    assert.ok(y >= 0 && y < 900, `the setting is at ${y}`)
    await page.getByText('shadow mode', { exact: true }).waitFor()
    await checkPage(visited, `live-status-held${endOf(view)}`)
    assert.deepEqual(sent, [])
  }
}

async function forgetsTheDemo(): Promise<void> {
  const { page } = await console.visit('/?amount=1000')
  await page.getByText('Demo, not recorded').waitFor()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('API key').fill(await console.issue({ mode: 'live' }))
  const sent = simulated(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('No decision yet').waitFor()
  await bannerIs(page, onHold)
  assert.equal(await page.getByText('Demo, not recorded').count(), 0)
  assert.deepEqual(sent, [])
}

async function noSimulatedPages(): Promise<void> {
  const key = await console.issue({ mode: 'live' })
  const visited = await console.visit('/', { key })
  const { page } = visited
  const sent = simulated(page)
  await page.goto(`${console.url}/partners?corridor=GB-NG&amount=1000&currency=GBP`)
  await page.getByText('No live ranking').waitFor()
  await checkPage(visited, 'live-partners')
  await page.goto(`${console.url}/batch?sample=1`)
  await page.getByText('No live batch assessment').waitFor()
  await checkPage(visited, 'live-batch')
  assert.deepEqual(sent, [])
}

async function withoutData(): Promise<void> {
  const key = await console.issue({ mode: 'live' })
  for (const view of views) {
    const visited = await console.visit('/?corridor=GB-GH&amount=1000&currency=GBP', { key, ...view })
    const { page } = visited
    await verify(page).click()
    await page.getByText('No data: this corridor has no signals, so its score is 0.').waitFor()
    await page.getByText('No data: there are no signals for this corridor.').waitFor()
    assert.equal(await page.locator('.signal, .ruler').count(), 0)
    await checkPage(visited, `live-try-no-data${endOf(view)}`)
    await page.getByRole('link', { name: 'View record' }).click()
    await page.getByText('No data: there are no signals to add up, so the score is 0.').waitFor()
    await page.locator('#signals').getByText('No data: there are no signals for this corridor.').waitFor()
    await settled(page)
    assert.equal(await page.locator('.step, .ruler, #signals tr').count(), 0)
    await checkPage(visited, `live-decision-no-data${endOf(view)}`)
  }
}

/** Fresh values, except of the signals that fail. */
const answering =
  (failing: ReadonlySet<string>): Answering =>
  ({ signal }) =>
    failing.has(signal) ? text('no', 500) : text(providerBody(calm[signal as SignalName], Date.now()))

describe('a live key with feeds', { skip }, () => {
  test('decides from them, and says which of them cannot be read', async () => {
    const failing = new Set<string>()
    const provider = await openTestProvider(answering(failing))
    try {
      await withFolder(async (folder) => {
        const file = join(folder, 'feeds.json')
        writeFileSync(file, JSON.stringify(feedsAt(provider.origin)))
        await withConsole({ FAIRWAY_LIVE_FEEDS: file }, async (own) => {
          const key = await own.issue({ mode: 'live' })
          assert.equal((await ask(own.url, key, { corridor: 'GB-NG', currency: 'GBP' })).status, 200)
          const visited = await own.visit('/', { key })
          const { page } = visited
          const sent = simulated(page)
          await bannerIs(page, 'Live mode. Decisions are made from your feeds.')
          await verify(page).click()
          await page.getByRole('link', { name: 'View record' }).waitFor()
          await page.locator('.try-answer').getByText('GO', { exact: true }).first().waitFor()
          await checkPage(visited, 'live-try-go')
          failing.add('fx_volatility')
          await verify(page).click()
          await page.getByText('HOLD', { exact: true }).waitFor()
          await page.getByText(/^Try again at [\d:]+, in 2 minutes\.$/).waitFor()
          await page.reload()
          await bannerIs(
            page,
            'Live mode. Live decisions are on hold: 1 of 7 feeds cannot be read. Show feeds',
          )
          await page.getByText('The feed could not be read for FX volatility.').waitFor()
          await page.locator('.mode-banner').getByRole('link', { name: 'Show feeds' }).click()
          await page.getByText('shadow mode', { exact: true }).waitFor()
          await page.locator('#feeds').getByText('Failing', { exact: true }).waitFor()
          assert.deepEqual(sent, [])
        })
      })
    } finally {
      await provider.close()
    }
  })
})

/** Two corridors with the same two partners, of which alpha's network is the better one; one has a calendar. */
const worldAt = (origin: string) => ({
  ...feedsAt(origin),
  corridors: {
    'GB-KE': { currencies: ['GBP', 'KES'], partners: ['alpha', 'beta'], calendar: 'nairobi' },
    'GB-UG': { partners: ['beta'] },
  },
  partners: {
    alpha: {
      name: 'Alpha Remit',
      signals: { network_healthy: partnerFeed(origin) },
      fees: { 'GB-KE': { fixed: 1.5, percent: 0.4, currency: 'GBP' } },
      amount_max: { 'GB-KE': 20_000 },
    },
    beta: { name: 'Beta Pay', signals: { network_healthy: partnerFeed(origin) } },
  },
  calendars: {
    nairobi: {
      time_zone: 'Africa/Nairobi',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      windows: [{ opens: '08:00', cut_off: '15:30' }],
      holidays: ['2019-12-25', '2099-12-25'],
      valid_through: '2099-12-31',
      source: 'central bank circular 2026/4',
    },
  },
})

const partnerFeed = (origin: string) =>
  httpFeed(origin, 'network_healthy', { url: `${origin}/network_healthy/{partner}?corridor={corridor}` })

/** Beta's network is worse than alpha's; a partner that fails has no network at all. */
const worldAnswering =
  (failing: ReadonlySet<string>): Answering =>
  ({ signal, path }) => {
    const [, , partner] = new URL(path, 'http://provider').pathname.split('/')
    if (partner !== undefined && failing.has(partner)) return text('no', 500)
    const value = partner === 'beta' ? 0.9 : calm[signal as SignalName]
    return text(providerBody(value, Date.now()))
  }

async function withWorld(work: (own: Console, failing: Set<string>) => Promise<void>): Promise<void> {
  const failing = new Set<string>()
  const provider = await openTestProvider(worldAnswering(failing))
  try {
    await withFolder(async (folder) => {
      const file = join(folder, 'feeds.json')
      writeFileSync(file, JSON.stringify(worldAt(provider.origin)))
      const settings = { FAIRWAY_LIVE_FEEDS: file, FAIRWAY_CIP_PROBE_S: '1' }
      await withConsole(settings, (own) => work(own, failing))
    })
  } finally {
    await provider.close()
  }
}

/** The partners of the corridor, once the probe has seen them. */
async function observed(own: Console, key: string): Promise<CorridorHealth> {
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const answer = await checkedFetch(`${own.url}/api/v1/corridors/GB-KE`, { headers })
    const health = (await answer.json()) as CorridorHealth
    if (health.partners.every(({ status }) => status !== null)) return health
  }
}

describe('a declared world', { skip }, () => {
  test('a corridor shows its partners with their fees and hours, and its calendar', () =>
    withWorld(declaredCorridor))
  test('the partners page ranks declared partners, and says which of them is left out', () =>
    withWorld(declaredPartners))
  test('the status page lists every feed, and checks a corridor when told to', () => withWorld(declaredFeeds))
  test('the status page checks no corridor before it knows which, and says why it cannot know', () =>
    withWorld(lateCorridors))
})

async function declaredCorridor(own: Console): Promise<void> {
  const key = await own.issue({ mode: 'live' })
  const health = await observed(own, key)
  assert.equal(health.partners.length, 2)
  for (const view of views) {
    const visited = await own.visit('/corridors/GB-KE?amount=1000', { key, ...view })
    const { page } = visited
    const rows = page.getByRole('table', { name: 'Partners of this corridor' }).getByRole('row')
    const first = rows.filter({ hasText: 'Alpha Remit' })
    await first.getByText('Recommended').waitFor()
    for (const part of ['alpha', '5.50 GBP', '100%', 'Operational', 'GO']) {
      await first.getByText(part, { exact: true }).waitFor()
    }
    assert.match(await rows.nth(1).innerText(), /Alpha Remit/)
    await page.getByRole('figure', { name: 'Last 24 hours' }).getByText('Data table').waitFor()
    const ages = page.getByRole('region', { name: 'Feed ages by partner' }).getByRole('row')
    assert.equal(await ages.count(), 1 + 7)
    const calendar = page.getByRole('region', { name: 'Settlement calendar' })
    await calendar.getByText('Fri, 25 Dec 2099').waitFor()
    await calendar
      .getByText(/, 08:00 Africa\/Nairobi$/)
      .first()
      .waitFor()
    assert.equal(await calendar.getByText('2019').count(), 0)
    await settled(page)
    await checkPage(visited, `world-corridor${endOf(view)}`)
    await page.goto(`${own.url}/corridors/GB-KE?amount=30000`)
    await first.getByText('Takes at most 20,000.00 GBP.').waitFor()
    await rows.filter({ hasText: 'Beta Pay' }).getByText('Recommended').waitFor()
  }
}

async function declaredPartners(own: Console, failing: Set<string>): Promise<void> {
  const key = await own.issue({ mode: 'live' })
  const visited = await own.visit('/corridors', { key })
  const { page } = visited
  const corridors = page.getByRole('table', { name: /^Corridors:/ }).getByRole('rowheader')
  await corridors.filter({ hasText: 'GB-UG' }).waitFor()
  assert.equal(await corridors.count(), 2)
  await page.goto(`${own.url}/partners`)
  await page.getByLabel('Amount').fill('1000')
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText('Send through Alpha Remit').waitFor()
  assert.deepEqual(await page.locator('.partner bdi').allInnerTexts(), ['Alpha Remit', 'Beta Pay'])
  await page.getByText('5.50 GBP').waitFor()
  await checkPage(visited, 'world-partners')
  failing.add('alpha')
  const copied = await own.visit(page.url().slice(own.url.length), { key, ...narrow })
  await copied.page.getByText('Send through Beta Pay').waitFor()
  await copied.page.getByText('Cannot be read: Settlement network.').waitFor()
  await checkPage(copied, 'world-partners-390-dark')
  await page.getByLabel('Beta Pay').uncheck()
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText('Choose at least two partners.').waitFor()
  await page.getByLabel('Corridor').selectOption('GB-UG')
  await page.getByText('GB-UG has one declared partner.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Rank partners' }).count(), 0)
}

async function lateCorridors(own: Console): Promise<void> {
  const { page } = await own.visit('/status', { key: await own.issue({ mode: 'live' }) })
  const late = Promise.withResolvers<void>()
  await page.route('**/api/v1/corridors', (route) => late.promise.then(() => route.continue()))
  await page.reload()
  const button = page.getByRole('button', { name: 'Check now' })
  await button.waitFor()
  assert.ok(await button.isDisabled())
  late.resolve()
  await button.click()
  await page.getByText(/^Checked in /).waitFor()
  await page.route('**/api/v1/corridors', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await page.getByRole('region', { name: 'Live feeds' }).getByRole('alert').waitFor()
  assert.ok(await button.isDisabled())
}

async function declaredFeeds(own: Console, failing: Set<string>): Promise<void> {
  const key = await own.issue({ mode: 'live' })
  await observed(own, key)
  for (const view of views) {
    failing.clear()
    const visited = await own.visit('/status', { key, ...view })
    const { page } = visited
    const card = page.getByRole('region', { name: 'Live feeds' })
    const rows = card.getByRole('table', { name: 'Live feeds' }).getByRole('row')
    await card.getByText('8 feeds, 0 failing.').waitFor()
    assert.equal(await rows.count(), 1 + 8)
    failing.add('alpha')
    // A check joins a read of the probe that is under way, and then shows the world before the failure.
    do {
      await card.getByRole('button', { name: 'Check now' }).click()
      await card.getByText(/^Checked in /).waitFor()
    } while ((await card.getByText('Alpha Remit: Settlement network').count()) === 0)
    await card.getByText('8 feeds, 1 failing.').waitFor()
    await card.getByLabel('Failing only').check()
    // With what to do below it.
    assert.equal(await rows.count(), 1 + 2)
    await rows.filter({ hasText: 'alpha' }).getByText('Failing', { exact: true }).waitFor()
    await checkPage(visited, `world-status${endOf(view)}`)
  }
  const stranger = await own.visit('/status')
  await stranger.page.getByText('Sign in with a live key to see every feed').waitFor()
}
