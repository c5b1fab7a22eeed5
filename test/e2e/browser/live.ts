/** A live key in the console: every page says its mode, holds say why, and nothing simulated is shown. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import { withFolder } from '../../helpers/folder.ts'
import {
  calm,
  feedsAt,
  openTestProvider,
  providerBody,
  text,
  type Answering,
} from '../../helpers/peers/provider.ts'
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
