/** Feeds and webhooks in the hands of an admin: a real provider is asked, and a real receiver gets an event again. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { asAdmin, checkLooks, rowOf } from '../../helpers/console-admin.ts'
import { console, webhookSettings, withConsole } from '../../helpers/console.ts'
import { withFolder } from '../../helpers/folder.ts'
import { calm, openTestProvider, partnerFeeds, providerBody, text } from '../../helpers/peers/provider.ts'
import { withReceiver } from '../../helpers/peers/receiver.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import type { SignalName } from '../../../src/core/decision/signals.ts'

const { skip } = chromiumNeeded

describe('feeds in the console', { skip }, () => {
  test('without a feeds file the page says how to set one up', async () => {
    await asAdmin(console, async () => {
      const visited = await console.visit('/admin/feeds', { width: 1440 })
      await visited.page.getByText('FAIRWAY_LIVE_FEEDS', { exact: true }).waitFor()
      await checkLooks(visited, 'admin-feeds-none')
    })
  })

  test('Check now asks the provider: values, latency and faults; the state of each feed follows', checksFeeds)
})

async function checksFeeds(): Promise<void> {
  let isDown = false
  const provider = await openTestProvider(({ signal }) =>
    isDown && signal === 'fx_volatility'
      ? text('down', 500)
      : text(providerBody(calm[signal as SignalName], Date.now())),
  )
  try {
    await withFolder(async (folder) => {
      const file = join(folder, 'feeds.json')
      const partners = { alpha: { name: 'Alpha Bank', signals: partnerFeeds(provider.origin) } }
      const corridors = { 'GB-NG': { currencies: ['GBP'], partners: ['alpha'] } }
      writeFileSync(file, JSON.stringify({ deadline_ms: 30_000, corridors, partners }))
      await withConsole({ FAIRWAY_LIVE_FEEDS: file }, async (live) => {
        await asAdmin(live, async () => {
          const visited = await live.visit('/admin/feeds', { width: 1440 })
          const { page } = visited
          await page.getByLabel('Amount').fill('250')
          await page.getByRole('button', { name: 'Check now' }).click()
          await page.getByText('GB-NG, alpha: all 7 signals were read').waitFor()
          await rowOf(page, 'Check of GB-NG, alpha', 'FX volatility').getByText(/ ms$/).waitFor()
          const asked = provider.questions.filter(({ amount }) => amount === 250)
          assert.equal(asked.length, 7, 'each signal is asked for once')
          await rowOf(page, 'Live feeds', 'FX volatility').getByText('Healthy').waitFor()
          isDown = true
          await page.getByRole('button', { name: 'Check now' }).click()
          await page.getByText('GB-NG, alpha: 1 of 7 signals could not be read').waitFor()
          const fault = 'Provider answered with an error'
          await rowOf(page, 'Check of GB-NG, alpha', 'FX volatility').getByText(fault).waitFor()
          const row = rowOf(page, 'Live feeds', 'FX volatility')
          await row.getByText('Failing').waitFor()
          await row.getByText(fault).waitFor()
          await checkLooks(visited, 'admin-feeds')
          await page.getByLabel('State').selectOption('failing')
          await rowOf(page, 'Live feeds', 'Healthy').first().waitFor({ state: 'detached' })
          assert.equal(new URL(page.url()).search, '?state=failing')
        })
      })
    })
  } finally {
    await provider.close()
  }
}

async function post(at: string, key: string, body?: object): Promise<{ webhook_id: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await checkedFetch(at, { method: 'POST', headers, body: JSON.stringify(body ?? {}) })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as { webhook_id: string }
}

describe('webhooks of all owners in the console', { skip }, () => {
  test('a failing endpoint is first and red; its delivery shows the answer, and is sent again', resends)
})

async function resends(): Promise<void> {
  let status = 500
  await withReceiver(
    async (receiver) => {
      await withConsole(
        { ...webhookSettings, FAIRWAY_WEBHOOK_RETRY_DELAYS_S: '1,1,900,900' },
        async (hasty) => {
          const healthy = await hasty.issue({ ownerLabel: 'Anchor Payments' })
          const failing = await hasty.issue({ ownerLabel: 'Breakwater Payments' })
          await post(`${hasty.url}/api/v1/webhooks`, healthy, { url: `${receiver.url}/idle` })
          const { webhook_id: id } = await post(`${hasty.url}/api/v1/webhooks`, failing, {
            url: `${receiver.url}/broken`,
          })
          await post(`${hasty.url}/api/v1/webhooks/${id}/test`, failing)
          while (receiver.requests.length < 3) await checkedFetch(`${hasty.url}/health/live`)
          await asAdmin(hasty, async () => {
            const visited = await hasty.visit('/admin/webhooks', { width: 1440 })
            const { page } = visited
            const rows = page.getByRole('table', { name: 'Endpoints' }).getByRole('row')
            while (!(await rows.nth(1).getByText('Failing').isVisible())) await page.reload()
            await rows.nth(1).getByText('Breakwater Payments').waitFor()
            await rows.nth(2).getByText('Nothing sent yet').waitFor()
            await checkLooks(visited, 'admin-webhooks')
            await page.getByLabel('State').selectOption('failing')
            await rows.nth(2).waitFor({ state: 'detached' })
            await page.getByRole('button', { name: /broken$/ }).click()
            await page.waitForURL(`**/webhooks/${id}`)
            await page.getByText('Breakwater Payments.').waitFor()
            await page.getByText('Failing: the last 3 attempts failed').waitFor()
            await page.getByRole('button', { name: /^Test event, details/ }).click()
            const attempts = page.getByRole('list', { name: 'Attempts' })
            await attempts.getByText('HTTP 500').nth(2).waitFor()
            await attempts.getByText('<b>mended soon</b>').first().waitFor()
            await page.getByText('"webhook.test"').waitFor()
            await checkLooks(visited, 'admin-webhook')
            status = 200
            await page.getByRole('button', { name: 'Send again' }).click()
            await attempts.getByText('HTTP 200').waitFor()
            await attempts.getByText('Attempt 4').waitFor()
            assert.equal(receiver.requests.length, 4)
            const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
            assert.equal(new Set(ids).size, 1, 'every attempt has the same event id')
            await rowOf(page, 'Deliveries', 'Test event').getByText('Delivered').waitFor()
          })
        },
      )
    },
    () => ({ status, body: '<b>mended soon</b>' }),
  )
}
