/** The queue of the review desk: its rows, views in the address, keys, and acts on several reviews at once. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import {
  actElsewhere,
  amounts,
  byKey,
  bySession,
  decide,
  link,
  narrow,
  pane,
  pathOf,
  row,
  rows,
  selected,
  visitAs,
  wide,
  withDesk,
} from '../../helpers/console-reviews.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { goodProposal } from '../../helpers/reviews.ts'

const { skip } = chromiumNeeded

describe('the queue', { skip }, () => {
  test('has everything that a person decides by, oldest due first, on a wide and a narrow page', lists)
  test('says by words and icons what is overdue and what nobody has claimed', standsOut)
  test('shows more on demand', showsMore)
  test('says so if nothing waits, nothing matches, a filter is wrong or a scope is missing', isEmpty)
})

async function lists(): Promise<void> {
  const key = await console.issue()
  await decide(key, 60_000)
  await decide(key, 1000.08, { corridor: 'NG-GB' })
  await decide(key, 500, { corridor: 'NG-GB' })
  await decide(key, 1000.07)
  await decide(key, 1000)
  const visited = await console.visit('/reviews', { key, ...wide })
  const { page } = visited
  await rows(page).nth(2).waitFor()
  assert.deepEqual(await amounts(page), ['60,000.00 GBP', '1,000.08 GBP', '1,000.07 GBP'])
  for (const [amount, ...texts] of [
    ['60,000', 'GB-NG, shadow', 'DEGRADED', 'Policy cap applied', 'Manual approval', 'due in 59 min'],
    ['1,000.08', 'NG-GB, shadow', 'NO-GO', '+1 repeat', 'High fraud signal', 'Do not send'],
    ['1,000.07', 'GO', 'Payee check override active', 'Confirm the payee', 'Unclaimed', ' old'],
  ] as const) {
    for (const text of texts) await row(page, amount).getByText(text).first().waitFor()
  }
  await checkPage(visited, 'reviews')
  const small = await console.visit('/reviews', { key, ...narrow })
  await rows(small.page).nth(2).waitFor()
  await checkPage(small, 'reviews-390-dark')
}

async function standsOut(): Promise<void> {
  await withConsole({ FAIRWAY_REVIEW_DUE_S: '1' }, async (own) => {
    const key = await own.issue()
    await decide(key, 60_000, { at: own })
    const visited = await own.visit('/reviews', { key, ...wide })
    const { page } = visited
    const overdue = row(page, '60,000').getByText(/^overdue by \d+ s$/)
    await overdue.waitFor()
    await row(page, '60,000').locator('.desk-overdue svg').waitFor()
    await row(page, '60,000').locator('.desk-unclaimed svg').waitFor()
    await page.getByRole('link', { name: 'Overdue 1 review' }).click()
    assert.equal(page.url(), `${own.url}/reviews?overdue=true`)
    await overdue.waitFor()
    await checkPage(visited, 'reviews-overdue')
    await link(page, '60,000').click()
    await pane(page).getByRole('button', { name: 'Claim' }).click()
    await row(page, '60,000').getByText('You', { exact: true }).waitFor()
    assert.equal(await row(page, '60,000').getByText('Unclaimed').count(), 0)
  })
}

async function showsMore(): Promise<void> {
  const key = await console.issue()
  await Promise.all(Array.from({ length: 53 }, () => decide(key, 1000.01)))
  const { page } = await console.visit('/reviews', { key })
  await page.getByText('50 shown').waitFor()
  assert.equal(await rows(page).count(), 50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await rows(page).nth(52).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  assert.equal(
    new Set(
      await rows(page)
        .getByRole('link')
        .evaluateAll((all) => all.map(({ id }) => id)),
    ).size,
    53,
  )
}

async function isEmpty(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/reviews', { key })
  const { page } = visited
  await page.getByText('Nothing waits', { exact: true }).waitFor()
  await checkPage(visited, 'reviews-empty')
  await page.getByLabel('Decision', { exact: true }).selectOption('NO-GO')
  await page.getByText('No matching reviews').waitFor()
  await page.goto(`${console.url}/reviews?status=lost`)
  await page.getByText('Invalid filter').waitFor()
  await page.getByRole('link', { name: 'Show all that wait' }).click()
  await page.getByText('Nothing waits', { exact: true }).waitFor()
  await page.goto(`${console.url}/reviews?review=rev_00000000000000000000000000`)
  await page.getByText('Review not found').waitFor()
  const stranger = await console.visit('/reviews', {
    key: await console.issue({ scopes: ['decision:read'] }),
  })
  await stranger.page.getByText('This key may not see the review desk').waitFor()
  await checkPage(stranger, 'reviews-denied')
  const { page: signedOut } = await console.visit('/reviews')
  await signedOut.getByRole('heading', { name: 'Sign in to see the review desk' }).waitFor()
}

describe('the address', { skip }, () => {
  test('has the view, the filters and the open review, so that a link shows the same', isShared)
  test('can be saved as a view under a name, over a reload, and be deleted', isSaved)
})

async function isShared(): Promise<void> {
  const key = await console.issue()
  const first = await decide(key, 60_000)
  const second = await decide(key, 1000.01)
  await actElsewhere(byKey(key), second, 'claim')
  const { page } = await console.visit('/reviews', { key, ...wide })
  for (const [view, address, shown] of [
    ['Unclaimed 1 review', '?claimed_by=nobody', ['60,000.00 GBP']],
    ['Mine 1 review', '?claimed_by=me', ['1,000.01 GBP']],
    ['To approve 0 reviews', '?status=proposed', []],
    ['Closed', '?status=approved,expired,overridden', []],
    ['Waiting 2 reviews', '', ['60,000.00 GBP', '1,000.01 GBP']],
  ] as const) {
    await page.getByRole('link', { name: view }).click()
    await page.waitForURL(`${console.url}/reviews${address}`)
    await rows(page).nth(shown.length).waitFor({ state: 'detached' })
    if (shown.length > 0)
      await rows(page)
        .nth(shown.length - 1)
        .waitFor()
    assert.deepEqual(await amounts(page), shown)
  }
  await page.getByLabel('Status', { exact: true }).selectOption('open')
  await page.getByLabel('Decision', { exact: true }).selectOption('DEGRADED')
  await page.getByLabel('Corridor', { exact: true }).fill('GB-NG')
  await page.getByLabel('Mode').selectOption('shadow')
  await page.getByLabel('Claimed by').selectOption('nobody')
  await link(page, '60,000').click()
  await pane(page).getByRole('heading', { name: '60,000.00 GBP on GB-NG' }).waitFor()
  const query = 'status=open&corridor=GB-NG&decision=DEGRADED&mode=shadow&claimed_by=nobody'
  assert.equal(pathOf(page), `/reviews?${query}&review=${first}`)
  const shared = await console.visit(pathOf(page), { key, ...wide })
  await pane(shared.page).getByRole('heading', { name: '60,000.00 GBP on GB-NG' }).waitFor()
  await rows(shared.page).first().waitFor()
  assert.deepEqual(await amounts(shared.page), ['60,000.00 GBP'])
  assert.equal(await shared.page.getByLabel('Claimed by').inputValue(), 'nobody')
  await page.goBack()
  await pane(page).waitFor({ state: 'detached' })
  assert.equal(pathOf(page), `/reviews?${query}`)
}

async function isSaved(): Promise<void> {
  const key = await console.issue()
  const { page } = await console.visit('/reviews', { key })
  await page.getByText('Nothing waits', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0, 'it is a view already')
  await page.getByLabel('Decision', { exact: true }).selectOption('NO-GO')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByLabel('Name of the view').fill('Blocked')
  await page.getByLabel('Name of the view').press('Enter')
  const view = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Blocked' })
  assert.equal(await view.getAttribute('href'), '/reviews?decision=NO-GO')
  await page.goto(`${console.url}/reviews`)
  await view.click()
  await page.waitForURL(`${console.url}/reviews?decision=NO-GO`)
  await page.getByRole('button', { name: 'Delete view' }).click()
  await view.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Save view' }).waitFor()
  assert.equal(await view.count(), 0)
}

describe('the keyboard', { skip }, () => {
  test('J and K move the selection, Enter opens it, C claims it, Escape closes it', moves)
  test('does nothing while somebody types or a dialog is open', isIgnored)
})

async function moves(): Promise<void> {
  const key = await console.issue()
  for (const amount of [60_000, 70_000, 80_000]) await decide(key, amount)
  const { page } = await console.visit('/reviews', { key, ...wide })
  await rows(page).nth(2).waitFor()
  await page.getByText('next, previous').waitFor()
  const press = async (keys: string, amount: string): Promise<void> => {
    await page.keyboard.press(keys)
    await page.locator('.desk-rows [aria-current]:focus', { hasText: amount }).waitFor()
    assert.equal(await selected(page).count(), 1)
  }
  await press('j', '60,000')
  await press('j', '70,000')
  await press('j', '80,000')
  await press('j', '80,000')
  await press('k', '70,000')
  assert.equal(await pane(page).count(), 0)
  await page.keyboard.press('Enter')
  await pane(page).getByRole('heading', { name: '70,000.00 GBP' }).waitFor()
  await pane(page).locator('h2:focus').waitFor()
  await press('k', '60,000')
  await pane(page).getByRole('heading', { name: '60,000.00 GBP' }).waitFor()
  await page.keyboard.press('c')
  await pane(page).getByText('You', { exact: true }).waitFor()
  await page.getByText('Claimed: 60,000.00 GBP on GB-NG.').waitFor()
  await page.keyboard.press('c')
  await page.getByText('You have claimed 60,000.00 GBP on GB-NG already.').waitFor()
  await page.keyboard.press('Escape')
  await pane(page).waitFor({ state: 'detached' })
  await page.locator('.desk-rows [aria-current]:focus', { hasText: '60,000' }).waitFor()
  await press('j', '70,000')
  await page.keyboard.press('c')
  await row(page, '70,000').getByText('You', { exact: true }).waitFor()
}

async function isIgnored(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    const id = await decide(key, 60_000)
    await decide(key, 70_000)
    await actElsewhere(bySession(reviewer), id, 'propose', goodProposal)
    const { page } = await visitAs(approver, `/reviews?review=${id}`)
    const comment = pane(page).getByLabel('Comment', { exact: true })
    await comment.pressSequentially('jack')
    await comment.press('Escape')
    assert.equal(await comment.inputValue(), 'jack')
    await pane(page).getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve this proposal permanently?' })
    await dialog.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    assert.match(page.url(), new RegExp(`review=${id}$`))
    assert.equal((await selected(page).textContent()) ?? '', '60,000.00 GBP')
  })
}

describe('bulk', { skip }, () => {
  test('claims and releases what is selected, a few at a time, and says what became of each', inBulk)
})

async function inBulk(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    for (const amount of [51_000, 52_000, 54_000]) await decide(key, amount)
    const proposed = await decide(key, 53_000)
    const taken = await decide(key, 60_000)
    const visited = await visitAs(reviewer, '/reviews')
    const { page } = visited
    await rows(page).nth(4).waitFor()
    let open = 0
    let openMax = 0
    const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
    async function count(route: Route): Promise<void> {
      open += 1
      openMax = Math.max(openMax, open)
      if (open === 3) isFull()
      await full
      const response = await route.fetch()
      open -= 1
      await route.fulfill({ response })
    }
    await page.route('**/claim', count)
    await page.getByLabel('Select all').check()
    await page.getByText('5 selected').waitFor()
    await checkPage(visited, 'reviews-bulk')
    // A colleague is first, and this page does not know it yet.
    await actElsewhere(bySession(approver), taken, 'claim')
    await page.getByRole('button', { name: 'Claim selected' }).click()
    await page.getByText('4 claimed, 1 was claimed by Ada Example.').waitFor()
    assert.equal(openMax, 3)
    await row(page, '51,000').getByText('You', { exact: true }).waitFor()
    await row(page, '60,000').getByText('Ada Example').waitFor()
    await actElsewhere(bySession(reviewer), proposed, 'propose', goodProposal)
    await row(page, '53,000').getByText('Proposed').waitFor()
    await page.getByLabel('Select 53,000.00 GBP on GB-NG').check()
    await page.getByLabel('Select 51,000.00 GBP on GB-NG').check()
    await page.getByLabel('Select 52,000.00 GBP on GB-NG').check()
    await page.getByLabel('Select 60,000.00 GBP on GB-NG').check()
    await page.getByRole('button', { name: 'Release selected' }).click()
    await page.getByText('2 released, 1 is claimed by Ada Example.').waitFor()
    await page.getByText('1 not released. A release would withdraw the proposal').waitFor()
    await row(page, '51,000').getByText('Unclaimed').waitFor()
    await page.getByRole('link', { name: 'Mine 2 reviews' }).waitFor()
  })
}
