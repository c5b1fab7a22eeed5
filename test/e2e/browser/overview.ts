/** The overview: its figures are the summary's, its address says all of it, and it keeps itself up to date. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Holds, ReviewSummary, VerificationsSummary } from '../../../client/src/types.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type Console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

/** The page asks again every ten seconds. */
const refreshMs = 11_000

const narrow = { width: 360, scheme: 'dark' as const }

/** Two GO, three DEGRADED and, by a cooldown, two NO-GO, on three corridors. */
async function seed(url: string, key: string): Promise<void> {
  const payments = [
    { corridor: 'GB-NG', amount: 1_000 },
    { corridor: 'GB-NG', amount: 1_000.04 },
    { corridor: 'GB-NG', amount: 1_000.01 },
    { corridor: 'US-MX', amount: 250 },
    { corridor: 'US-MX', amount: 300 },
    { corridor: 'NG-GB', amount: 1_000.08 },
    { corridor: 'NG-GB', amount: 1_000 },
  ]
  for (const payment of payments)
    assert.equal((await ask(url, key, { ...payment, currency: 'GBP' })).status, 200)
}

async function read<Answer>(url: string, key: string, path: string): Promise<Answer> {
  const answer = await checkedFetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Answer
}

/** Held: two providers cannot be reached, or, with a live key, no feed is set up. */
async function hold(url: string, key: string): Promise<void> {
  assert.equal((await ask(url, key, { corridor: 'GB-NG', amount: 1_000.09, currency: 'GBP' })).status, 503)
}

const tile = (page: Page, name: string) =>
  page
    .locator('.tile')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('.tile-value')

const note = (page: Page, name: string) =>
  page
    .locator('.tile')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('.tile-note')

const shows = (page: Page, name: string, value: RegExp) =>
  tile(page, name)
    .and(page.locator('.tile-value', { hasText: value }))
    .waitFor()

const decided = (page: Page, count: number) => shows(page, 'Decisions', new RegExp(`^${count}$`))

/** The drawings are there, not their shapes. */
const drawn = (page: Page) => page.locator('.recharts-bar-rectangle').first().waitFor()

const searchOf = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams)

let key: string

describe('the overview', { skip: chromiumNeeded.skip }, () => {
  before(async () => {
    key = await console.issue()
    await seed(console.url, key)
  })

  test('its tiles, shares, reasons and corridors are those of the summary', showsTheSummary)
  test('every figure can be read as a table, and leads to its records', leadsToRecords)
  test('time and corridor live in the address, and a reload keeps them', livesInTheAddress)
  test('what the server refuses of a custom time or a corridor stands beside its field', tellsRefusals)
  test(
    'each bar is a whole hour or a whole day, and each drawing says what it is scaled to',
    countsWholeSteps,
  )
  test('a custom time that nobody edited stays as the address has it', keepsUneditedTimes)
  test('an address that makes no sense is told in plain words, with a way on', recoversFromNonsense)
  test('with a mode chosen no figure leads to records of other modes', linksNoOtherMode)
  test(
    'without decisions it says what to do, and without the scope it says which is missing',
    tellsWhatIsMissing,
  )
  test('a new decision appears by itself, and what is shown outlives the server', () =>
    withConsole({}, keepsUpToDate))
})

describe('what waits, on the overview', { skip: chromiumNeeded.skip }, () => {
  test('is counted as the API counts it, in the mode of the page, and leads to the desk', countsWhatWaits)
  test('stands out once it is overdue, with the oldest', () =>
    withConsole({ FAIRWAY_REVIEW_DUE_S: '1', FAIRWAY_REVIEW_EXPIRES_S: '86400' }, standsOutOverdue))
  test('a request that was held is listed by its reason; without one the page says so', listsHolds)
  test('is left out without an error for a caller who may not read reviews', leavesOutReviews)
  test('that cannot be read is told once, beside the figures that can', tellsWhatFails)
})

async function showsTheSummary(): Promise<void> {
  const { total, decisions, cooldown_hits, average_score } = await read<VerificationsSummary>(
    console.url,
    key,
    'verifications/summary',
  )
  assert.deepEqual([total, decisions.GO, decisions['NO-GO'], cooldown_hits], [7, 2, 2, 1])
  const visited = await console.visit('/overview', { key })
  const { page } = visited
  await drawn(page)
  assert.equal(await tile(page, 'Decisions').textContent(), '7')
  assert.equal(await tile(page, 'GO rate').textContent(), '28.6%')
  assert.equal(await tile(page, 'Average score').textContent(), average_score?.toFixed(2))
  assert.match((await tile(page, 'p95 latency').textContent()) ?? '', /\d (?:µs|ms|s)$/)
  assert.equal(await tile(page, 'Cooldown hits').textContent(), '1')
  await page.getByText(/Updated at \d\d:\d\d:\d\d/).waitFor()
  const reasons = page.getByRole('list', { name: 'Top reasons' }).getByRole('listitem')
  assert.match((await reasons.filter({ hasText: 'Corridor unsupported' }).textContent()) ?? '', /2 28.6%$/)
  const rows = page.getByRole('table', { name: 'Corridors' }).getByRole('row')
  assert.match((await rows.nth(1).textContent()) ?? '', /^GB-NG366.7% \(2\)33.3% \(1\)0\.0% \(0\)/)
  await checkPage(visited, 'overview')
}

async function leadsToRecords(): Promise<void> {
  const visited = await console.visit('/overview', { key, ...narrow })
  const { page } = visited
  await drawn(page)
  for (const title of ['Decisions over time', 'Scores', 'Latency']) {
    const figure = page.getByRole('figure', { name: title })
    await figure.getByText('Data table').click()
    await figure.getByRole('table').waitFor()
  }
  await checkPage(visited, 'overview-360-dark')
  const times = page.getByRole('figure', { name: 'Decisions over time' })
  // Those of one hour, or of the first of two where the next has just begun.
  await times.locator('a[href*="decision=DEGRADED"]').first().click()
  await page.waitForURL(/\/verifications\?/)
  const { from = '', to = '', ...rest } = searchOf(page)
  assert.deepEqual(rest, { decision: 'DEGRADED' })
  assert.equal(Date.parse(to) - Date.parse(from), 3_600_000)
  await page.goBack()
  const corridors = page.getByRole('table', { name: 'Corridors' })
  assert.equal(await corridors.getByRole('link', { name: 'US-MX' }).getAttribute('href'), '/corridors/US-MX')
  const records = await corridors.getByTitle('Verifications for US-MX').getAttribute('href')
  assert.match(records ?? '', /^\/verifications\?corridor=US-MX&from=.+&to=.+$/)
}

async function livesInTheAddress(): Promise<void> {
  const { page } = await console.visit('/overview', { key })
  await page.getByRole('button', { name: '7 d' }).click()
  await page.getByText('Daily, up to now').waitFor()
  await page.getByLabel('Corridor', { exact: true }).fill('US-MX')
  await page.keyboard.press('Enter')
  await decided(page, 2)
  assert.deepEqual(searchOf(page), { range: '7d', corridor: 'US-MX' })
  await page.reload()
  await decided(page, 2)
  assert.equal(await page.getByRole('button', { name: '7 d' }).getAttribute('aria-pressed'), 'true')
  assert.equal(await page.getByLabel('Corridor', { exact: true }).inputValue(), 'US-MX')
  await page.getByLabel('Mode').selectOption('live')
  await page.getByText('No verifications match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await decided(page, 7)
  assert.deepEqual(searchOf(page), { range: '7d' })
}

async function tellsRefusals(): Promise<void> {
  const visited = await console.visit('/overview', { key })
  const { page } = visited
  await page.getByRole('button', { name: 'Custom' }).click()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('From must be before To. An empty To means now.').waitFor()
  assert.equal(await page.getByLabel('From', { exact: true }).getAttribute('aria-invalid'), 'true')
  assert.equal(await page.locator('.overview .tile').count(), 0)
  await checkPage(visited, 'overview-refused')
  // Lagos is an hour ahead of UTC: the field is local, the address is not.
  assert.equal(searchOf(page)['to'], '2019-12-31T23:00:00.000Z')
  await page.getByLabel('To', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Apply' }).click()
  await decided(page, 7)
  await page.getByLabel('Corridor', { exact: true }).fill('nowhere')
  await page.keyboard.press('Enter')
  await page.getByText(/This must name two countries/).waitFor()
  assert.equal(await page.getByLabel('Corridor', { exact: true }).getAttribute('aria-invalid'), 'true')
}

async function countsWholeSteps(): Promise<void> {
  const { page } = await console.visit('/overview', { key })
  await drawn(page)
  const steps = page.getByRole('figure', { name: 'Decisions over time' }).locator('tbody tr')
  assert.equal(await steps.count(), 24)
  const scores = page.getByRole('figure', { name: 'Scores' }).locator('.figure-picture')
  await scores.getByText('1.00', { exact: true }).waitFor()
  await scores.getByText('0.00', { exact: true }).waitFor()
  assert.equal(await scores.getByText('0.96', { exact: true }).count(), 0)
  const bar = page.getByRole('list', { name: 'Top reasons' }).locator('li').filter({ hasText: '28.6%' })
  const width = await bar.first().locator('.bar > span').getAttribute('style')
  assert.match(width ?? '', /width: 28\.5\d+%/)
  for (const days of [7, 30, 90]) {
    await page.getByRole('button', { name: `${days} d`, exact: true }).click()
    await page
      .locator(`figure tbody:has(> tr:nth-child(${days}):last-child)`)
      .first()
      .waitFor({ state: 'attached' })
  }
}

async function keepsUneditedTimes(): Promise<void> {
  const from = '2026-01-01T10:20:30.456Z'
  const { page } = await console.visit(`/overview?range=custom&from=${from}`, { key })
  await page.getByLabel('To', { exact: true }).fill('2026-02-01T00:00')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/to=/)
  assert.deepEqual(searchOf(page), { range: 'custom', from, to: '2026-01-31T23:00:00.000Z' })
}

async function recoversFromNonsense(): Promise<void> {
  const visited = await console.visit('/overview?from=blah&to=2026-99-99', { key, ...narrow })
  const { page } = visited
  await page.getByText('Enter a valid date and time.').nth(1).waitFor()
  await checkPage(visited, 'overview-nonsense-360-dark')
  await page.getByRole('button', { name: 'Show last 24 hours' }).click()
  await decided(page, 7)
  assert.deepEqual(searchOf(page), {})
}

async function linksNoOtherMode(): Promise<void> {
  const { page } = await console.visit('/overview?mode=shadow', { key })
  await drawn(page)
  await page.getByText('The list of verifications has no mode filter').waitFor()
  await page.getByRole('table', { name: 'Corridors' }).waitFor()
  assert.equal(await page.locator('.overview a[href^="/verifications"]').count(), 0)
  await page.getByLabel('Mode').selectOption('')
  await page.getByTitle('Verifications for US-MX').waitFor()
}

async function tellsWhatIsMissing(): Promise<void> {
  const visited = await console.visit('/overview', { key: await console.issue(), ...narrow })
  await visited.page.getByRole('heading', { name: 'First steps' }).waitFor()
  assert.equal(await visited.page.getByRole('link', { name: 'Make a decision' }).getAttribute('href'), '/')
  await checkPage(visited, 'overview-empty-360-dark')
  const denied = await console.visit('/overview', { key: await console.issue({ scopes: ['audit:read'] }) })
  await denied.page.getByText('This key may not see your decisions').waitFor()
  await denied.page.getByText('It lacks the scope decision:read.').waitFor()
  assert.equal(await denied.page.getByRole('alert').count(), 0)
  await checkPage(denied, 'overview-denied')
}

async function countsWhatWaits(): Promise<void> {
  const own = await console.issue()
  await seed(console.url, own)
  assert.equal(
    (await ask(console.url, own, { corridor: 'US-MX', amount: 99.5, currency: 'USD' })).status,
    200,
  )
  const waiting = await read<ReviewSummary>(console.url, own, 'reviews/summary')
  assert.partialDeepStrictEqual(waiting, { waiting: 6, unclaimed: 6, overdue: 0 })
  const visited = await console.visit('/overview?mode=shadow', { key: own })
  const { page } = visited
  await shows(page, 'Needs review', /^6$/)
  const needsReview = tile(page, 'Needs review').getByRole('link')
  assert.equal(await needsReview.getAttribute('href'), '/reviews?mode=shadow')
  const unclaimed = note(page, 'Needs review').getByRole('link', { name: '6 unclaimed' })
  assert.equal(await unclaimed.getAttribute('href'), '/reviews?mode=shadow&claimed_by=nobody')
  assert.equal(await tile(page, 'Overdue').textContent(), '0')
  await note(page, 'Overdue')
    .getByText(/^next due in \d+ minutes$/)
    .waitFor()
  assert.equal(await tile(page, 'Held now').textContent(), '0')
  const money = tile(page, 'Money waiting').getByRole('listitem')
  assert.deepEqual(await money.allTextContents(), ['3,550.13 GBP 5 reviews', '99.50 USD 1 review'])
  await drawn(page)
  await checkPage(visited, 'overview-waiting')
  await page.getByLabel('Mode').selectOption('live')
  await shows(page, 'Needs review', /^0$/)
  await shows(page, 'Money waiting', /^None$/)
  await needsReview.waitFor({ state: 'detached' })
}

async function standsOutOverdue(own: Console): Promise<void> {
  const ownKey = await own.issue()
  assert.equal((await ask(own.url, ownKey, { corridor: 'US-MX', amount: 10 })).status, 200)
  while ((await read<ReviewSummary>(own.url, ownKey, 'reviews/summary')).overdue === 0);
  const visited = await own.visit('/overview', { key: ownKey, ...narrow })
  const { page } = visited
  await shows(page, 'Overdue', /^1$/)
  await note(page, 'Overdue')
    .getByText(/^oldest due /)
    .waitFor()
  const overdue = tile(page, 'Overdue').locator('.overview-alert').getByRole('link', { name: '1' })
  assert.equal(await overdue.getAttribute('href'), '/reviews?overdue=true')
  await drawn(page)
  await checkPage(visited, 'overview-overdue-360-dark')
}

async function listsHolds(): Promise<void> {
  const own = await console.issue()
  await seed(console.url, own)
  const empty = await console.visit('/overview', { key: own })
  await empty.page.getByText('No request was held in the last 24 hours').waitFor()
  await hold(console.url, own)
  await hold(console.url, own)
  const { requests, held_now } = await read<Holds>(console.url, own, 'holds')
  assert.deepEqual([requests, held_now], [2, 2])
  for (const view of [{}, narrow]) {
    const visited = await console.visit('/overview?range=7d', { key: own, ...view })
    const { page } = visited
    await shows(page, 'Held now', /^2$/)
    await tile(page, 'Held now').getByRole('link', { name: '2' }).click()
    assert.equal(new URL(page.url()).hash, '#holds')
    await page.getByText('2 requests in the last 7 days got no decision').waitFor()
    const row = page.getByRole('table', { name: 'Holds' }).getByRole('row').nth(1)
    const text = (await row.textContent()) ?? ''
    assert.match(text, /^GB-NGshadowSignals could not be readFX volatility, Settlement network2/)
    assert.match(text, /Held now$/)
    await drawn(page)
    await checkPage(visited, `overview-holds${'width' in view ? '-360-dark' : ''}`)
  }
  const live = await console.issue({ mode: 'live' })
  await hold(console.url, live)
  const { page } = await console.visit('/overview', { key: live })
  const row = page.getByRole('table', { name: 'Holds' }).getByRole('row').nth(1)
  await row.getByText('All seven signals').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Show feeds' }).getAttribute('href'), '/status#feeds')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
}

async function leavesOutReviews(): Promise<void> {
  const own = await console.issue({ scopes: ['decision:read'] })
  await seed(console.url, own)
  const visited = await console.visit('/overview', { key: own })
  const { page } = visited
  await shows(page, 'Held now', /^0$/)
  await decided(page, 7)
  await drawn(page)
  for (const name of ['Needs review', 'Overdue', 'Money waiting'])
    assert.equal(await page.getByText(name, { exact: true }).count(), 0)
  assert.equal(await page.getByRole('alert').count(), 0)
  await checkPage(visited, 'overview-without-reviews')
}

async function tellsWhatFails(): Promise<void> {
  const visited = await console.visit('/overview', { key })
  const { page } = visited
  await shows(page, 'Needs review', /^5$/)
  await page.route('**/api/v1/reviews/summary*', (route) => route.abort('connectionreset'))
  await page.reload()
  await page.getByText('Fairway is not responding').waitFor()
  await decided(page, 7)
  await shows(page, 'Held now', /^0$/)
  assert.equal(await page.getByText('Needs review', { exact: true }).count(), 0)
  await page.unroute('**/api/v1/reviews/summary*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await shows(page, 'Needs review', /^5$/)
  await page.getByText('Fairway is not responding').waitFor({ state: 'detached' })
}

async function keepsUpToDate(own: Console): Promise<void> {
  const ownKey = await own.issue()
  await seed(own.url, ownKey)
  const visited = await own.visit('/overview', { key: ownKey, hasClock: true })
  const { page } = visited
  await decided(page, 7)
  await ask(own.url, ownKey, { corridor: 'GB-NG', amount: 2_000, currency: 'GBP' })
  await hold(own.url, ownKey)
  await page.clock.fastForward(refreshMs)
  await decided(page, 8)
  await shows(page, 'Held now', /^1$/)
  await shows(page, 'Needs review', /^5$/)
  await drawn(page)
  await own.server.stop()
  await page.getByRole('button', { name: '30 d' }).click()
  await page.getByText('Fairway is not responding').waitFor()
  assert.equal(await tile(page, 'Decisions').textContent(), '8')
  await checkPage(visited, 'overview-down')
}
