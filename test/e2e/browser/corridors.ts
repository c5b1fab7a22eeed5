/** The corridors and each of them: health as the API tells it, with the key's own traffic and without. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CorridorHealth } from '@fairway/client'
import type { Locator } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type Console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const dark = { width: 360, scheme: 'dark' } as const
const views = [{}, dark]
const endOf = (view: object): string => ('width' in view ? '-360-dark' : '')

async function healthOf(key: string, path: string): Promise<CorridorHealth> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await checkedFetch(`${console.url}/api/v1/corridors/${path}`, { headers })
  return (await answer.json()) as CorridorHealth
}

/** Eleven decisions on four corridors. */
async function traffic(key: string): Promise<void> {
  const counts = { 'GB-NG': 6, 'NG-GB': 2, 'GB-GH': 2, 'US-NG': 1 }
  const payments = Object.entries(counts).flatMap(([corridor, count]) =>
    Array.from({ length: count }, (_, place) => ({
      corridor,
      amount: 500 + place * 30_000,
      currency: 'GBP',
    })),
  )
  for (const payment of payments) assert.equal((await ask(console.url, key, payment)).status, 200)
}

describe('corridors', { skip: chromiumNeeded.skip }, () => {
  test(
    'without traffic the supported corridors are there, with their health and a way to begin',
    withoutTraffic,
  )
  test('with traffic every corridor has its decisions, drawn and as a table', withTraffic)
  test('a corridor tells its health for the amount in the address, and what was decided there', oneCorridor)
  test('a corridor without data says what that means, and what is no corridor says so', withoutData)
  test('a server that is gone is told, and what was shown stays', () => withConsole({}, survivesOutage))
})

async function withoutTraffic(): Promise<void> {
  const visited = await console.visit('/corridors', { key: await console.issue() })
  const { page } = visited
  await page.getByText('No verifications yet').waitFor()
  const rows = page.getByRole('table', { name: /^Corridors:/ }).getByRole('rowheader')
  assert.deepEqual(await rows.getByRole('link').allInnerTexts(), [
    'United Kingdom to Nigeria',
    'Nigeria to United Kingdom',
  ])
  await checkPage(visited, 'corridors-empty')
  await page.getByLabel('Other corridor').fill('United Kingdom-Ghana')
  await page.getByLabel('Other corridor').press('Enter')
  await page.getByText('No decisions on this corridor yet.').waitFor()
  await page.getByText('No decisions in this time range').waitFor()
  await page.getByText('There is no data for GB-GH').waitFor()
  await checkPage(visited, 'corridor-empty')
}

async function withTraffic(): Promise<void> {
  const key = await console.issue()
  await traffic(key)
  for (const view of views) {
    const visited = await console.visit('/corridors?range=7d', { key, ...view })
    const { page } = visited
    await page.getByText('11 decisions. Busiest corridor: United Kingdom to Nigeria (54.5%).').waitFor()
    const rows = page.getByRole('table', { name: /^Corridors:/ }).getByRole('row')
    const textsOf = (row: Locator): Promise<string[]> =>
      Promise.all(
        [row.locator('.second'), row.getByRole('cell').nth(1), row.getByRole('cell').nth(2)].map((cell) =>
          cell.innerText(),
        ),
      )
    const texts = await Promise.all((await rows.all()).slice(1).map(textsOf))
    assert.deepEqual(texts, [
      ['GB-NG', 'Operational', '6'],
      ['NG-GB', 'Operational', '2'],
      ['GB-GH', 'No data', '2'],
      ['US-NG', 'No data', '1'],
    ])
    // The last column, too, is where one need not scroll for it.
    const score = await rows.nth(1).getByRole('cell').last().boundingBox()
    assert.ok(score)
    assert.equal(score.x + score.width <= (endOf(view) === '' ? 1280 : dark.width), true)
    assert.equal(await page.locator('.diagram path').count(), 4)
    assert.equal(await page.getByRole('button', { name: '7 d' }).getAttribute('aria-pressed'), 'true')
    await checkPage(visited, `corridors${endOf(view)}`)
    await page.getByRole('link', { name: 'United States to Nigeria' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'United States to Nigeria' }).waitFor()
  }
}

async function oneCorridor(): Promise<void> {
  const key = await console.issue()
  await traffic(key)
  const answer = await healthOf(key, 'GB-NG?amount=85000')
  for (const view of views) {
    const visited = await console.visit('/corridors/GB-NG?amount=85000', { key, ...view })
    const { page } = visited
    await page.getByText(answer.advisory).waitFor()
    await page.getByRole('heading', { name: 'Health for payments of 85,000.00 GBP' }).waitFor()
    const values = await page.locator('.bucket-value').allInnerTexts()
    assert.deepEqual(
      values.map((text) => text.trim()),
      Object.values(answer.signals).map(({ risk_value: value }) => value?.toFixed(2)),
    )
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    const legend = "getComputedStyle(document.querySelector('.verdict-legend')).display"
    assert.equal(await page.evaluate(legend), 'flex', 'the legend is laid out')
    assert.equal(
      await page
        .getByRole('table', { name: /^Latest 6 decisions/ })
        .getByRole('row')
        .count(),
      1 + 6,
    )
    await checkPage(visited, `corridor${endOf(view)}`)
    await page.getByRole('button', { name: 'Clear amount' }).click()
    await page.getByText((await healthOf(key, 'GB-NG')).advisory).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.getByLabel('Payment amount (GBP)').fill('-1')
    await page.getByRole('button', { name: 'Check health' }).click()
    await page.getByText('This must not be negative.').waitFor()
    const verify = page.getByRole('link', { name: 'Verify a payment' })
    assert.equal(await verify.getAttribute('href'), '/?corridor=GB-NG')
  }
}

async function withoutData(): Promise<void> {
  const key = await console.issue()
  for (const view of views) {
    const visited = await console.visit('/corridors/gb-gh', { key, ...view })
    const { page } = visited
    await page.getByRole('heading', { name: 'Decisions without data' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'United Kingdom to Ghana' }).waitFor()
    await checkPage(visited, `corridor-no-data${endOf(view)}`)
    await page.goto(`${console.url}/corridors/Atlantis`)
    await page.getByText('“Atlantis” is not a corridor').waitFor()
    await checkPage(visited, `corridor-unknown${endOf(view)}`)
  }
}

async function survivesOutage(own: Console): Promise<void> {
  const visited = await own.visit('/corridors', { key: await own.issue() })
  const { page } = visited
  await page.getByText('No verifications yet').waitFor()
  await own.server.stop()
  await page.getByRole('button', { name: '24 h' }).click()
  await page.getByText('Fairway is not responding').first().waitFor()
  await page.getByRole('link', { name: 'United Kingdom to Nigeria' }).waitFor()
  await checkPage(visited, 'corridors-down')
}
