/** A decision gives one instruction, what to do now; whatever is permanent is asked twice and then seen. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, type View } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const needed = { skip: chromiumNeeded.skip }
const narrow = { width: 390, height: 640, scheme: 'dark' } as const

async function decide(key: string, amount: number): Promise<string> {
  const answer = await ask(console.url, key, { corridor: 'GB-NG', amount, currency: 'GBP' })
  return ((await answer.json()) as { request_id: string }).request_id
}

async function outcomeOf(key: string, id: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await checkedFetch(`${console.url}/api/v1/audit/${id}`, { headers })
  return ((await answer.json()) as { outcome: { outcome: string } | null }).outcome?.outcome ?? null
}

/** The instruction is the only one, and stands at the top. */
async function instructs(page: Page, words: string): Promise<void> {
  await page.locator('.bar-action').getByText(words, { exact: true }).waitFor()
  assert.equal(await page.locator('.bar-action').count(), 1)
}

const effect = (page: Page, words: string) =>
  page.locator('#impact dd').getByText(words, { exact: true }).waitFor()

/** Inside the window, and not below the bar that stays at its top. */
async function isInSight(message: Locator, height: number): Promise<void> {
  await message.waitFor()
  let y = -1
  // The page scrolls there after it has shown it.
  for (let look = 0; look < 200; look += 1) {
    const box = (await message.boundingBox()) ?? { y: -1, height: 0 }
    y = box.y
    if (y > 100 && y + box.height < height) return
  }
  assert.fail(`the message is at ${y}`)
}

test('the impact of a GO agrees with its instruction', needed, async () => {
  const key = await console.issue()
  const table = [
    [1000, 'Proceed with the payment.', 'May pass'],
    [1000.07, 'Confirm the payee manually before release.', 'May pass once the payee is confirmed'],
    [1000.04, 'Review manually.', 'May pass once reviewed'],
    [1000.01, 'Do not send the payment.', 'Held, not to be sent'],
    [60_000, 'Send for manual approval.', 'Held until approved'],
  ] as const
  for (const [amount, instruction, impact] of table) {
    const { page } = await console.visit(`/verifications/${await decide(key, amount)}`, { key })
    await instructs(page, instruction)
    await effect(page, impact)
    assert.equal(await page.getByText('Let the payment').count(), 0)
  }
})

async function overrides(page: Page, action: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${action}`) }).check()
  await page.getByLabel('Reason code').fill('CHECKED')
  await page.getByLabel('Justification').fill('Checked by hand.')
  await page.getByRole('button', { name: 'Review override' }).click()
}

test('an override is the instruction from then on, and its dialogue names the payment', needed, async () => {
  const key = await console.issue()
  const table = [
    ['EXECUTE', 'Send the payment: a person has overridden the decision.', 'Released by an override'],
    ['HOLD', 'Hold the payment: a person has overridden the decision.', 'Held by an override'],
    ['REJECT', 'Do not send the payment: a person has overridden the decision.', 'Rejected by an override'],
  ] as const
  for (const [action, instruction, impact] of table) {
    const view: View = action === 'EXECUTE' ? {} : narrow
    const visited = await console.visit(`/verifications/${await decide(key, 60_000)}`, { key, ...view })
    const { page } = visited
    await instructs(page, 'Send for manual approval.')
    await overrides(page, action)
    const dialog = page.getByRole('dialog', { name: 'Record this override permanently?' })
    await dialog.getByText('60,000.00 GBP on GB-NG').waitFor()
    if (action === 'HOLD') await checkPage(visited, 'instruction-override-390-dark')
    await dialog.getByRole('button', { name: 'Record override' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await isInSight(
      page.getByRole('status').getByText('Override recorded', { exact: true }),
      view.height ?? 900,
    )
    await instructs(page, instruction)
    await effect(page, impact)
    if (action === 'EXECUTE') await checkPage(visited, 'instruction-overridden')
  }
})

test('an outcome has no default, is asked twice, and leaves nothing to do', needed, async () => {
  const key = await console.issue()
  const views: readonly View[] = [{}, narrow]
  for (const view of views) {
    const id = await decide(key, 1000)
    const visited = await console.visit(`/verifications/${id}`, { key, ...view })
    const { page } = visited
    const form = page.getByRole('form', { name: 'Report outcome' })
    const choice = form.getByLabel('Outcome', { exact: true })
    assert.equal(await choice.inputValue(), '')
    const review = form.getByRole('button', { name: 'Review outcome' })
    await review.click()
    await form.getByText('Choose an outcome.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SELECT')
    await choice.selectOption('COMPLETED')
    await review.click()
    const dialog = page.getByRole('dialog', { name: 'Record this outcome?' })
    for (const words of ['Completed', '1,000.00 GBP on GB-NG', id, /cannot be changed/]) {
      await dialog.getByText(words).waitFor()
    }
    await checkPage(visited, `instruction-outcome${'width' in view ? '-390-dark' : ''}`)
    await dialog.getByRole('button', { name: 'Go back' }).click()
    assert.equal(await outcomeOf(key, id), null)
    await review.click()
    await dialog.getByRole('button', { name: 'Record outcome' }).click()
    await isInSight(page.getByRole('status').getByText('Outcome recorded'), view.height ?? 900)
    assert.equal(await outcomeOf(key, id), 'COMPLETED')
    await instructs(page, 'Nothing to do: the payment was completed.')
  }
})
