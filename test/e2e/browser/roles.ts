/** Roles and owners in the console: what a role does not allow, who did it, one's own sessions, and the choice of an owner. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signInProblems } from '../../../src/app/people/provider-accounts.ts'
import { checkPage, console, openWindow } from '../../helpers/console.ts'
import { addSession, ownerOf, withPeople } from '../../helpers/console-people.ts'
import { goodPassword, plainCookie } from '../../helpers/people.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { reviewOf } from '../../helpers/reviews.ts'

const { skip } = chromiumNeeded
const narrow = { width: 390, height: 844, scheme: 'dark' } as const
const views = [{}, narrow]
const endingOf = (view: object): string => ('width' in view ? '-390-dark' : '')

/** An owner with one decision of a fraud flag, which can be overridden. */
async function ownerWithDecision(ownerLabel = 'End to end') {
  const key = await console.issue({ ownerLabel })
  const answer = await ask(console.url, key, { corridor: 'GB-NG', amount: 1000.08, currency: 'GBP' })
  const { request_id: requestId } = (await answer.json()) as { request_id: string }
  return { key, requestId, ownerId: await ownerOf(console.url, key) }
}

const notAllowed = (page: Page) => page.getByText('Your role does not allow this')

describe('a viewer', { skip }, () => {
  test('reads a decision and its review, and is told which role may report its outcome', () =>
    withPeople(console, async ({ start }) => {
      const { requestId, ownerId } = await ownerWithDecision()
      const member = { name: 'Vera Example', email: 'vera@example.com', roles: ['viewer'] as const, ownerId }
      await addSession(await openWindow(), console.url, await start(member))
      for (const view of views) {
        const visited = await console.visit(`/verifications/${requestId}`, view)
        const { page } = visited
        const override = page.locator('#override')
        await override.getByText('Overrides go through the review').waitFor()
        assert.equal(
          await override.getByRole('link', { name: 'Open the review' }).getAttribute('href'),
          `/reviews?review=${reviewOf(requestId)}`,
        )
        await page.locator('#review').getByText('Waits for somebody to claim it.').waitFor()
        await page.locator('#outcome').getByText('This needs the role Reviewer or approver').waitFor()
        assert.equal(await page.getByRole('button', { name: 'Review override' }).count(), 0)
        assert.equal(await page.getByRole('button', { name: 'Review outcome' }).count(), 0)
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
        await checkPage(visited, `roles-viewer${endingOf(view)}`)
      }
      for (const path of ['/webhooks', '/policies/new']) {
        const { page } = await console.visit(path)
        await notAllowed(page).waitFor()
      }
      const { page } = await console.visit('/policies')
      await page.getByText('No policies yet').waitFor()
      assert.equal(await page.getByRole('link', { name: 'New policy' }).count(), 0)
    }))

  test('tries a payment in shadow mode alone, and every page of an owner works', () =>
    withPeople(console, async ({ start }) => {
      const ownerId = await ownerOf(
        console.url,
        await console.issue({ mode: 'live', ownerLabel: 'Living Example' }),
      )
      const token = await start({ name: 'Lea Example', email: 'lea@example.com', roles: ['viewer'], ownerId })
      await addSession(await openWindow(), console.url, token)
      const { page, faults } = await console.visit('/')
      await page.getByText('A person verifies in shadow mode only').waitFor()
      await page.getByText('The decision is recorded with your name, in shadow mode.').waitFor()
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.getByRole('link', { name: 'View record' }).click()
      await page.getByText('shadow (simulated signals)').waitFor()
      await page.getByRole('tab', { name: 'Debug' }).click()
      await page.getByText('Session id', { exact: true }).waitFor()
      for (const path of ['/overview', '/batch', '/calibration', '/corridors', '/partners', '/status']) {
        await page.goto(console.url + path)
        await page.getByText('Live mode.').waitFor()
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
        assert.equal(await page.getByText('Permission denied').count(), 0, path)
        assert.equal(await page.getByText('Sign in with a test key').count(), 0, path)
      }
      assert.deepEqual(faults, [])
    }))
})

/** What a person does at the desk, by the session of that person. */
async function reviewAs(token: string, requestId: string, act: string, body: object): Promise<void> {
  const answer = await checkedFetch(`${console.url}/api/v1/reviews/${reviewOf(requestId)}/${act}`, {
    method: 'POST',
    headers: {
      cookie: `${plainCookie}=${token}`,
      origin: console.url,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
}

const proposal = {
  action: 'HOLD',
  reason_code: 'CALLED_BACK',
  justification: 'The payee was called back.',
}

describe('an approver', { skip }, () => {
  test('approves what a reviewer proposed, reports the outcome, and the page names both', () =>
    withPeople(console, async ({ start }) => {
      const { requestId, ownerId } = await ownerWithDecision()
      const member = { name: 'Ada Example', email: 'ada@example.com', roles: ['approver'] as const, ownerId }
      const reviewer = { name: 'Rita Example', email: 'rita@example.com', roles: ['reviewer'] as const }
      const approving = await start(member)
      const proposing = await start({ ...reviewer, ownerId })
      await addSession(await openWindow(), console.url, approving)
      const { page } = await console.visit(`/verifications/${requestId}`)
      await page.locator('#override').getByText('Overrides go through the review').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Review override' }).count(), 0)
      await reviewAs(proposing, requestId, 'propose', proposal)
      await page.reload()
      const review = page.locator('#review')
      await review.getByText('Waits for somebody to approve or reject the proposal.').waitFor()
      await review.getByText('The payee was called back.').waitFor()
      await reviewAs(approving, requestId, 'approve', { reason: 'Heard the recording.' })
      for (const view of views) {
        const visited = await console.visit(`/verifications/${requestId}`, view)
        const override = visited.page.locator('#override .pairs > div')
        await override.filter({ hasText: 'Proposed by' }).getByText('Rita Example').waitFor()
        await override.filter({ hasText: 'Approved by' }).getByText('Ada Example').waitFor()
        await visited.page.locator('#review').getByText('Heard the recording.').waitFor()
        await visited.page.getByText('Hold the payment: a person has overridden the decision.').waitFor()
        await visited.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
        await checkPage(visited, `roles-approved${endingOf(view)}`)
      }
      await page.getByLabel('Outcome', { exact: true }).selectOption('FAILED')
      await page.getByRole('button', { name: 'Review outcome' }).click()
      await page.getByRole('button', { name: 'Record outcome' }).click()
      await page.locator('#outcome').getByText('Ada Example').waitFor()
    }))
})

describe('one’s own account', { skip }, () => {
  test('has the roles and the sessions, of which another can be ended', () =>
    withPeople(console, async ({ join, start }) => {
      const ownerId = await ownerOf(console.url, await console.issue())
      const member = {
        name: 'Sol Example',
        email: 'sol@example.com',
        roles: ['policy_author'] as const,
        ownerId,
      }
      // Its session stands for another browser.
      await join(member)
      const visited = await console.visit('/sign-in')
      const { page } = visited
      const form = page.getByRole('form', { name: 'Local account' })
      await form.getByLabel('Email').fill(member.email)
      await form.getByLabel('Password').fill(goodPassword)
      await form.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: 'Your account' }).click()
      await page.getByText('Also writes policies and tests them.').waitFor()
      const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
      await sessions.nth(2).waitFor()
      await checkPage(visited, 'roles-account')
      const { page: small, faults } = await console.visit('/sign-in', narrow)
      await small.getByText('This session').waitFor()
      await checkPage({ page: small, faults }, 'roles-account-390-dark')
      await sessions.filter({ hasNotText: 'This session' }).getByRole('button').click()
      await sessions.nth(2).waitFor({ state: 'detached' })
      await sessions.filter({ hasText: 'This session' }).getByRole('button').click()
      await form.waitFor()
      await small.getByText('Your session has ended').waitFor()
      // Nobody else's sessions are listed.
      await addSession(page, console.url, await start({ ...member, email: 'other@example.com' }))
      await page.goto(`${console.url}/sign-in`)
      await sessions.nth(1).waitFor()
      assert.equal(await sessions.count(), 2)
    }))
})

const adminOf = (name: string) => ({
  name: `${name} Example`,
  email: `${name.toLowerCase()}@example.com`,
  roles: ['admin'] as const,
  ownerId: null,
})

describe('an admin of the installation', { skip }, () => {
  test('chooses an owner, and sees the decisions of that owner alone, in each tab its own', () =>
    withPeople(console, async ({ start }) => {
      const first = await ownerWithDecision('Northern Example')
      const second = await ownerWithDecision('Southern Example')
      await addSession(await openWindow(), console.url, await start(adminOf('Remi')))
      const visited = await console.visit('/verifications')
      const { page } = visited
      await page.getByText('You serve every owner of this installation.').waitFor()
      await page.getByLabel('Find an owner').fill('northern')
      await page.getByRole('button', { name: /Southern/ }).waitFor({ state: 'detached' })
      await checkPage(visited, 'roles-owner')
      await page.getByRole('button', { name: /Northern/ }).click()
      await page.locator(`a[href$="${first.requestId}"]`).first().waitFor()
      assert.equal(await page.locator(`a[href$="${second.requestId}"]`).count(), 0)
      const tab = await console.visit('/verifications', narrow)
      await tab.page.locator(`a[href$="${first.requestId}"]`).first().waitFor()
      await tab.page.getByRole('button', { name: 'Menu' }).click()
      await tab.page
        .getByRole('dialog', { name: 'Menu' })
        .getByRole('button', { name: 'Change owner' })
        .click()
      const dialog = tab.page.getByRole('dialog', { name: 'Choose an owner' })
      await dialog.getByLabel('Find an owner').fill('southern')
      await dialog.getByRole('button', { name: /Northern/ }).waitFor({ state: 'detached' })
      await checkPage(tab, 'roles-owner-390-dark')
      await dialog.getByRole('button', { name: /Southern/ }).click()
      await tab.page.locator(`a[href$="${second.requestId}"]`).first().waitFor()
      assert.equal(await tab.page.locator(`a[href$="${first.requestId}"]`).count(), 0)
      await page.reload()
      await page.locator(`a[href$="${first.requestId}"]`).first().waitFor()
      await page.getByText('Northern Example.').waitFor()
    }))

  test('sees the mode of the owner, also after a reload; an owner who is not there is chosen again', () =>
    withPeople(console, async ({ start }) => {
      const ownerId = await ownerOf(console.url, await console.issue({ mode: 'live' }))
      await addSession(await openWindow(), console.url, await start(adminOf('Uma')))
      const { page } = await console.visit('/webhooks')
      await page.getByLabel('Find an owner').fill(ownerId)
      await page.getByRole('button', { name: ownerId }).click()
      await page.getByText('Live mode.').waitFor()
      await page.reload()
      await page.getByText('Live mode.').waitFor()
      await page.getByText('No endpoints yet').waitFor()
      await page.evaluate(`sessionStorage.setItem('fairway.owner', 'own_0000000000000000')`)
      await page.reload()
      await page.getByText('You serve every owner of this installation.').waitFor()
      assert.equal(await page.evaluate(`sessionStorage.getItem('fairway.owner')`), null)
    }))
})

describe('a sign-in at the identity provider that failed', { skip }, () => {
  test('is told with what to do, whatever the problem', async () => {
    const visited = await console.visit('/sign-in')
    for (const problem of signInProblems) {
      await visited.page.goto(`${console.url}/sign-in?problem=${problem}&from=%2Fstatus`)
      await visited.page.locator('main [role=alert] .state-title').waitFor()
      assert.equal(await visited.page.locator('main [role=alert] p').count(), 2, problem)
    }
    await checkPage(visited, 'roles-problem')
    await visited.page.goto(`${console.url}/sign-in?problem=constructor`)
    await visited.page.getByLabel('API key').waitFor()
    assert.equal(await visited.page.getByRole('alert').count(), 0)
  })
})
