/** Calibration in the console: the curve and its table, the lift of signals, and a suggestion that is backtested in one step. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { ask, issueByCli } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const narrow = { width: 390, height: 844, scheme: 'dark' } as const

interface Calibration {
  readonly from: string
  readonly to: string
  readonly suggestion: object | null
  readonly suggestion_reason: string
}

async function send(key: string, path: string, body?: object): Promise<unknown> {
  const answer = await checkedFetch(console.url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return answer.json()
}

async function decide(key: string, amount: number, corridor = 'GB-NG'): Promise<string> {
  const answer = await ask(console.url, key, { corridor, amount, currency: 'GBP' })
  return ((await answer.json()) as { request_id: string }).request_id
}

/** So many payments of an amount, the first of them failed. */
async function pay(key: string, amount: number, count: number, failures: number): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, () => decide(key, amount)))
  const outcomes = ids.map((id, place) => ({
    request_id: id,
    outcome: place < failures ? 'FAILED' : 'COMPLETED',
  }))
  await send(key, '/api/v1/outcomes', { outcomes })
}

/**
 * Healthy payments at 0.96, of which few fail; invalid operations at 0.86, of which most do; a few payments at 0.78; and one
 * that was stopped.
 */
async function payAll(key: string): Promise<void> {
  await pay(key, 1_000, 40, 1)
  await pay(key, 1_000.05, 30, 21)
  await pay(key, 1_000.02, 5, 1)
  await decide(key, 1_000.08, 'NG-GB')
}

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const figure = (page: Page, name: string): Locator => page.getByRole('figure', { name, exact: true })
const backtestThis = (page: Page): Locator => page.getByRole('button', { name: 'Backtest this' })
const { skip } = chromiumNeeded

describe('calibration', { skip }, () => {
  test('shows the curve, its data as a table, the lift of each signal and the failures over time', shows)
  test('without outcomes it says how to report them', isEmpty)
  test('filters are in the address, and a stretch that cannot be is refused at its field', filters)
})

async function shows(): Promise<void> {
  const key = await console.issue()
  await payAll(key)
  const visited = await console.visit('/policies', { key, width: 1440 })
  const { page } = visited
  await page.getByRole('link', { name: 'Calibration' }).click()
  await page.getByRole('heading', { level: 1, name: 'Calibration' }).waitFor()
  await page.getByText(/: 365 whole UTC days\.$/).waitFor()
  const tile = (name: string): Locator => page.locator('.tile').filter({ hasText: name })
  await tile('Decisions').getByText('76', { exact: true }).waitFor()
  await tile('With a final outcome').getByText('75', { exact: true }).waitFor()
  await tile('Failures').getByText('30.7% failed or were rejected').waitFor()
  await tile('Brier score')
    .getByText(/0 is perfect, a coin has 0\.25/)
    .waitFor()
  await tile('Censored').getByText('1', { exact: true }).waitFor()
  await card(page, 'Payments that were not made')
    .getByText(/^1 NO-GO decision has no final outcome/)
    .waitFor()

  await checkCurve(figure(page, 'Reliability'))
  const signals = page.getByRole('table', { name: 'Lift by signal' }).getByRole('row')
  assert.equal(await signals.count(), 8)
  // Sorted by lift: 21 of 30 against 2 of 45.
  assert.match(
    (await signals.nth(1).textContent()) ?? '',
    /^Operation validity70\.0%.*15\.7×Fails more often$/,
  )
  assert.match((await signals.nth(2).textContent()) ?? '', /—.*noneToo few records$/)
  await figure(page, 'Failures over time')
    .getByText(/in days\. Highest: 30\.7%/)
    .waitFor()
  await checkPage(visited, 'calibration-1440')
  const onPhone = await console.visit('/calibration', { key, ...narrow })
  await figure(onPhone.page, 'Reliability').getByText('Data table').click()
  await backtestThis(onPhone.page).waitFor()
  await checkPage(onPhone, 'calibration-390-dark')
}

/** Two bins have a rate, one has too few records, the others none. */
async function checkCurve(curve: Locator): Promise<void> {
  await curve.getByText(/^2 of 10 bins have 20 records or more: .* in 1, more often in 1\.$/).waitFor()
  const inWords = (await curve.getByRole('img').getAttribute('aria-label')) ?? ''
  assert.match(inWords, /Predicted 10% to 20%: 70\.0% of 30 failed, interval 52\.1% to 83\.3%\./)
  assert.match(inWords, /Predicted 20% to 30%: too few records \(5\)\./)
  assert.equal(await curve.locator('.plot-picture .plot-mark').count(), 2, 'a bin of too few has no point')
  assert.equal(await curve.getByText('fewer than 20', { exact: true }).count(), 1)
  await curve.getByText('Data table').press('Enter')
  const rows = curve.getByRole('table', { name: 'Reliability' }).getByRole('row')
  assert.equal(await rows.count(), 11)
  assert.deepEqual(await rows.nth(2).locator('th, td').allTextContents(), [
    '10% to 20%',
    '30',
    '21',
    '70.0%',
    '52.1% to 83.3%',
    'More often than predicted',
  ])
  assert.deepEqual(await rows.nth(3).locator('th, td').allTextContents(), [
    '20% to 30%',
    '5',
    '1',
    '—',
    'too few records',
    'Too few records',
  ])
}

async function isEmpty(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/calibration', { key, ...narrow })
  const { page } = visited
  await page.getByText('No decisions in this stretch').waitFor()
  await decide(key, 1_000)
  await page.reload()
  await page.getByText('No final outcomes yet').waitFor()
  await page.getByRole('region', { name: /POST \/api\/v1\/outcomes/ }).waitFor()
  await page.getByText('fairway outcomes import FILE').waitFor()
  const reference = page.locator('#content').getByRole('link', { name: 'API reference' })
  assert.equal(await reference.getAttribute('href'), '/docs/')
  assert.equal(await page.getByRole('button', { name: 'Clear filters' }).count(), 0)
  await checkPage(visited, 'calibration-empty-390-dark')
}

async function filters(): Promise<void> {
  const key = await console.issue()
  await pay(key, 1_000, 21, 2)
  const visited = await console.visit('/calibration', { key })
  const { page } = visited
  const stretch = page.getByRole('group', { name: 'Stretch' })
  await stretch.getByRole('button', { name: '30 days', exact: true }).click()
  await page.getByText(/: 30 whole UTC days\.$/).waitFor()
  await page.getByLabel('Mode').selectOption('shadow')
  await page.getByLabel('Corridor').fill('GB-NG')
  await page.waitForURL('**/calibration?range=30d&corridor=GB-NG&mode=shadow')
  await page.reload()
  await page.getByText(/: 30 whole UTC days\.$/).waitFor()
  await page.getByText('9.5% failed or were rejected').waitFor()
  await card(page, 'Suggestion').getByText('No change is suggested.').waitFor()
  assert.equal(await backtestThis(page).count(), 0)
  await stretch.getByRole('button', { name: 'Dates' }).click()
  await page.getByLabel('From').fill('2026-02-02')
  await page.getByLabel('To', { exact: true }).fill('2026-02-01')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('From must not be after To. An empty To means today.').waitFor()
  await page.getByText('Invalid stretch').waitFor()
  assert.equal(await page.getByText('Invalid request').count(), 0)
  await checkPage(visited, 'calibration-dates')
  await page.getByLabel('To', { exact: true }).fill('2026-02-02')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText(/2026: 1 whole UTC day\.$/).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('9.5% failed or were rejected').waitFor()
  assert.equal(new URL(page.url()).search, '')
}

describe('a suggestion', { skip }, () => {
  test('is saved as a draft and backtested over the same stretch and mode, in one step', isBacktested)
  test('a backtest that is refused says why in its place, and another try saves no second draft', isRefused)
  test('a key that may not write has no button, and reads what it needs', isReadOnly)
})

async function isBacktested(): Promise<void> {
  const key = await console.issue()
  await payAll(key)
  const query = '?mode=shadow'
  const { suggestion, suggestion_reason: reason } = (await send(
    key,
    `/api/v1/calibration${query}`,
  )) as Calibration
  const visited = await console.visit(`/calibration${query}`, { key })
  const { page } = visited
  const suggested = card(page, 'Suggestion')
  await suggested.getByText(reason, { exact: true }).waitFor()
  await suggested.getByRole('list', { name: 'Rules' }).getByText('"operation_valid" in flagged').waitFor()
  await suggested.getByText('Document as JSON').first().press('Enter')
  const json = await suggested.getByRole('region', { name: 'Document as JSON' }).textContent()
  assert.deepEqual(JSON.parse(json ?? ''), suggestion)
  const started = page.waitForRequest(/\/policies\/pol_\w+\/backtest$/)
  await backtestThis(page).click()
  const { from, to, mode } = (await started).postDataJSON() as Calibration & { mode: string }
  assert.equal(mode, 'shadow')
  assert.equal(Date.parse(to) - Date.parse(from), 365 * 86_400_000)
  await page.waitForURL(/\/policies\/pol_\w+\?report=bkt_\w+$/)
  await page.getByText('Decides nothing.').waitFor()
  // Those of the 30 that it would have held back.
  await page.getByRole('link', { name: '30 stricter from GO to DEGRADED' }).waitFor()
  await page.getByText('Failures avoided').waitFor()
  await checkPage(visited, 'calibration-backtest')
}

/** An answer that says no, as the server words it. */
const refusal = (message: string) => ({
  status: 422,
  json: { code: 'UNPROCESSABLE', message, request_id: 'req_0000000000000000' },
})

async function isRefused(): Promise<void> {
  const key = await console.issue()
  await payAll(key)
  const visited = await console.visit('/calibration', { key, ...narrow })
  const { page } = visited
  const suggested = card(page, 'Suggestion')
  await page.route('**/api/v1/policies', (route) => route.fulfill(refusal('You have too many policies.')))
  await backtestThis(page).click()
  await suggested.getByText('You have too many policies.').waitFor()
  assert.equal(await suggested.getByText('The draft is saved').count(), 0)
  await page.unroute('**/api/v1/policies')
  await page.route('**/backtest', (route) => route.fulfill(refusal('4 backtests have not ended yet.')))
  await backtestThis(page).click()
  await suggested.getByText('4 backtests have not ended yet.').waitFor()
  await suggested.getByText('The draft is saved as').waitFor()
  await checkPage(visited, 'calibration-refused-390-dark')
  await page.unroute('**/backtest')
  await backtestThis(page).click()
  await page.waitForURL(/\/policies\/pol_\w+\?report=bkt_\w+$/)
  const { policies } = (await send(key, '/api/v1/policies')) as { policies: unknown[] }
  assert.equal(policies.length, 1)
}

async function isReadOnly(): Promise<void> {
  const owner = await issueByCli(console.databaseUrl, '--owner', 'Risk desk')
  await payAll(owner.key)
  const more = ['--owner', 'Auditor', '--for-owner', owner.owner_id, '--scopes', 'policy:read']
  const { key } = await issueByCli(console.databaseUrl, ...more)
  const { page } = await console.visit('/calibration', { key })
  await card(page, 'Suggestion').getByText('policy:write').waitFor()
  await backtestThis(page).waitFor({ state: 'detached' })
  const stranger = await console.issue({ scopes: ['decision:read'] })
  const visited = await console.visit('/calibration', { key: stranger })
  await visited.page.getByText('This key may not see the calibration').waitFor()
  await visited.page.getByText('policy:read').waitFor()
  await checkPage(visited, 'calibration-denied')
}

const sample = readFileSync(new URL('../../../examples/payments.csv', import.meta.url), 'utf8')

test('a batch with outcomes has the same curve for its rows, one without has none', { skip }, async () => {
  const key = await console.issue()
  const visited = await console.visit('/batch', { key })
  const { page } = visited
  const assess = async (csv: string): Promise<void> => {
    const file = { name: 'payments.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: /^Assess/ }).click()
    await page.getByRole('heading', { name: 'Execution Uncertainty Score' }).waitFor()
  }
  await assess(sample)
  const curve = figure(page, 'Reliability')
  await curve.getByText(/of 10 bins have 20 records or more: .* Brier score: 0\.\d{3};/).waitFor()
  await curve.getByText('Data table').press('Enter')
  assert.equal(await curve.getByRole('row').count(), 11)
  await checkPage(visited, 'batch-reliability')
  await page.getByRole('button', { name: 'Assess another file' }).click()
  await assess('id,corridor,amount,currency\nA-1,GB-NG,1000,GBP')
  assert.equal(await curve.count(), 0)
})
