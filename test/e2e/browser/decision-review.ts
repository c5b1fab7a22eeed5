/** The review on the page of its decision: what was done in it, the way to the desk, and the override that it takes the place of. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type View } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { reviewOf } from '../../helpers/reviews.ts'

const needed = { skip: chromiumNeeded.skip }
const narrow = { width: 390, height: 844, scheme: 'dark' } as const

async function decide(url: string, key: string, amount: number, corridor = 'GB-NG'): Promise<string> {
  const answer = await ask(url, key, { corridor, amount, currency: 'GBP' })
  return ((await answer.json()) as { request_id: string }).request_id
}

async function post(url: string, key: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await checkedFetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(answer.status, 200, await answer.clone().text())
}

const review = (url: string, key: string, id: string, act: string, body: object) =>
  post(`${url}/api/v1/reviews/${reviewOf(id)}/${act}`, key, body)

const proposal = { action: 'EXECUTE', reason_code: 'PAYEE_CONFIRMED', justification: 'The payee was called.' }

const open = (id: string, key: string, view: View = {}) =>
  console.visit(`/verifications/${id}`, { key, ...view })

async function writeOverride(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^HOLD/ }).check()
  await page.getByLabel('Reason code').fill('WAIT')
  await page.getByLabel('Justification').fill('Until Monday.')
  await page.getByRole('button', { name: 'Review override' }).click()
  await page.getByRole('button', { name: 'Record override' }).click()
}

test('the review shows who proposed what, and leads to the desk', needed, async () => {
  const key = await console.issue({ ownerLabel: 'Example desk' })
  const id = await decide(console.url, key, 60_000)
  await review(console.url, key, id, 'comment', { text: 'Waiting for the bank.' })
  await review(console.url, key, id, 'propose', proposal)
  for (const view of [{}, narrow]) {
    const visited = await open(id, key, view)
    const section = visited.page.locator('#review')
    await section.getByText('Proposed', { exact: true }).waitFor()
    await section.getByText('The payee was called.').waitFor()
    const facts = section.locator('.pairs > div')
    await facts.filter({ hasText: 'Proposed by' }).getByText('Example desk').waitFor()
    await facts.filter({ hasText: 'Comments' }).getByText('1', { exact: true }).waitFor()
    assert.equal(
      await section.getByRole('link', { name: 'Open in the review desk' }).getAttribute('href'),
      `/reviews?review=${reviewOf(id)}`,
    )
    await visited.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await checkPage(visited, `decision-review${'width' in view ? '-390-dark' : ''}`)
  }
})

test('a GO that may proceed has no review; an approved one instructs what was approved', needed, async () => {
  await withConsole({ FAIRWAY_FOUR_EYES_ABOVE: 'GBP=100000' }, async (lenient) => {
    const key = await lenient.issue()
    const plain = await lenient.visit(`/verifications/${await decide(lenient.url, key, 1000)}`, { key })
    await plain.page.getByText('A GO needs no override.').waitFor()
    await plain.page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    assert.equal(await plain.page.locator('#review').count(), 0)
    const id = await decide(lenient.url, key, 1000.07)
    await review(lenient.url, key, id, 'propose', proposal)
    await review(lenient.url, key, id, 'approve', {})
    const { page } = await lenient.visit(`/verifications/${id}`, { key })
    await page
      .locator('.bar-action')
      .getByText('Send the payment: it was approved in the review.', { exact: true })
      .waitFor()
    await page.locator('#impact dd').getByText('Released by its review', { exact: true }).waitFor()
    await page.locator('#review').getByText('The proposal was approved.').waitFor()
    await page.getByText('A GO needs no override.').waitFor()
  })
})

test('a decision that a cooldown repeated shows the review of its source', needed, async () => {
  const key = await console.issue()
  const source = await decide(console.url, key, 1000.08, 'NG-GB')
  const id = await decide(console.url, key, 500, 'NG-GB')
  const { page } = await open(id, key)
  const section = page.locator('#review')
  await section.getByText('A repeat has no review of its own.').waitFor()
  await section.getByRole('link', { name: source }).waitFor()
  await section.getByText('1 by the cooldown').waitFor()
  assert.equal(
    await section.getByRole('link', { name: 'Open in the review desk' }).getAttribute('href'),
    `/reviews?review=${reviewOf(source)}`,
  )
})

test('a key overrides directly, which closes the review before the eyes of its user', needed, async () => {
  const key = await console.issue()
  const id = await decide(console.url, key, 60_000)
  const { page } = await open(id, key)
  await page.locator('#review').getByText('Waits for somebody to claim it.').waitFor()
  await writeOverride(page)
  await page.getByText('Override recorded', { exact: true }).waitFor()
  await page.locator('#review').getByText('A direct override closed it.').waitFor()
  const names = page.locator('#override .pairs > div')
  await names.filter({ hasText: /^By/ }).waitFor()
  assert.equal(await names.filter({ hasText: 'Approved by' }).count(), 0)
})

test('a key that may not override is led to the review', needed, async () => {
  const key = await console.issue({ scopes: ['decision:read', 'audit:read', 'review:read'] })
  const id = await decide(console.url, key, 60_000)
  const { page } = await open(id, key)
  const section = page.locator('#override')
  await section.getByText('Overrides go through the review').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Review override' }).count(), 0)
  assert.equal(
    await section.getByRole('link', { name: 'Open the review' }).getAttribute('href'),
    `/reviews?review=${reviewOf(id)}`,
  )
})

test('where an override requires a review, the dialogue says so and leads there', needed, () =>
  withConsole({ FAIRWAY_OVERRIDE_REQUIRES_REVIEW: 'true' }, async (strict) => {
    const key = await strict.issue()
    const id = await decide(strict.url, key, 60_000)
    const visited = await strict.visit(`/verifications/${id}`, { key, ...narrow })
    const { page } = visited
    await writeOverride(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This override needs a review').waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await checkPage(visited, 'decision-review-required-390-dark')
    await dialog.getByRole('link', { name: 'Open the review' }).click()
    await page.waitForURL(`**/reviews?review=${reviewOf(id)}`)
    await page.goBack()
    // The text is there to be copied into the proposal.
    assert.equal(await page.getByLabel('Justification').inputValue(), 'Until Monday.')
  }),
)
