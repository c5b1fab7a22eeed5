/** The history in the console: filters in the address, pages there and back, the CSV, and every state. */

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const narrow = { width: 360, scheme: 'dark' } as const
const html = '<img src=x onerror=alert(1)><script>alert(2)</script>'

interface Item {
  readonly request_id: string
  readonly recorded_at: string
}

/** One of each verdict, with references of their own; newest last. */
async function seed(url: string, key: string): Promise<Item[]> {
  const payments = [
    { corridor: 'GB-NG', amount: 1000, currency: 'GBP', correlation_id: 'order-1' },
    { corridor: 'GB-NG', amount: 60_000, currency: 'GBP', correlation_id: html },
    { corridor: 'NG-GB', amount: 1000.08, currency: 'GBP', correlation_id: 'order-3' },
    { corridor: 'GB-KE' },
  ]
  for (const payment of payments) assert.equal((await ask(url, key, payment)).status, 200)
  return listed(url, key)
}

async function listed(url: string, key: string, query = ''): Promise<Item[]> {
  return (await asked(url, key, `?limit=500${query}`)).json() as Promise<Item[]>
}

const asked = (url: string, key: string, query: string): Promise<Response> =>
  checkedFetch(`${url}/api/verifications${query}`, { headers: { authorization: `Bearer ${key}` } })

/** Waits until the table shows just these, in this order. */
async function shows(page: Page, items: readonly Item[]): Promise<void> {
  const ids = items.map(({ request_id }) => request_id)
  const rowOf = (id: string | undefined, place: string): string => `:has(> tr${place} a[href$="${id}"])`
  const first = rowOf(ids[0], ':first-child')
  const last = rowOf(ids.at(-1), `:last-child:nth-child(${ids.length})`)
  await page.locator(`.decisions[aria-busy="false"] tbody${first}${last}`).waitFor()
  const shown = await page.locator('.decisions .list-id .sr-only:not([aria-live])').allTextContents()
  assert.deepEqual(shown, ids)
}

/** The filters beyond the decision are behind a button. */
async function openFilters(page: Page) {
  const form = page.getByRole('form', { name: 'Filters' })
  const more = form.getByRole('button', { name: 'More filters' })
  if ((await more.count()) > 0) await more.click()
  return form
}

const queryOf = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams)

const needed = { skip: chromiumNeeded.skip }

test(
  'each filter is in the address; a copied address, a reload and the way back show the same',
  needed,
  async () => {
    const key = await console.issue()
    const [kenya, nogo, capped, go] = (await seed(console.url, key)) as [Item, Item, Item, Item]
    const visited = await console.visit('/verifications', { key })
    const { page } = visited
    await shows(page, [kenya, nogo, capped, go])
    await checkPage(visited, 'verifications')
    const form = await openFilters(page)
    await form.getByRole('button', { name: 'DEGRADED' }).click()
    await shows(page, [kenya, capped])
    assert.deepEqual(queryOf(page), { decision: 'DEGRADED' })
    await form.getByLabel('Corridor').fill('gb-ng')
    await form.getByLabel('Corridor').press('Enter')
    await shows(page, [capped])
    assert.deepEqual(queryOf(page), { decision: 'DEGRADED', corridor: 'gb-ng' })
    await page.reload()
    await shows(page, [capped])
    assert.equal(await form.getByLabel('Corridor').inputValue(), 'gb-ng')
    const copied = await console.visit(page.url().slice(console.url.length), { key, ...narrow })
    await shows(copied.page, [capped])
    await checkPage(copied, 'verifications-filtered-360-dark')
    await page.goBack()
    await shows(page, [kenya, capped])
    assert.equal(await form.getByLabel('Corridor').inputValue(), '')
    await page.goBack()
    await shows(page, [kenya, nogo, capped, go])
    await form.getByLabel('Correlation id').fill(html)
    await form.getByRole('button', { name: 'Apply' }).click()
    await shows(page, [capped])
    await form.getByRole('button', { name: 'Clear filters' }).click()
    await shows(page, [kenya, nogo, capped, go])
    assert.deepEqual(queryOf(page), {})
    assert.deepEqual(visited.faults, [])
  },
)

test(
  'an age has the reader’s own time and UTC on hover, and times are asked for in UTC',
  needed,
  async () => {
    const key = await console.issue()
    await seed(console.url, key)
    const { page } = await console.visit('/verifications', { key })
    // Lagos is an hour ahead of UTC, all the year round.
    const time = page.locator('.decisions time').first()
    const at = (await time.getAttribute('datetime')) ?? ''
    const local = new Date(Date.parse(at) + 3_600_000).toISOString()
    const title = (await time.getAttribute('title')) ?? ''
    assert.ok(
      title.includes(`, ${local.slice(11, 19)} (${at.replace('T', ' ').replace('Z', '')} UTC)`),
      title,
    )
    assert.match((await time.textContent()) ?? '', /^(?:< 1|\d+) (?:s|min)$/)
    await openFilters(page)
    await page.getByLabel('To (local time)').fill('2026-01-31T13:30')
    await page.getByLabel('From (local time)').fill('2026-01-01T01:00')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('No matching decisions').waitFor()
    assert.deepEqual(queryOf(page), { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T12:30:00.000Z' })
    assert.equal(await page.getByLabel('To (local time)').inputValue(), '2026-01-31T13:30')
    await page.getByLabel('To (local time)').fill('2025-01-01T00:00')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('This must not be after to.').waitFor()
  },
)

test('a history of several pages is walked to its end and back', needed, async () => {
  const key = await console.issue()
  for (let place = 0; place < 58; place += 1) {
    await ask(console.url, key, { corridor: 'GB-NG', amount: 1000 + place, currency: 'GBP' })
  }
  const all = await listed(console.url, key)
  const pages = [all.slice(0, 25), all.slice(25, 50), all.slice(50)] as const
  const visited = await console.visit('/verifications', { key })
  const { page } = visited
  const next = page.getByRole('button', { name: 'Next' })
  const previous = page.getByRole('button', { name: 'Previous' })
  await shows(page, pages[0])
  assert.ok(await previous.isDisabled())
  await next.click()
  await shows(page, pages[1])
  await page.reload()
  await next.click()
  await shows(page, pages[2])
  assert.ok(await next.isDisabled())
  const copied = await console.visit(page.url().slice(console.url.length), { key })
  await shows(copied.page, pages[2])
  await copied.page.getByRole('button', { name: 'First page' }).click()
  await shows(copied.page, pages[0])
  await previous.click()
  await shows(page, pages[1])
  await previous.click()
  await shows(page, pages[0])
  await page.goBack()
  await shows(page, pages[1])
  await page.getByLabel('Rows per page').selectOption('100')
  await shows(page, all)
  assert.deepEqual(queryOf(page), { limit: '100' })
  assert.deepEqual(visited.faults, [])
})

test('the CSV holds what is filtered, and text that looks like a page stays text', needed, async () => {
  const key = await console.issue()
  await seed(console.url, key)
  const visited = await console.visit('/verifications?decision=DEGRADED', { key })
  const { page } = visited
  page.on('dialog', () => visited.faults.push('a script of a record ran'))
  await page.getByTitle(html).waitFor({ state: 'attached' })
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await started
  assert.match(download.suggestedFilename(), /^verifications-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv$/)
  const text = await readFile(await download.path(), 'utf8')
  assert.equal(text, await (await asked(console.url, key, '?decision=DEGRADED&format=csv')).text())
  assert.ok(text.includes(html))
  await page.getByText('2 rows saved').waitFor()
  assert.equal(await page.locator('img[src="x"]').count(), 0)
  // A network that keeps everybody waiting.
  await page.route(/format=csv/, () => {})
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await page.getByText('0 rows…').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('0 rows…').waitFor({ state: 'detached' })
  await checkPage(visited, 'verifications-csv')
})

test('what is decided meanwhile is offered, and moves no row until it is wanted', needed, async () => {
  const key = await console.issue()
  const earlier = await seed(console.url, key)
  const { page } = await console.visit('/verifications', { key, hasClock: true })
  await shows(page, earlier)
  for (const amount of [1, 2]) await ask(console.url, key, { corridor: 'GB-NG', amount })
  const all = await listed(console.url, key)
  await page.clock.fastForward(11_000)
  const offer = page.getByRole('button', { name: 'Show 2 new' })
  await offer.waitFor()
  await shows(page, earlier)
  await offer.click()
  await shows(page, all)
  await offer.waitFor({ state: 'detached' })
})

test(
  'without records, without a match, and with a filter that is none, the page says what to do',
  needed,
  async () => {
    const key = await console.issue()
    for (const view of [{}, narrow]) {
      const name = (state: string): string => `verifications-${state}${'width' in view ? '-360-dark' : ''}`
      const empty = await console.visit('/verifications', { key, ...view })
      await empty.page.getByText('No verifications yet').waitFor()
      await checkPage(empty, name('empty'))
      const refused = await console.visit('/verifications?corridor=GB', { key, ...view })
      await refused.page.getByText(/^This must name two countries/).waitFor()
      assert.equal(await refused.page.getByLabel('Corridor').getAttribute('aria-invalid'), 'true')
      await checkPage(refused, name('refused'))
      const { page } = refused
      await page.getByLabel('Corridor').fill('GB-NG')
      await page.getByLabel('Corridor').press('Enter')
      await page.getByText('No matching decisions').waitFor()
      await checkPage(refused, name('no-match'))
      await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
      await page.getByRole('link', { name: 'Try a verification' }).click()
      await page.waitForURL(`${console.url}/`)
    }
  },
)

test('a place in the list that leads nowhere leads back to the first page', needed, async () => {
  const [mine, theirs] = await Promise.all([console.issue(), console.issue()])
  const items = await seed(console.url, mine)
  const strange = (await asked(console.url, mine, '?limit=1')).headers.get('link') ?? ''
  const cursor = /cursor=([^&>]+)/.exec(strange)?.[1] ?? ''
  const lost = await console.visit(`/verifications?cursor=${cursor}`, { key: theirs })
  await lost.page.getByText('No more decisions').waitFor()
  await lost.page.getByRole('form', { name: 'Filters' }).waitFor()
  await checkPage(lost, 'verifications-nothing-further')
  await lost.page.getByRole('button', { name: 'First page' }).click()
  await lost.page.getByText('No verifications yet').waitFor()
  for (const limit of ['9999', 'abc', '0']) {
    const { page } = await console.visit(`/verifications?limit=${limit}`, { key: mine })
    await shows(page, items)
  }
  const refused = await console.visit('/verifications?cursor=abc&limit=50', { key: mine })
  const { page } = refused
  await page.getByText('Page not found').waitFor()
  await checkPage(refused, 'verifications-no-such-page')
  await page.getByRole('button', { name: 'First page' }).click()
  await shows(page, items)
  await page.goto(`${console.url}/verifications?decision=GO&cursor=abc&limit=50`)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await shows(page, items)
  assert.deepEqual(queryOf(page), {})
})

test(
  'whoever signs in next begins at the first page, and sees nothing of the one before',
  needed,
  async () => {
    const mine = await console.issue()
    await seed(console.url, mine)
    const { page } = await console.visit('/verifications?limit=1', { key: mine })
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/cursor=/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(await console.issue())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('No verifications yet').waitFor()
    assert.deepEqual(queryOf(page), { limit: '1' })
  },
)

test('an amount of any length leaves the other columns in sight', needed, async () => {
  const key = await console.issue()
  const payment = { corridor: 'GB-NG', amount: 1e15, currency: 'GBP' }
  assert.equal((await ask(console.url, key, payment)).status, 200)
  const visited = await console.visit('/verifications?decision=GOOD', { key })
  const { page } = visited
  await page.locator('.field-error svg').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  const row = page.locator('.decisions tbody tr')
  await row.getByText('000.00').waitFor()
  assert.ok(((await row.boundingBox())?.height ?? 99) <= 44)
  const hidden = await page.evaluate(
    `[document.querySelector('.decisions')].map((one) => one.scrollWidth - one.clientWidth)[0]`,
  )
  assert.equal(hidden, 0)
  await checkPage(visited, 'verifications-long-amount')
})

test('a server that does not answer is asked less and less often', needed, async () => {
  const { page } = await console.visit('/', { key: await console.issue(), hasClock: true })
  let tries = 0
  await page.route('**/api/verifications?*', async (route) => {
    tries += 1
    await route.abort('connectionrefused')
  })
  await page.goto(`${console.url}/verifications`)
  await page.getByText('Fairway is not responding').waitFor()
  for (let second = 0; second < 60; second += 1) await page.clock.runFor(1_000)
  assert.ok(tries > 2 && tries < 8, `${tries} tries in a minute`)
})

test('when the server is gone, the page says so and shows no rows of another question', needed, () =>
  withConsole({}, async (own) => {
    const key = await own.issue()
    const items = await seed(own.url, key)
    const visits = await Promise.all(
      [{}, narrow].map((view) => own.visit('/verifications', { key, ...view })),
    )
    for (const { page } of visits) await shows(page, items)
    await own.server.stop()
    for (const [place, visited] of visits.entries()) {
      await visited.page.getByRole('button', { name: 'NO-GO' }).click()
      await visited.page.getByText('Fairway is not responding').waitFor()
      assert.equal(await visited.page.locator('.decisions').count(), 0)
      await checkPage(visited, `verifications-down${place === 0 ? '' : '-360-dark'}`)
    }
  }),
)
