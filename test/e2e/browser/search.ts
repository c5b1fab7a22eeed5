/** The search of the console: by keyboard alone, for everything that has an id, a corridor or a page. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { FairwayClient } from '../../../client/src/index.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const needed = { skip: chromiumNeeded.skip }
const phone = { width: 390, height: 844, scheme: 'dark' } as const

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search' })
const active = (page: Page) => dialog(page).locator('[role="option"][aria-selected="true"]')

async function decide(key: string, more: object = {}): Promise<string> {
  const payment = { corridor: 'GB-NG', amount: 60_000, currency: 'GBP', ...more }
  const answer = await ask(console.url, key, payment)
  return ((await answer.json()) as { request_id: string }).request_id
}

test('two keys and a button open it, and a slash in a field is a slash', needed, async () => {
  const { page } = await console.visit('/', { key: await console.issue() })
  await page.getByRole('button', { name: 'Verify', exact: true }).waitFor()
  for (const press of ['Control+k', 'Meta+k', '/']) {
    await page.keyboard.press(press)
    await field(page).waitFor()
    await dialog(page).locator('input:focus').waitFor()
    assert.equal(await field(page).inputValue(), '')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
  await page.getByLabel('Corridor').fill('')
  await page.keyboard.type('a/b')
  assert.equal(await page.getByLabel('Corridor').inputValue(), 'a/b')
  assert.equal(await dialog(page).count(), 0)
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await field(page).waitFor()
})

test('pages and corridors are found by name without a key, with arrows and Enter', needed, async () => {
  const visited = await console.visit('/')
  const { page } = visited
  await page.getByRole('button', { name: 'Verify', exact: true }).waitFor()
  await page.keyboard.press('/')
  await active(page).getByText('Try it').waitFor()
  await page.keyboard.press('ArrowDown')
  await active(page).getByText('Overview').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await active(page).getByText('API reference').waitFor()
  assert.equal(await field(page).getAttribute('aria-activedescendant'), await active(page).getAttribute('id'))
  await checkPage(visited, 'search-open')
  // Only for admins of the installation.
  assert.equal(await dialog(page).getByRole('option', { name: 'Access requests' }).count(), 0)
  await field(page).fill('stat')
  await active(page).getByText('Status').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/status')
  for (const text of ['gb-ng', 'GBNG', 'nigeria']) {
    await page.keyboard.press('Control+k')
    await field(page).fill(text)
    await dialog(page)
      .getByRole('option', { name: /^GB-NG/ })
      .click()
    await page.waitForURL('**/corridors/GB-NG')
    await page.goBack()
  }
  await page.keyboard.press('Control+k')
  await field(page).fill('SVC-2026-01M7QHJ8VXTERYDGAAZ2V06AB8')
  await dialog(page).getByText('Sign in to find decisions').waitFor()
})

test(
  'words of the guide lead to the part of its page, after what the console itself has',
  needed,
  async () => {
    const visited = await console.visit('/status', { scheme: 'dark' })
    const { page } = visited
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await page.keyboard.press('Control+k')
    await field(page).fill('webhooks')
    const group = dialog(page).getByRole('group', { name: 'Documents' })
    await group.getByRole('option', { name: 'Webhooks' }).first().waitFor()
    await active(page).getByText('Integration').waitFor()
    await checkPage(visited, 'search-guide')
    await field(page).fill('check signature')
    await active(page).getByText('Webhooks: Check the signature').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/guide/webhooks#check-the-signature')
  },
)

test('an id leads to its decision, and a correlation id lists its decisions', needed, async () => {
  const key = await console.issue()
  const id = await decide(key)
  const other = await decide(key, { amount: 1, correlation_id: 'order 7' })
  await decide(key, { amount: 2, correlation_id: 'order 7' })
  for (const view of [{}, phone]) {
    const visited = await console.visit('/overview', { key, ...view })
    const { page } = visited
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const name = (state: string): string => `search-${state}${'width' in view ? '-390-dark' : ''}`
    await page.getByRole('button', { name: 'Search', exact: true }).filter({ visible: true }).click()
    await field(page).fill(` ${id.toLowerCase()} `)
    await active(page).getByText('60,000.00 GBP on GB-NG').waitFor()
    await checkPage(visited, name('id'))
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/verifications/${id}`)
    await page.keyboard.press('Control+k')
    // Recent ones of this tab.
    await active(page).getByText('60,000.00 GBP on GB-NG').waitFor()
    await field(page).fill('order 7')
    await dialog(page).getByRole('option').nth(2).waitFor()
    await checkPage(visited, name('correlation'))
    await dialog(page).getByRole('option', { name: '1.00 GBP on GB-NG' }).click()
    await page.waitForURL(`**/verifications/${other}`)
    await page.keyboard.press('Control+k')
    await field(page).fill('order 7')
    await dialog(page).getByRole('option', { name: 'All decisions with this correlation id' }).click()
    await page.waitForURL('**/verifications?correlation_id=order%207')
    await page.locator('.decisions tbody tr').nth(1).waitFor()
  }
})

test('a kept report and a backtest are found by their ids', needed, async () => {
  const key = await console.issue()
  const client = new FairwayClient({ baseUrl: console.url, apiKey: key })
  const report = await client.keepBatchReport('corridor\nGB-NG\n', { reportName: 'March' })
  const policy = await client.createPolicy({ name: 'Hard stops', require_amount: true })
  const period = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' }
  const backtest = await client.startBacktest(policy.policy_id, period)
  const { page } = await console.visit('/overview', { key })
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  for (const [id, title, path] of [
    [report.report_id, 'March', `/batch/${report.report_id}`],
    [backtest.backtest_id, 'Hard stops', `/policies/${policy.policy_id}?report=${backtest.backtest_id}`],
  ] as const) {
    await page.keyboard.press('Control+k')
    await field(page).fill(id)
    await active(page).getByText(title, { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(console.url + path)
  }
})

test('what is not there, and what fails, is said; a late answer never replaces a newer', needed, async () => {
  const key = await console.issue()
  const stranger = await console.issue()
  const foreign = await decide(stranger)
  const own = await decide(key)
  const visited = await console.visit('/overview', { key })
  const { page } = visited
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).fill(foreign)
  await dialog(page).getByText(`Nothing found for “${foreign}”.`).waitFor()
  await checkPage(visited, 'search-nothing')
  await page.route('**/api/v1/search?*', (route) => route.abort())
  await field(page).fill(`${own} `)
  await dialog(page).getByText('Fairway is not responding').waitFor()
  await checkPage(visited, 'search-fails')
  await page.unroute('**/api/v1/search?*')
  // The first answer is held until the second is shown.
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v1/search?q=slow', async (route) => {
    await held
    await route.fulfill({ json: { results: [{ kind: 'policy', id: 'pol_x', title: 'Too late' }] } })
  })
  const asked = page.waitForRequest('**/api/v1/search?q=slow')
  await field(page).fill('slow')
  await asked
  await field(page).fill(own.toUpperCase())
  await active(page).getByText('60,000.00 GBP on GB-NG').waitFor()
  const late = page.waitForResponse('**/api/v1/search?q=slow')
  release()
  await late
  assert.equal(await dialog(page).getByText('Too late').count(), 0)
  await active(page).getByText('60,000.00 GBP on GB-NG').waitFor()
})
