/** Lists of decisions as a tool: filters, totals, order, views and rows that are wholly clickable. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const needed = { skip: chromiumNeeded.skip }
const phone = { width: 390, height: 844, scheme: 'dark' } as const
const desktop = { width: 1440, height: 900 } as const

async function post(key: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await checkedFetch(`${console.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, await answer.text())
}

/** One to overrule, one that failed, in three currencies; newest last. */
async function seed(key: string): Promise<string[]> {
  const payments = [
    { corridor: 'GB-NG', amount: 1000, currency: 'GBP' },
    { corridor: 'GB-NG', amount: 60_000, currency: 'GBP' },
    { corridor: 'NG-GB', amount: 2000, currency: 'NGN' },
    { corridor: 'US-MX', amount: 70, currency: 'JPY', correlation_id: 'order-7' },
  ]
  const ids: string[] = []
  for (const payment of payments) {
    const answer = await ask(console.url, key, payment)
    ids.push(((await answer.json()) as { request_id: string }).request_id)
  }
  const [go = '', capped = ''] = ids
  const justification = 'Payee confirmed by telephone.'
  await post(key, '/api/v1/override', {
    request_id: capped,
    action: 'EXECUTE',
    reason_code: 'COMPLIANCE_APPROVED',
    justification,
  })
  await post(key, `/api/v1/decision/${go}/outcome`, { outcome: 'FAILED' })
  return ids
}

const amounts = (page: Page): Promise<string[]> => page.locator('.decisions a[data-row]').allInnerTexts()

async function showsAmounts(page: Page, ...expected: readonly string[]): Promise<void> {
  await page
    .locator(`.decisions[aria-busy="false"] tbody > tr:last-child:nth-child(${expected.length})`)
    .waitFor()
  assert.deepEqual(await amounts(page), expected)
}

const all = ['70 JPY', '2,000.00 NGN', '60,000.00 GBP', '1,000.00 GBP'] as const

test('every filter narrows the list and the totals, and is in the address', needed, async () => {
  const key = await console.issue()
  await seed(key)
  const { page } = await console.visit('/verifications', { key, ...desktop })
  await showsAmounts(page, ...all)
  const totals = page.getByRole('region', { name: 'Totals' })
  await totals.getByText('4 decisions').waitFor()
  await totals.getByText('61,000.00 GBP').waitFor()
  await totals.getByText('70 JPY').waitFor()
  const form = page.getByRole('form', { name: 'Filters' })
  await form.getByRole('button', { name: 'More filters' }).click()
  const choose = (label: string, value: string) => form.getByLabel(label).selectOption(value)
  await choose('Reason', 'POLICY_CAP_APPLIED')
  await showsAmounts(page, '60,000.00 GBP')
  await totals.getByText('1 decision', { exact: true }).waitFor()
  await choose('Reason', '')
  await choose('Override', 'true')
  await showsAmounts(page, '60,000.00 GBP')
  await choose('Override', '')
  await choose('Outcome', 'FAILED')
  await showsAmounts(page, '1,000.00 GBP')
  await choose('Outcome', '')
  await form.getByLabel('Amount from').fill('1,000')
  await form.getByLabel('Amount to').fill('2 000.00')
  await form.getByRole('button', { name: 'Apply' }).click()
  await showsAmounts(page, '2,000.00 NGN', '1,000.00 GBP')
  await form.getByLabel('Currency').fill('gbp')
  await form.getByLabel('Currency').press('Enter')
  await showsAmounts(page, '1,000.00 GBP')
  const query = Object.fromEntries(new URL(page.url()).searchParams)
  assert.deepEqual(query, { amount_min: '1,000', amount_max: '2 000.00', currency: 'gbp' })
  await page.reload()
  await showsAmounts(page, '1,000.00 GBP')
  await form.getByLabel('Amount from').fill('1,00')
  await form.getByRole('button', { name: 'Apply' }).click()
  await page.getByText(/three digits after each comma/).waitFor()
  assert.equal(await form.getByLabel('Amount from').getAttribute('aria-invalid'), 'true')
})

test('a heading sorts the rows that are loaded, says so, and the address keeps it', needed, async () => {
  const key = await console.issue()
  await seed(key)
  const visited = await console.visit('/verifications', { key, ...desktop })
  const { page } = visited
  await showsAmounts(page, ...all)
  const heading = page.getByRole('columnheader', { name: 'Amount' })
  assert.equal(await heading.getAttribute('aria-sort'), 'none')
  // Within each currency, since sums of different currencies cannot be compared.
  const ascending = ['1,000.00 GBP', '60,000.00 GBP', '70 JPY', '2,000.00 NGN']
  await heading.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Sorted by amount, ascending: only the 4 rows that are loaded.').waitFor()
  assert.deepEqual(await amounts(page), ascending)
  assert.equal(await heading.getAttribute('aria-sort'), 'ascending')
  await checkPage(visited, 'lists-sorted')
  await page.keyboard.press('Enter')
  await page.getByText('Sorted by amount, descending').waitFor()
  assert.deepEqual(await amounts(page), ascending.toReversed())
  assert.equal(new URL(page.url()).search, '?sort=-amount')
  await page.reload()
  await showsAmounts(page, ...ascending.toReversed())
  await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click()
  await page.getByText('Newest first.').waitFor()
  await showsAmounts(page, ...all)
  const narrow = await console.visit('/verifications?sort=amount', { key, ...phone })
  await showsAmounts(narrow.page, ...ascending)
  await narrow.page.getByLabel('Sort by').selectOption('-amount')
  await showsAmounts(narrow.page, ...ascending.toReversed())
  await checkPage(narrow, 'lists-sorted-390-dark')
})

test('a row has one line, opens wherever it is clicked, and its text can be selected', needed, async () => {
  const key = await console.issue()
  const ids = await seed(key)
  const newest = ids.at(-1) ?? ''
  const visited = await console.visit('/verifications', { key, ...desktop })
  const { page } = visited
  await showsAmounts(page, ...all)
  const rows = page.locator('.decisions tbody tr')
  for (const row of await rows.all()) assert.ok(((await row.boundingBox())?.height ?? 99) <= 44)
  await checkPage(visited, 'lists')
  // Copying stays on the page.
  await rows
    .first()
    .getByRole('button', { name: `Copy ${newest}` })
    .click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), newest)
  await rows.first().locator('.list-reason').click()
  await page.waitForURL(`**/verifications/${newest}`)
  await page.goBack()
  await showsAmounts(page, ...all)
  // A selection that is drawn over the row opens nothing.
  const box = (await rows.first().locator('.list-reason .clip').boundingBox()) ?? assert.fail()
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + box.height / 2)
  await page.mouse.up()
  assert.notEqual(await page.evaluate('String(getSelection())'), '')
  assert.equal(new URL(page.url()).pathname, '/verifications')
  await page.evaluate('getSelection().removeAllRanges()')
  const opened = page.context().waitForEvent('page')
  await rows.first().locator('.list-reason').click({ button: 'middle' })
  assert.equal(new URL((await opened).url()).pathname, `/verifications/${newest}`)
  assert.equal(new URL(page.url()).pathname, '/verifications')
  await rows.first().locator('a[data-row]').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/verifications/${newest}`)
})

test('on a phone a row has two lines, and its whole width opens it', needed, async () => {
  const key = await console.issue()
  const ids = await seed(key)
  const visited = await console.visit('/verifications', { key, ...phone })
  const { page } = visited
  await showsAmounts(page, ...all)
  const row = page.locator('.decisions tbody tr').first()
  assert.ok(((await row.boundingBox())?.height ?? 99) <= 72)
  await checkPage(visited, 'lists-390-dark')
  await row.locator('.list-age').click()
  await page.waitForURL(`**/verifications/${ids.at(-1)}`)
})

test('a view is saved in this browser, found again after a reload, and deleted', needed, async () => {
  const key = await console.issue()
  await seed(key)
  const visited = await console.visit('/verifications', { key, ...desktop })
  const { page } = visited
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Overridden' }).click()
  await showsAmounts(page, '60,000.00 GBP')
  assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0, 'it is a view already')
  await page.goto(`${console.url}/verifications?reason=POLICY_CAP_APPLIED&sort=amount`)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name of the view').fill('Above the cap')
  await checkPage(visited, 'lists-save-view')
  await page.keyboard.press('Enter')
  await page.goto(`${console.url}/verifications`)
  await showsAmounts(page, ...all)
  await views.getByRole('link', { name: 'Above the cap' }).click()
  await showsAmounts(page, '60,000.00 GBP')
  await page.getByRole('button', { name: 'Delete view' }).click()
  assert.equal(await views.getByRole('link', { name: 'Above the cap' }).count(), 0)
})

test('a search that found nothing yet goes on where it stopped', needed, async () => {
  const key = await console.issue()
  await seed(key)
  const visited = await console.visit('/verifications', { key, ...desktop })
  const { page } = visited
  await showsAmounts(page, ...all)
  // As a page of a long history: nothing among the records that it looked at, and more of them.
  const cursor = /cursor=([^&>]+)/.exec(
    (
      await checkedFetch(`${console.url}/api/verifications?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).headers.get('link') ?? '',
  )?.[1]
  await page.route(
    (url) => url.pathname === '/api/verifications' && !url.searchParams.has('cursor'),
    (route) =>
      route.fulfill({
        json: [],
        headers: { link: `</api/verifications?cursor=${cursor}>; rel="next"` },
      }),
  )
  await page.goto(`${console.url}/verifications?amount_min=1`)
  await page.getByText('No match so far').waitFor()
  await checkPage(visited, 'lists-no-match-so-far')
  await page.getByRole('button', { name: 'Search older' }).click()
  await showsAmounts(page, '2,000.00 NGN', '60,000.00 GBP', '1,000.00 GBP')
})
