/** One decision in the console: its reasons add up, what is added to it is asked twice, and every state helps. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type View } from '../../helpers/console.ts'
import { ask, run } from '../../helpers/process/process.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const narrow = { width: 360, scheme: 'dark' } as const
const html = '<img src=x onerror=alert(1)><script>alert(2)</script>'

const payments = {
  GO: { corridor: 'GB-NG', amount: 1000, currency: 'GBP' },
  DEGRADED: { corridor: 'GB-NG', amount: 60_000, currency: 'GBP', correlation_id: html },
  'NO-GO': { corridor: 'NG-GB', amount: 1000.08, currency: 'GBP' },
} as const

async function decide(url: string, key: string, payment: object): Promise<string> {
  const { request_id: id } = (await (await ask(url, key, payment)).json()) as { request_id: string }
  return id
}

function post(url: string, key: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return checkedFetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function audited(url: string, key: string, id: string) {
  const answer = await checkedFetch(`${url}/api/v1/audit/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return (await answer.json()) as {
    human_override: Record<string, unknown> | null
    outcome: Record<string, unknown> | null
  }
}

/** As whole numbers of the ninth place: binary fractions would make sums of their own. */
const units = (text: string): bigint => BigInt(Math.round(Number(text.replace('−', '-')) * 1e9))

async function shownAmounts(page: Page) {
  const steps = page.getByRole('list', { name: 'Score breakdown' }).getByRole('listitem')
  await steps.first().waitFor()
  const texts = await page.locator('.step-amount').allTextContents()
  const parts = texts.filter((text) => !text.startsWith('=')).map(units)
  const sums = texts.filter((text) => text.startsWith('=')).map((text) => units(text.slice(1).trim()))
  return { parts, sums }
}

/** Everything that the page asks for is there. */
async function settled(page: Page): Promise<void> {
  await page.locator('.decision-bar').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

const needed = { skip: chromiumNeeded.skip }

const open = (id: string, key: string, view: View = {}) =>
  console.visit(`/verifications/${id}`, { key, ...view })

test('the factors, as they are shown, add up to the score exactly', needed, async () => {
  const key = await console.issue()
  for (const [decision, payment] of Object.entries(payments)) {
    const id = await decide(console.url, key, payment)
    const visited = await open(id, key)
    const { page } = visited
    const { parts, sums } = await shownAmounts(page)
    const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n)
    assert.deepEqual([total(parts.slice(0, 7)), total(parts)], sums)
    await page.locator('.bar-verdict').getByText(decision, { exact: true }).waitFor()
    await settled(page)
    if (decision === 'NO-GO') await checkPage(visited, 'decision-no-go')
  }
})

test(
  'an override is made by keyboard alone, after it was read over; text that looks like a page stays text',
  needed,
  async () => {
    const key = await console.issue()
    const id = await decide(console.url, key, payments.DEGRADED)
    const visited = await open(id, key)
    const { page } = visited
    page.on('dialog', () => visited.faults.push('a script of a record ran'))
    await page.getByRole('link', { name: html }).waitFor()
    await page.getByRole('button', { name: 'Review override' }).press('Enter')
    const group = page.getByRole('radiogroup', { name: 'New action' })
    await group.getByText('Choose an action.').waitFor()
    assert.equal(await group.getAttribute('aria-invalid'), 'true')
    await page
      .getByRole('alert')
      .getByText(/^Choose .* Enter a code .* Enter a justification/)
      .waitFor()
    await page.locator('input[type=radio]:focus').press('Space')
    await group.getByText('Choose an action.').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.type('payee confirmed')
    await page.keyboard.press('Tab')
    await page.keyboard.type(html)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Record this override permanently?' })
    for (const text of [id, 'PAYEE_CONFIRMED', html]) await dialog.getByText(text).waitFor()
    await checkPage(visited, 'decision-override-asked')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // The way back leads to the button that asked.
    await page.locator('button:focus', { hasText: 'Review override' }).waitFor()
    assert.equal((await audited(console.url, key, id)).human_override, null)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Go back' }).waitFor()
    // Over the justification, which may have to be scrolled, and the way back.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Override recorded', { exact: true }).waitFor()
    const { human_override: made } = await audited(console.url, key, id)
    assert.partialDeepStrictEqual(made, {
      action: 'EXECUTE',
      reason_code: 'PAYEE_CONFIRMED',
      justification: html,
    })
    await page
      .locator('#impact')
      .getByText(/overrode the decision with EXECUTE/)
      .waitFor()
    assert.equal(await page.locator('img[src="x"]').count(), 0)
    await checkPage(visited, 'decision-overridden')
  },
)

test('whoever is slower sees the override of the faster, and theirs alone is kept', needed, async () => {
  const key = await console.issue()
  const id = await decide(console.url, key, payments['NO-GO'])
  const { page } = await open(id, key, narrow)
  await page.getByRole('radio', { name: /^EXECUTE/ }).check()
  await page.getByLabel('Reason code').fill('SLOWER')
  await page.getByLabel('Justification').fill('I was slower.')
  const theirs = { request_id: id, action: 'REJECT', reason_code: 'FASTER', justification: 'I was faster.' }
  assert.equal((await post(`${console.url}/api/v1/override`, key, theirs)).status, 200)
  await page.getByRole('button', { name: 'Review override' }).click()
  await page.getByRole('button', { name: 'Record override' }).click()
  await page.getByText('This decision already has an override').waitFor()
  await page.getByText('It differs from yours, which was not recorded.').waitFor()
  await page.locator('#override').getByText('I was faster.').waitFor()
  assert.equal((await audited(console.url, key, id)).human_override?.['reason_code'], 'FASTER')
})

async function writeOverride(page: Page, justification: string): Promise<void> {
  await page.getByRole('radio', { name: /^HOLD/ }).check()
  await page.getByLabel('Reason code').fill('WAIT')
  await page.getByLabel('Justification').fill(justification)
}

async function recordOverride(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review override' }).click()
  await page.getByRole('button', { name: 'Record override' }).click()
}

test('an override whose answer was lost is known again as one’s own', needed, async () => {
  const key = await console.issue()
  const id = await decide(console.url, key, payments.DEGRADED)
  const { page } = await open(id, key)
  await writeOverride(page, 'Until Monday.')
  await page.route('**/api/v1/override', async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await recordOverride(page)
  await page.getByRole('dialog').getByText('Fairway is not responding').waitFor()
  await page.unroute('**/api/v1/override')
  await page.getByRole('button', { name: 'Record override' }).click()
  await page.getByText('Override recorded', { exact: true }).waitFor()
  assert.equal(await page.getByText('This decision already has an override').count(), 0)
})

test(
  'the draft of an override outlasts a reload and a key that is revoked, but not signing out',
  needed,
  async () => {
    const key = await console.issue()
    const id = await decide(console.url, key, payments.DEGRADED)
    const { page } = await console.visit('/')
    await page.evaluate(`sessionStorage.setItem('fairway.key', '${key}')`)
    await page.goto(`${console.url}/verifications/${id}`)
    await writeOverride(page, 'Until Monday.')
    await page.reload()
    await settled(page)
    assert.equal(await page.getByLabel('Justification').inputValue(), 'Until Monday.')
    const again = await console.rotate(key)
    await recordOverride(page)
    await page.getByText('Your key is no longer accepted').waitFor()
    await page.getByLabel('API key').fill(again)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Reason code').waitFor()
    assert.equal(await page.getByLabel('Justification').inputValue(), 'Until Monday.')
    assert.equal(await page.getByRole('radio', { name: /^HOLD/ }).isChecked(), true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  },
)

test(
  'on a small window the bar stays in sight in two lines, and so do the actions of a long override',
  needed,
  async () => {
    const key = await console.issue()
    const id = await decide(console.url, key, payments.DEGRADED)
    const visited = await open(id, key, { ...narrow, height: 640 })
    const { page } = visited
    await settled(page)
    const label = await page.locator('.decision-facts dt', { hasText: 'Mode' }).boundingBox()
    const value = await page.locator('.decision-facts dd', { hasText: 'shadow' }).boundingBox()
    assert.ok(Math.abs((label?.y ?? 0) - (value?.y ?? 999)) < 8, 'a label and its value are on one line')
    await checkPage(visited, 'decision-360-dark')
    await page.locator('#outcome').scrollIntoViewIfNeeded()
    const bar = page.getByRole('region', { name: 'Decision summary' })
    const { y = -1, height = 999 } = (await bar.boundingBox()) ?? {}
    assert.ok(y >= 0 && y < 60 && height < 90, `the bar is at ${y}, ${height} high`)
    // The acts are behind one button, which Escape closes again.
    const menu = bar.getByRole('button', { name: 'Actions' })
    await menu.press('Enter')
    await bar.getByRole('button', { name: 'Report outcome' }).waitFor()
    await checkPage(visited, 'decision-acts-360-dark')
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Report outcome' }).waitFor({ state: 'hidden' })
    await page.locator('button:focus', { hasText: 'Actions' }).waitFor()
    await writeOverride(page, 'A long story. '.repeat(140))
    await page.getByRole('button', { name: 'Review override' }).click()
    const { y: top = 999, height: tall = 0 } =
      (await page.getByRole('button', { name: 'Record override' }).boundingBox()) ?? {}
    assert.ok(top + tall <= 640, `the action ends at ${top + tall}`)
    await checkPage(visited, 'decision-override-long-360-dark')
  },
)

test(
  'the outcome is reported on the page, pending first; a time before the decision is refused at its field',
  needed,
  async () => {
    const key = await console.issue()
    const id = await decide(console.url, key, payments.GO)
    const visited = await open(id, key)
    const form = visited.page.getByRole('form', { name: 'Report outcome' })
    const send = async (): Promise<void> => {
      await form.getByRole('button', { name: 'Review outcome' }).click()
      await visited.page.getByRole('button', { name: 'Record outcome' }).click()
      await visited.page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await form.getByLabel('Outcome', { exact: true }).selectOption('PENDING')
    await form.getByLabel('Time', { exact: true }).fill('2020-01-01T00:00')
    await send()
    await form.getByText('This must not be before the decision.').waitFor()
    await form.getByLabel('Time', { exact: true }).fill('')
    await send()
    const outcome = visited.page.locator('#outcome')
    await outcome.locator('dd').getByText('Pending').waitFor()
    await form.getByLabel('Outcome', { exact: true }).selectOption('COMPLETED')
    await send()
    await outcome.locator('dd').getByText('Completed').waitFor()
    await visited.page.getByText(/A GO needs no override/).waitFor()
    await form.waitFor({ state: 'detached' })
    assert.equal((await audited(console.url, key, id)).outcome?.['outcome'], 'COMPLETED')
    await checkPage(visited, 'decision-outcome')
  },
)

test('a decision that repeats another names its source and leads there', needed, async () => {
  const key = await console.issue()
  const source = await decide(console.url, key, payments['NO-GO'])
  const id = await decide(console.url, key, { ...payments['NO-GO'], amount: 500 })
  const visited = await open(id, key, narrow)
  const { page } = visited
  await page.getByText('This repeats an earlier decision').waitFor()
  await settled(page)
  await checkPage(visited, 'decision-cooldown-360-dark')
  await page.getByRole('link', { name: source }).first().click()
  await page.waitForURL(`**/verifications/${source}`)
  await page.getByRole('list', { name: 'Score breakdown' }).waitFor()
  assert.equal(await page.getByText('This repeats an earlier decision').count(), 0)
})

test('an export that is downloaded is found intact by the command that the page names', needed, async () => {
  const key = await console.issue()
  const id = await decide(console.url, key, payments.DEGRADED)
  const { page } = await open(`${id}?tab=evidence`, key)
  await page.getByText(`fairway audit verify audit-${id}.json`).waitFor()
  for (const format of ['json', 'csv']) {
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: `Export ${format.toUpperCase()}` }).click()
    const download = await started
    assert.equal(download.suggestedFilename(), `audit-${id}.${format}`)
    const { code, stdout } = await run(['audit', 'verify', await download.path()])
    assert.equal(code, 0, stdout)
  }
  // The bar has the same export, on every tab.
  const started = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Decision summary' }).getByRole('button', { name: 'Export' }).click()
  assert.equal((await started).suggestedFilename(), `audit-${id}.json`)
})

test('deliveries of the decision are shown, and no others', needed, async () => {
  const key = await console.issue()
  await withReceiver(async (receiver) => {
    const registered = await post(`${console.url}/api/v1/webhooks`, key, { url: receiver.url })
    assert.equal(registered.status, 200)
    const id = await decide(console.url, key, payments.GO)
    await decide(console.url, key, payments.DEGRADED)
    const visited = await open(id, key)
    const { page } = visited
    const sent = page.getByRole('list', { name: 'Activity of this decision' }).getByText('Webhook:')
    await sent.waitFor()
    assert.equal(await sent.count(), 1)
    await checkPage(visited, 'decision-deliveries')
  })
})

test('a key without a scope is told which it lacks, and sees what it may', needed, async () => {
  const key = await console.issue()
  const id = await decide(console.url, key, payments.DEGRADED)
  const reader = await console.issue({ scopes: ['decision:read', 'audit:read'] })
  const own = await decide(console.url, reader, payments.DEGRADED)
  const visited = await open(own, reader)
  await visited.page.getByText('This key may not override decisions').waitFor()
  await visited.page.getByText('This key may not report outcomes').waitFor()
  await visited.page
    .locator('#activity')
    .getByText(/webhook:manage/)
    .waitFor()
  await settled(visited.page)
  await checkPage(visited, 'decision-reader')
  const asker = await console.issue({ scopes: ['decision:read'] })
  const asked = await open(await decide(console.url, asker, payments.DEGRADED), asker)
  await asked.page.getByRole('list', { name: 'Score breakdown' }).waitFor()
  await asked.page
    .locator('#override')
    .getByText(/audit:read/)
    .waitFor()
  await checkPage(asked, 'decision-asker')
  // Another's decision is as unknown as one that never was.
  for (const strange of [id, encodeURIComponent(html)]) {
    const lost = await open(strange, reader, narrow)
    await lost.page.getByText('Decision not found').waitFor()
    await checkPage(lost, 'decision-unknown-360-dark')
  }
})

test(
  'when the server is gone, the page says so once, and an override that was not sent is not lost',
  needed,
  () =>
    withConsole({}, async (own) => {
      const key = await own.issue()
      const source = await decide(own.url, key, payments['NO-GO'])
      const id = await decide(own.url, key, { ...payments['NO-GO'], amount: 500 })
      const visited = await own.visit(`/verifications/${id}`, { key, ...narrow })
      const { page } = visited
      await settled(page)
      await page.getByRole('radio', { name: /^HOLD/ }).check()
      await page.getByLabel('Reason code').fill('WAIT')
      await page.getByLabel('Justification').fill('Until Monday.')
      await page.getByRole('button', { name: 'Review override' }).click()
      await own.server.stop()
      await page.getByRole('button', { name: 'Record override' }).click()
      await page.getByRole('dialog').getByText('Fairway is not responding').waitFor()
      await checkPage(visited, 'decision-override-down-360-dark')
      await page.getByRole('button', { name: 'Go back' }).click()
      assert.equal(await page.getByLabel('Justification').inputValue(), 'Until Monday.')
      await page.getByRole('link', { name: source }).first().click()
      await page.getByText('Fairway is not responding').waitFor()
      assert.equal(await page.getByText('Fairway is not responding').count(), 1)
      await checkPage(visited, 'decision-down-360-dark')
    }),
)
