/** Webhooks in the console: from the first endpoint to its removal, with a real receiver at the other end. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import {
  checkPage,
  console,
  heldBy,
  webhookSettings,
  withConsole,
  type Console,
} from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { signs } from '../../helpers/webhooks.ts'

const narrow = { width: 360, scheme: 'dark' as const }

interface Endpoint {
  readonly webhook_id: string
  readonly secret: string
}

async function post(url: string, key: string, body?: object): Promise<Response> {
  const response = await checkedFetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200, await response.clone().text())
  return response
}

async function register(at: Console, key: string, url: string): Promise<Endpoint> {
  const answer = await post(`${at.url}/api/v1/webhooks`, key, { url, description: 'Payments desk' })
  return (await answer.json()) as Endpoint
}

const delivery = (page: Page, event: string): Locator =>
  page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: event })

/** Those of the delivery that is open. */
const attempts = (page: Page): Locator => page.getByRole('list', { name: 'Attempts' })

describe('webhooks', { skip: chromiumNeeded.skip }, () => {
  test(
    'an endpoint is registered with its faults told beside the fields, and its secret shown once',
    registers,
  )
  test(
    'a test event and a real decision appear with their attempts; a new secret signs; removal is asked about',
    delivers,
  )
  test('a review that opens and closes is announced to an endpoint that chose it', announcesReviews)
  test('what a receiver refuses is tried again before the eyes of whoever looks', retries)
  test('deliveries are read page by page, and the address says which', pages)
  test('an endpoint whose registration was answered to nobody is found, not made twice', findsTheLost)
  test('a key that is refused meanwhile is replaced in place, and the form is as it was', goesOn)
  test('a key without the scope is told which one it lacks, on both pages', needsTheScope)
})

async function registers(): Promise<void> {
  await withReceiver(async (receiver) => {
    const key = await console.issue()
    const visited = await console.visit('/webhooks', { key })
    const { page } = visited
    await page.getByText('No endpoints yet').waitFor()
    await checkPage(visited, 'webhooks-empty')
    await page.getByRole('button', { name: 'Register an endpoint' }).first().click()
    const form = page.getByRole('dialog')
    const submit = form.getByRole('button', { name: 'Register endpoint' })
    await form.getByLabel('URL').fill('http://169.254.169.254/')
    await submit.click()
    await form.getByText('This must not lead to a private, local or reserved address.').waitFor()
    assert.equal(await form.getByLabel('URL').getAttribute('aria-invalid'), 'true')
    for (const box of await form.getByRole('checkbox').all()) await box.uncheck()
    await submit.click()
    await form.getByText('This must have at least 1 item.').waitFor()
    await checkPage(visited, 'webhooks-register-refused')
    await form.getByLabel(/^Decision/).check()
    await form.getByLabel('URL').fill(receiver.url)
    await submit.click()
    const shown = page.getByRole('dialog', { name: 'Endpoint registered' })
    const secret = (await shown.getByRole('region', { name: 'Signing secret' }).textContent()) ?? ''
    assert.match(secret, /^whsec_.{40,}$/)
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'Copy' }).click()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    await checkPage(visited, 'webhooks-secret')
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText('No deliveries yet').waitFor()
    assert.match(page.url(), /\/webhooks\/whk_\w+$/)
    assert.ok(!(await heldBy(page)).includes(secret), 'the page after it does not hold the secret')
    await checkPage(visited, 'webhook-nothing-sent')
    for (const path of ['/webhooks', new URL(page.url()).pathname]) {
      await page.goto(console.url + path)
      await page.getByText('Nothing sent yet').waitFor()
      assert.ok(!(await heldBy(page)).includes(secret), `${path} does not hold the secret`)
    }
  })
}

async function delivers(): Promise<void> {
  await withReceiver(async (receiver) => {
    const key = await console.issue()
    const { webhook_id: id, secret } = await register(console, key, receiver.url)
    const visited = await console.visit(`/webhooks/${id}`, { key })
    const { page } = visited
    await page.getByRole('button', { name: 'Send test event' }).first().click()
    await delivery(page, 'Test event').getByText('Delivered').waitFor()
    await delivery(page, 'Test event').getByText('HTTP 200').waitFor()
    const decided = await ask(console.url, key, { corridor: 'US-MX', amount: 10 })
    const { request_id: requestId } = (await decided.json()) as { request_id: string }
    await delivery(page, requestId).getByText('Delivered').waitFor()
    assert.deepEqual(
      receiver.requests.map(({ json }) => String(json.event)),
      ['webhook.test', 'payment.decision.created'],
    )
    assert.equal(
      await page.getByRole('link', { name: requestId }).getAttribute('href'),
      `/verifications/${requestId}`,
    )
    await checkPage(visited, 'webhook')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const rotated = page.getByRole('dialog', { name: 'New signing secret' })
    const fresh = (await rotated.getByRole('region', { name: 'Signing secret' }).textContent()) ?? ''
    assert.notEqual(fresh, secret)
    await rotated.getByText('Events are also signed with the old secret until').waitFor()
    await rotated.getByRole('button', { name: 'I have stored it' }).click()
    assert.ok(!(await heldBy(page)).includes(fresh))
    await page.getByRole('button', { name: 'Send test event' }).click()
    await delivery(page, 'Test event').nth(1).getByText('HTTP 200').waitFor()
    await delivery(page, 'Test event').nth(0).getByText('HTTP 200').waitFor()
    const [, , last] = receiver.requests
    assert.ok(last !== undefined && signs(fresh, last).standard && signs(secret, last).standard)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await checkPage(visited, 'webhook-remove')
    await page.getByRole('button', { name: 'Remove endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    await page.goto(`${console.url}/webhooks/${id}`)
    await page.getByText('Endpoint not found').waitFor()
    await checkPage(visited, 'webhook-unknown')
  })
}

async function announcesReviews(): Promise<void> {
  await withReceiver(async (receiver) => {
    const key = await console.issue()
    const visited = await console.visit('/webhooks?dialog=register', { key, ...narrow })
    const { page } = visited
    const form = page.getByRole('dialog')
    await form.getByLabel('URL').fill(receiver.url)
    for (const name of [/^Decision/, /^Override/]) await form.getByLabel(name).uncheck()
    for (const name of [/^Review opened/, /^Review closed/]) await form.getByLabel(name).check()
    assert.equal(await form.getByLabel(/^Corridor status/).count(), 0)
    await checkPage(visited, 'webhooks-reviews-360-dark')
    await form.getByRole('button', { name: 'Register endpoint' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText('Review opened, Review closed').waitFor()
    const decided = await ask(console.url, key, { corridor: 'US-MX', amount: 10 })
    const { request_id: id } = (await decided.json()) as { request_id: string }
    await delivery(page, 'Review opened').getByText('Delivered').waitFor()
    const override = { request_id: id, action: 'HOLD', reason_code: 'WAIT', justification: 'Until Monday.' }
    await post(`${console.url}/api/v1/override`, key, override)
    await delivery(page, 'Review closed').getByText('Delivered').waitFor()
    assert.deepEqual(
      receiver.requests.map(({ json }) => String(json.event)),
      ['payment.review.opened', 'payment.review.closed'],
    )
    assert.equal(await page.getByRole('link', { name: id }).count(), 2)
  })
}

async function retries(): Promise<void> {
  await withReceiver(
    async (receiver) => {
      const key = await console.issue()
      const { webhook_id: id } = await register(console, key, receiver.url)
      const visited = await console.visit(`/webhooks/${id}`, { key, ...narrow })
      const { page } = visited
      await page.getByRole('button', { name: 'Send test event' }).first().click()
      const row = delivery(page, 'Test event')
      await row.getByRole('button', { name: /^Test event, details/ }).click()
      await attempts(page).getByText('HTTP 500').nth(1).waitFor()
      await row.getByText('Retrying').waitFor()
      await row.getByText('attempt 3 of 5').waitFor()
      await attempts(page).getByText('Attempt 3').waitFor()
      await checkPage(visited, 'webhook-retry-360-dark')
      await page.getByRole('button', { name: 'Failed', exact: true }).click()
      await page.getByText('No failed deliveries').waitFor()
      assert.equal(new URL(page.url()).search, '?status=dropped')
      await page.goto(`${console.url}/webhooks`)
      await page.getByText('Retrying').waitFor()
      await checkPage(visited, 'webhooks-360-dark')
    },
    () => 500,
  )
}

async function pages(): Promise<void> {
  await withReceiver(async (receiver) => {
    const key = await console.issue()
    const { webhook_id: id } = await register(console, key, receiver.url)
    for (let sent = 0; sent < 26; sent += 1) await post(`${console.url}/api/v1/webhooks/${id}/test`, key)
    const { page } = await console.visit(`/webhooks/${id}`, { key })
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForURL(/\?cursor=/)
    await page.getByRole('link', { name: 'Newest' }).waitFor()
    await page.reload()
    await delivery(page, 'Test event').first().waitFor()
    assert.equal(await delivery(page, 'Test event').count(), 1)
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.getByRole('link', { name: 'Older' }).waitFor()
    assert.equal(await delivery(page, 'Test event').count(), 25)
  })
}

async function findsTheLost(): Promise<void> {
  await withReceiver(async (receiver) => {
    const key = await console.issue()
    await register(console, key, `${receiver.url}/other`)
    const visited = await console.visit('/webhooks?dialog=register', { key })
    const { page } = visited
    let isDown = false
    await page.getByText('1 of 20 endpoints.').waitFor()
    await page.route('**/api/v1/webhooks', async (route) => {
      if (route.request().method() === 'POST') {
        await route.fetch()
        isDown = true
      }
      await (isDown ? route.abort('connectionreset') : route.continue())
    })
    const form = page.getByRole('dialog', { name: 'Register an endpoint' })
    await form.getByLabel('URL').fill(receiver.url)
    await form.getByRole('button', { name: 'Register endpoint' }).click()
    await form.getByText('The endpoint may already be registered.').waitFor()
    await page.unroute('**/api/v1/webhooks')
    await form.getByRole('button', { name: 'Register endpoint' }).click()
    await form.getByText('This endpoint may have been registered').waitFor()
    await form.getByText('Its secret was not shown.').waitFor()
    await form.getByRole('button', { name: 'Remove endpoint' }).waitFor()
    await page.getByText('2 of 20 endpoints.').waitFor()
    await checkPage(visited, 'webhooks-found')
    await form.getByRole('button', { name: 'Create new secret' }).click()
    const shown = page.getByRole('dialog', { name: 'Endpoint registered' })
    await shown.getByText(/^whsec_/).waitFor()
  })
}

async function goesOn(): Promise<void> {
  const key = await console.issue()
  const { page } = await console.visit('/webhooks?dialog=register', { key })
  await page.getByLabel('URL').fill('https://payments.example.com/hooks')
  await console.revoke(key)
  await page.getByRole('button', { name: 'Register endpoint' }).click()
  await page.getByText('Your key is no longer accepted').waitFor()
  await page.getByLabel('API key').fill(await console.issue())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Register an endpoint' })
  assert.equal(await form.getByLabel('URL').inputValue(), 'https://payments.example.com/hooks')
}

async function needsTheScope(): Promise<void> {
  const key = await console.issue({ scopes: ['decision:read'] })
  for (const [path, what] of [
    ['/webhooks', 'your endpoints'],
    ['/webhooks/whk_unknown', 'this endpoint'],
  ] as const) {
    const visited = await console.visit(path, { key })
    await visited.page.getByText(`This key may not see ${what}`).waitFor()
    await checkPage(visited, `webhooks-denied${path.includes('whk') ? '-detail' : ''}`)
  }
}

describe('an event that no try could deliver', { skip: chromiumNeeded.skip }, () => {
  test('is shown as failed, with every attempt', async () => {
    await withConsole({ ...webhookSettings, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,1,1' }, async (hasty) => {
      await withReceiver(
        async (receiver) => {
          const key = await hasty.issue()
          const { webhook_id: id } = await register(hasty, key, receiver.url)
          await post(`${hasty.url}/api/v1/webhooks/${id}/test`, key)
          const visited = await hasty.visit(`/webhooks/${id}`, { key })
          const row = delivery(visited.page, 'Test event')
          await row.getByText('Failed').waitFor()
          await row.getByRole('button', { name: /^Test event, details/ }).click()
          await attempts(visited.page).getByText('HTTP 404').nth(4).waitFor()
          assert.equal(await attempts(visited.page).getByText('HTTP 404').count(), 5)
          await visited.page.getByRole('button', { name: 'Failed', exact: true }).click()
          await row.getByText('Failed').waitFor()
          await checkPage(visited, 'webhook-given-up')
        },
        () => 404,
      )
    })
  })
})
