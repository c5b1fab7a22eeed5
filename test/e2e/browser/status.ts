/** The status page: anybody may see what the service says of itself, and what of it cannot be had. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Readiness } from '../../../client/src/types.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type Console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

/** The page asks again every ten seconds. */
const refreshMs = 11_000

async function stopAndLook(own: Console): Promise<void> {
  const visited = await own.visit('/status', { hasClock: true })
  const { page } = visited
  await page.getByText('items need attention').waitFor()
  await page.getByText('Healthy', { exact: true }).waitFor()
  await own.server.stop()
  await page.clock.fastForward(refreshMs)
  await page.getByText('Status unknown').waitFor()
  assert.equal(await page.getByText('items need attention').count(), 0)
  await page.getByRole('region', { name: 'Health' }).getByText('Unknown.').waitFor()
  // One thing went wrong, so it is told once, with one button.
  assert.equal(await page.getByText('Fairway is not responding').count(), 1)
  assert.equal(await page.getByRole('alert').count(), 1)
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1)
  assert.equal(await page.getByText('Healthy', { exact: true }).count(), 0)
  assert.equal(await page.getByText('Telemetry only').count(), 1)
  await checkPage(visited, 'status-down')
}

async function lookAtLag(): Promise<void> {
  const followers = [
    { name: 'totals', lag_entries: 12_345, lag_seconds: 754.5, failing: true },
    { name: 'webhooks', lag_entries: 2, lag_seconds: 0.25, failing: false },
    { name: 'log', lag_entries: 40, lag_seconds: 31, failing: false },
  ]
  for (const view of [{}, { width: 390, scheme: 'dark' as const }]) {
    const visited = await console.visit('/status', view)
    const { page } = visited
    await page.route('**/readyz', (route) => route.fulfill({ json: { status: 'ready', followers } }))
    await page.reload()
    const rows = page.getByRole('table', { name: 'Followers' }).getByRole('row')
    const row = (...parts: readonly string[]) =>
      parts.reduce((found, part) => found.filter({ hasText: part }), rows).waitFor()
    await row('Totals and summaries', 'Failing, will retry', '12,345', '13 minutes')
    await row('Webhook events', 'Catching up', '250 ms')
    await row('Sealed log', 'Behind', '40', '31 s')
    await checkPage(visited, `status-followers${'width' in view ? '-390-dark' : ''}`)
  }
}

/** As a caller sees it while reviews are overdue and requests are held. */
async function leadsToFixes(): Promise<void> {
  const key = await console.issue()
  for (const view of [{}, { width: 390, scheme: 'dark' as const }]) {
    const visited = await console.visit('/status', { key, ...view })
    const { page } = visited
    await page.getByText('items need attention').waitFor()
    assert.equal(await page.getByText('Needs attention').count(), 0)
    await page.route('**/api/v1/reviews/summary*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), overdue: 3 } })
    })
    await page.route('**/api/v1/holds*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), held_now: 1 } })
    })
    await page.route('**/readyz', (route) =>
      route.fulfill({
        json: {
          status: 'ready',
          followers: [{ name: 'reviews', lag_entries: 9, lag_seconds: 60, failing: true }],
        },
      }),
    )
    await page.route('**/api/v1/readiness', async (route) => {
      const response = await route.fetch()
      const { checklist, ...rest } = (await response.json()) as Readiness
      const without = checklist.map((row) =>
        row.item === 'webhooks_configured' ? { ...row, status: 'not_available' } : row,
      )
      await route.fulfill({ response, json: { ...rest, checklist: without } })
    })
    await page.reload()
    const notice = page.locator('.notice').filter({ hasText: 'Needs attention' })
    const hrefOf = (name: string) => notice.getByRole('link', { name }).getAttribute('href')
    assert.equal(await hrefOf('3 reviews are overdue'), '/reviews?overdue=true')
    assert.equal(await hrefOf('1 request was held in the last 5 minutes'), '/overview#holds')
    // With what to do below the row of the one that fails.
    const followers = page.getByRole('table', { name: 'Followers' })
    await followers.getByRole('row').filter({ hasText: 'Failing' }).waitFor()
    await followers.getByText('It retries by itself').waitFor()
    assert.equal(await followers.getByRole('link', { name: 'Reviews' }).getAttribute('href'), '/reviews')
    const items = page.getByRole('list', { name: 'Readiness items' }).getByRole('listitem')
    const webhooks = items.filter({ has: page.getByRole('heading', { name: 'Webhooks', exact: true }) })
    assert.equal(await webhooks.getByRole('link', { name: 'Webhooks' }).getAttribute('href'), '/webhooks')
    await checkPage(visited, `status-fixes${'width' in view ? '-390-dark' : ''}`)
  }
}

const followerNames = [
  'Totals and summaries',
  'Webhook events',
  'Candidate reports',
  'Calibration counts',
  'Event stream',
  'Reviews',
  'Sealed log',
]

describe('the status page', { skip: chromiumNeeded.skip }, () => {
  test('a stranger sees all items, feeds, platform and health, with one line above them', async () => {
    const answer = await checkedFetch(`${console.url}/api/v1/readiness`)
    const { checklist } = (await answer.json()) as Readiness
    for (const view of [{}, { width: 360, scheme: 'dark' as const }]) {
      const visited = await console.visit('/status', view)
      const { page } = visited
      await page.getByText('Not ready for production.').waitFor()
      const items = page.getByRole('list', { name: 'Readiness items' }).getByRole('listitem')
      assert.equal(await items.count(), 16)
      const missing = await items.filter({ has: page.getByText('Not ready', { exact: true }) }).count()
      assert.equal(missing, checklist.filter(({ status }) => status === 'not_available').length)
      const planned = checklist.filter(({ status }) => status === 'planned').length
      await page.getByText(`${planned} planned.`).waitFor()
      await page.getByText(`${missing} of 16 items need attention`).waitFor()
      for (const { detail } of checklist.slice(0, 5)) await items.filter({ hasText: detail }).waitFor()
      // Words for each of them: no name of the contract is left as it came.
      assert.equal(await items.filter({ hasText: /\b[a-z]+_[a-z]+\b/ }).count(), 0)
      const feeds = page.getByRole('table', { name: 'Signal feeds' }).getByRole('row')
      await feeds.filter({ hasText: 'Confirmation of Payee' }).getByText('Observed').waitFor()
      assert.equal(await feeds.count(), 8)
      const followers = page.getByRole('table', { name: 'Followers' }).getByRole('row')
      for (const name of followerNames) {
        await followers.filter({ hasText: name }).getByText('Up to date').waitFor()
      }
      assert.equal(await followers.count(), 8)
      await page.getByText('No telemetry affects any decision').waitFor()
      await page.getByText('Healthy', { exact: true }).waitFor()
      await checkPage(visited, `status${'width' in view ? '-360-dark' : ''}`)
    }
  })

  test('a follower that is behind or fails says by how much, in entries and in time', lookAtLag)

  test('each alert leads to the page that mends it, with one sentence', leadsToFixes)

  test('a part that fails says so in its own card, and the others go on', async () => {
    const visited = await console.visit('/status')
    const { page } = visited
    await page.route('**/api/v1/cip/status', (route) => route.abort())
    await page.reload()
    const card = page.getByRole('region', { name: 'Corridor intelligence' })
    await card.getByText('Fairway is not responding').waitFor()
    await page.getByText('items need attention').waitFor()
    await page.getByRole('table', { name: 'Signal feeds' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 1)
    await checkPage(visited, 'status-part-fails')
    await page.unroute('**/api/v1/cip/status')
    // The page asks again by itself, too: the button may be gone before it is pressed.
    const healed = card.getByText('Telemetry only')
    await Promise.race([card.getByRole('button', { name: 'Try again' }).click(), healed.waitFor()])
    await healed.waitFor()
  })

  test('when the server stops, the page says so by itself and keeps what it last heard', () =>
    withConsole({}, stopAndLook))
})
