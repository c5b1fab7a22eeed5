/** One review beside the queue: claimed, commented, proposed, approved and rejected without leaving it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import { ownerOf, withPeople } from '../../helpers/console-people.ts'
import {
  actElsewhere,
  byKey,
  bySession,
  decide,
  link,
  narrow,
  pane,
  row,
  rows,
  selected,
  visitAs,
  wide,
  withDesk,
} from '../../helpers/console-reviews.ts'
import { rowsOf } from '../../helpers/database/sql.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { goodProposal } from '../../helpers/reviews.ts'

const { skip } = chromiumNeeded

async function fillProposal(of: Locator, action: 'EXECUTE' | 'HOLD' | 'REJECT'): Promise<void> {
  await of.getByRole('radio', { name: action }).check()
  await of.getByLabel('Reason code').fill('payee confirmed')
  await of.getByRole('textbox', { name: 'Justification' }).fill('The payee answered the telephone.')
}

describe('a review beside the queue', { skip }, () => {
  test('is claimed, commented, proposed by one person and approved by another, and has both names', isSettled)
  test('is rejected with a reason, and is nobody’s again', isRejected)
  test('has what the caller may do, and the reason for the rest', isBounded)
  test('is still one’s own after a key was replaced', isInherited)
})

async function isSettled(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    await decide(key, 1000.02)
    const visited = await visitAs(reviewer, '/reviews')
    const { page } = visited
    await link(page, '1,000.02').click()
    for (const text of ['Network degraded', 'Settlement network', 'Elevated', 'Use another route', '0.78'])
      await pane(page).getByText(text, { exact: true }).first().waitFor()
    await pane(page).getByRole('button', { name: 'Claim' }).click()
    await pane(page).getByRole('button', { name: 'Release' }).waitFor()
    await pane(page).getByLabel('Comment', { exact: true }).fill('I call the payee.')
    await pane(page).getByRole('button', { name: 'Add comment' }).click()
    await pane(page).getByRole('list').getByText('I call the payee.').waitFor()
    assert.equal(await pane(page).getByLabel('Comment', { exact: true }).inputValue(), '')
    await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
    await pane(page).locator('p.field-error', { hasText: 'Choose an action.' }).waitFor()
    await pane(page).getByText('Enter a justification for the audit.').waitFor()
    await checkPage(visited, 'reviews-propose')
    await fillProposal(pane(page), 'EXECUTE')
    await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
    await pane(page).getByText('Proposal sent').waitFor()
    await pane(page).getByText('Another person must approve it').waitFor()
    assert.equal(
      await pane(page)
        .getByRole('button', { name: /^Approve/ })
        .count(),
      0,
    )
    await checkPage(visited, 'reviews-proposed')
    const other = await visitAs(approver, new URL(page.url()).pathname + new URL(page.url()).search, narrow)
    const desk = pane(other.page)
    await desk.getByText('The payee answered the telephone.').first().waitFor()
    await desk.getByRole('button', { name: 'Approve' }).click()
    const dialog = other.page.getByRole('dialog', { name: 'Approve this proposal permanently?' })
    await dialog.getByText('The payment is then sent despite the decision.').waitFor()
    await dialog.getByText('1,000.02 GBP on GB-NG').waitFor()
    await checkPage(other, 'reviews-approve-390-dark')
    const sent = other.page.waitForRequest('**/approve')
    await dialog.getByRole('button', { name: 'Approve EXECUTE' }).click()
    assert.match((await sent).postData() ?? '', /^\{"proposal_id":"\w+"\}$/)
    await desk.getByText('Proposal approved').waitFor()
    const resolution = desk.getByRole('region', { name: 'Resolution' })
    await resolution.getByText('Approved: EXECUTE').waitFor()
    await resolution.getByText('Ada Example').waitFor()
    await desk.getByRole('region', { name: 'Approved proposal' }).getByText('Rosa Example').waitFor()
    await checkPage(other, 'reviews-approved-390-dark')
    await desk.getByRole('link', { name: 'Full decision' }).click()
    await other.page.locator('#override').getByText('Ada Example').waitFor()
  })
}

async function isRejected(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    const id = await decide(key, 60_000)
    await actElsewhere(bySession(reviewer), id, 'propose', goodProposal)
    const { page } = await visitAs(approver, `/reviews?review=${id}`)
    await pane(page).getByRole('button', { name: 'Reject', exact: true }).click()
    await pane(page).getByRole('button', { name: 'Reject proposal' }).click()
    await pane(page).getByText('Enter a text.').waitFor()
    await pane(page).getByLabel('Reason for the rejection').fill('Call the payee back first.')
    const sent = page.waitForRequest('**/reject')
    await pane(page).getByRole('button', { name: 'Reject proposal' }).click()
    assert.match((await sent).postData() ?? '', /"proposal_id":"\w+"/)
    await pane(page).getByText('Proposal rejected', { exact: true }).waitFor()
    await pane(page).getByRole('region', { name: 'Resolution' }).getByText('Call the payee back').waitFor()
    await row(page, '60,000').getByText('Unclaimed').waitFor()
    await pane(page).getByRole('button', { name: 'Claim' }).waitFor()
  })
}

async function isBounded(): Promise<void> {
  await withPeople(console, async ({ start }) => {
    const key = await console.issue()
    const ownerId = await ownerOf(console.url, key)
    const id = await decide(key, 60_000)
    const viewer = await start({
      name: 'Vera Example',
      email: 'vera@example.com',
      roles: ['viewer'],
      ownerId,
    })
    const visited = await visitAs(viewer, `/reviews?review=${id}`)
    const { page } = visited
    await pane(page).getByText('This needs the role Reviewer or approver').waitFor()
    for (const name of ['Claim', 'Propose an action', 'Add comment', 'Select all'])
      assert.equal(await page.getByText(name, { exact: true }).count(), 0, name)
    await checkPage(visited, 'reviews-viewer')
    const reader = await console.issue({ scopes: ['review:read'] })
    const { page: empty } = await console.visit('/reviews', { key: reader })
    await empty.getByText('Nothing waits', { exact: true }).waitFor()
  })
}

async function isInherited(): Promise<void> {
  const key = await console.issue()
  const id = await decide(key, 60_000)
  await actElsewhere(byKey(key), id, 'propose', goodProposal)
  const { page } = await console.visit(`/reviews?claimed_by=me&review=${id}`, {
    key: await console.rotate(key),
    ...wide,
  })
  await row(page, '60,000').getByText('You', { exact: true }).waitFor()
  await pane(page).getByText('Another key or person must approve it').waitFor()
  await pane(page).getByRole('button', { name: 'Withdraw and release' }).click()
  await row(page, '60,000').waitFor({ state: 'detached' })
  await pane(page).getByText('Unclaimed').waitFor()
}

describe('the proposer', { skip }, () => {
  test('must leave it to another person if the review needs four eyes, even as an approver', isLeft)
  test('approves and rejects it if the amount does not need four eyes', isOwn)
})

async function isLeft(): Promise<void> {
  await withDesk(async ({ key, approver }) => {
    const id = await decide(key, 60_000)
    await actElsewhere(bySession(approver), id, 'propose', goodProposal)
    for (const [view, name] of [
      [narrow, 'reviews-own-390-dark'],
      [wide, 'reviews-own'],
    ] as const) {
      const visited = await visitAs(approver, `/reviews?review=${id}`, view)
      const desk = pane(visited.page)
      await desk.getByText('Another person must approve it').waitFor()
      assert.equal(await desk.getByRole('button', { name: /^(?:Approve|Reject)/ }).count(), 0)
      await checkPage(visited, name)
    }
    const { page } = await visitAs(approver, `/reviews?review=${id}`)
    await pane(page).getByRole('button', { name: 'Withdraw and release' }).click()
    await pane(page).getByRole('button', { name: 'Claim' }).waitFor()
  })
}

async function isOwn(): Promise<void> {
  await withConsole({ FAIRWAY_FOUR_EYES_ABOVE: 'GBP=60000' }, async (own) => {
    const key = await own.issue()
    const [id, larger] = [await decide(key, 60_000, { at: own }), await decide(key, 60_001, { at: own })]
    const visited = await own.visit(`/reviews?review=${id}`, { key, ...wide })
    const { page } = visited
    const propose = async (): Promise<void> => {
      await pane(page).getByText('Propose an action').click()
      await fillProposal(pane(page), 'HOLD')
      await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
    }
    await propose()
    await pane(page).getByText('For this amount you may also approve or reject it.').waitFor()
    assert.equal(await pane(page).getByText('must approve it').count(), 0)
    await checkPage(visited, 'reviews-own-small')
    const small = await own.visit(`/reviews?review=${id}`, { key, ...narrow })
    await pane(small.page).getByRole('button', { name: 'Approve' }).waitFor()
    await checkPage(small, 'reviews-own-small-390-dark')
    await small.page.close()
    await pane(page).getByRole('button', { name: 'Reject', exact: true }).click()
    await pane(page).getByLabel('Reason for the rejection').fill('I call the payee first.')
    await pane(page).getByRole('button', { name: 'Reject proposal' }).click()
    await pane(page).getByText('Proposal rejected', { exact: true }).waitFor()
    await propose()
    await pane(page).getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve this proposal permanently?' })
    await dialog.getByText('with your name as proposer and approver').waitFor()
    await dialog.getByRole('button', { name: 'Approve HOLD' }).click()
    await pane(page).getByRole('region', { name: 'Resolution' }).getByText('Approved: HOLD').waitFor()
    await page.goto(`${own.url}/reviews?review=${larger}`)
    await propose()
    await pane(page).getByText('Another key or person must approve it').waitFor()
  })
}

describe('a refusal', { skip }, () => {
  test('is a sentence, the text stays, and the pane shows the new state', isRefused)
  test('of one’s own proposal says that another person must approve', isFourEyes)
  test('of a proposal that was replaced says so, and nothing is approved', isReplaced)
  test('of an act on a review that has expired says so, and the text stays', isLate)
})

async function isRefused(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    const id = await decide(key, 60_000)
    await decide(key, 70_000)
    const { page } = await visitAs(reviewer, `/reviews?review=${id}`)
    // A colleague is first, between the click and the server.
    await page.route('**/{claim,propose}', async (route) => {
      await actElsewhere(bySession(approver), /rev_\w+/.exec(route.request().url())?.[0] ?? '', 'claim')
      await route.continue()
    })
    await pane(page).getByText('Propose an action').click()
    await fillProposal(pane(page), 'HOLD')
    await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
    await pane(page)
      .getByRole('status')
      .getByText(/^This review is claimed by Ada Example \(prs_\w+\)\.$/)
      .waitFor()
    await pane(page).getByText('This review is claimed by Ada Example. Your text is kept').waitFor()
    assert.equal(
      await pane(page).getByLabel('Justification').inputValue(),
      'The payee answered the telephone.',
    )
    await row(page, '60,000').getByText('Ada Example').waitFor()
    await link(page, '70,000').click()
    await pane(page).getByRole('button', { name: 'Claim' }).click()
    await pane(page)
      .getByText(/^This review is claimed by Ada Example/)
      .waitFor()
    await pane(page).getByRole('button', { name: 'Claim' }).waitFor({ state: 'detached' })
    // The draft of the other review is still there, and can be sent once the colleague has released it.
    await page.unroute('**/{claim,propose}')
    await actElsewhere(bySession(approver), id, 'release')
    await page.keyboard.press('k')
    assert.equal(
      await pane(page).getByLabel('Justification').inputValue(),
      'The payee answered the telephone.',
    )
    await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
    await pane(page).getByText('Another person must approve it').waitFor()
  })
}

async function isFourEyes(): Promise<void> {
  const key = await console.issue()
  const id = await decide(key, 60_000)
  await actElsewhere(byKey(key), id, 'propose', goodProposal)
  const { page } = await console.visit('/status', { key: await console.rotate(key), ...wide })
  // Without its claims the page cannot know that this key counts as the one that proposed.
  await page.route(/claimed_by=me/, () => undefined)
  await page.goto(`${console.url}/reviews?review=${id}`)
  await pane(page).getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve this proposal permanently?' })
  await dialog.getByRole('button', { name: 'Approve EXECUTE' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/^You made this proposal\. Another principal/)
    .waitFor()
}

async function isLate(): Promise<void> {
  const key = await console.issue()
  const id = await decide(key, 60_000)
  const { page } = await console.visit(`/reviews?review=${id}`, { key, ...wide })
  // Its time ends between the click and the server.
  await page.route('**/propose', async (route) => {
    await rowsOf(
      console.databaseUrl,
      `UPDATE reviews SET expires_at_ms = ${Date.now()} WHERE review_id = '${id}'`,
    )
    await route.continue()
  })
  await pane(page).getByText('Propose an action').click()
  await fillProposal(pane(page), 'HOLD')
  await pane(page).getByRole('button', { name: 'Propose', exact: true }).click()
  // The second is the answer once the expiry is recorded, which takes a second at most.
  await pane(page)
    .getByRole('status')
    .getByText(/^This review (?:has expired\. Verify the payment again|is expired, which is final)\.$/)
    .waitFor()
  await pane(page).getByText('This review is expired. Your text is kept in this tab.').waitFor()
  assert.equal(await pane(page).getByLabel('Justification').inputValue(), 'The payee answered the telephone.')
  const resolution = pane(page).getByRole('region', { name: 'Resolution' })
  await resolution.getByText('Nobody settled it in time. Verify the payment again.').waitFor()
  await row(page, '60,000').waitFor({ state: 'detached' })
}

async function isReplaced(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    const id = await decide(key, 60_000)
    await actElsewhere(bySession(reviewer), id, 'propose', { ...goodProposal, action: 'REJECT' })
    const { page } = await visitAs(approver, `/reviews?review=${id}`)
    await pane(page).getByRole('button', { name: 'Approve' }).click()
    await actElsewhere(bySession(reviewer), id, 'release')
    await actElsewhere(bySession(reviewer), id, 'propose', goodProposal)
    const dialog = page.getByRole('dialog', { name: 'Approve this proposal permanently?' })
    await dialog.getByRole('button', { name: 'Approve REJECT' }).click()
    await dialog.getByText('The proposal was replaced by another.').waitFor()
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await pane(page).getByRole('region', { name: 'Proposal' }).getByText('EXECUTE').waitFor()
    await pane(page).getByRole('button', { name: 'Approve' }).waitFor()
  })
}

describe('the act of a colleague', { skip }, () => {
  test('appears by itself, and moves neither the selection nor the text that is typed', appears)
})

async function appears(): Promise<void> {
  await withDesk(async ({ key, reviewer, approver }) => {
    const [first, id] = [await decide(key, 60_000), await decide(key, 70_000)]
    const { page, faults } = await visitAs(reviewer, `/reviews?claimed_by=nobody&review=${id}`)
    const comment = pane(page).getByLabel('Comment', { exact: true })
    await comment.pressSequentially('Half a')
    await rows(page).nth(1).waitFor()
    await actElsewhere(bySession(approver), first, 'claim')
    await actElsewhere(bySession(approver), id, 'comment', { text: 'Wait for me.' })
    const third = await decide(key, 80_000)
    // Rows come and go, the one that is open stays selected.
    await row(page, '60,000').waitFor({ state: 'detached' })
    await row(page, '80,000').waitFor()
    await pane(page).getByText('Wait for me.').waitFor()
    assert.equal(await selected(page).textContent(), '70,000.00 GBP')
    await comment.pressSequentially(' sentence')
    await actElsewhere(bySession(approver), id, 'claim')
    await pane(page).getByRole('status').getByText('Ada Example').waitFor()
    // It has left the view, and is still open with everything that was typed.
    await row(page, '70,000').waitFor({ state: 'detached' })
    assert.equal(await page.locator('textarea:focus').inputValue(), 'Half a sentence')
    await pane(page).locator('h2').click()
    await page.keyboard.press('j')
    await pane(page).getByRole('heading', { name: '80,000.00 GBP' }).waitFor()
    assert.match(page.url(), new RegExp(`review=${third}$`))
    assert.deepEqual(faults, [])
  })
}
