/** Maintenance in the hands of an admin, on the real server: each act is done in the console, and stands in the log. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { asAdmin, checkLooks, rowOf } from '../../helpers/console-admin.ts'
import { withConsole, type Console } from '../../helpers/console.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { runInProcess } from '../../helpers/process/in-process.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const order = 'order-of-jane-doe'

describe('maintenance in the console', { skip }, () => {
  test('the log is checked by a button, and the result says what was covered', checksLog)
  test('an erasure is seen, confirmed by the correlation id, done and in the log, which stays intact', erases)
})

describe('the stages of the platform in the console', { skip }, () => {
  test('a step that the gate refuses says why; one that it allows is listed with its reference', changesStage)
})

/** On a server of its own, since others change the history of the one that all pages share. */
async function checksLog(): Promise<void> {
  await withConsole({}, async (own) => {
    await decide(own)
    await asAdmin(own, async () => {
      const visited = await own.visit('/admin/maintenance', { width: 1440 })
      const { page } = visited
      await page.getByRole('button', { name: 'Check the log' }).click()
      await page.getByText('Check of the log: done').waitFor()
      await page
        .getByText(/^Intact: [\d,]+ (?:leaf|leaves) checked/)
        .first()
        .waitFor()
      assert.match(new URL(page.url()).search, /^\?job=job_[0-9a-z]{26}$/)
      await page.getByText('What the check covers').click()
      await page.getByText('With a saved checkpoint or trusted keys').click()
      await checkLooks(visited, 'admin-maintenance')
    })
  })
}

/** A payment with a correlation id; returns its owner. */
async function decide(at: Console): Promise<string> {
  const key = await at.issue({ ownerLabel: 'Cove Payments' })
  const answer = await ask(at.url, key, { corridor: 'GB-NG', amount: 1_000, correlation_id: order })
  assert.equal(answer.status, 200)
  const me = await checkedFetch(`${at.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  return ((await me.json()) as { owner_id: string }).owner_id
}

async function fillErasure(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Erase these texts' })
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true })
  await dialog.getByLabel('Reference').fill('GDPR-12')
  await dialog.getByLabel('Reason').fill('The customer asked for it.')
  await dialog.getByLabel(/^Enter the correlation id/).fill('order-of-jane')
  await erase.click()
  await dialog.getByText('This is not the same.').waitFor()
  await dialog.getByLabel(/^Enter the correlation id/).fill(order)
}

async function erases(): Promise<void> {
  await withConsole({ FAIRWAY_RETENTION_DAYS: '30' }, async (own) => {
    const ownerId = await decide(own)
    await asAdmin(own, async () => {
      const visited = await own.visit('/admin/maintenance', { width: 1440 })
      const { page } = visited
      await page.getByText('No job yet').waitFor()
      await page.getByText('Personal text of all owners is kept for 30 days.').waitFor()
      await page.getByLabel('Owner id').fill(ownerId)
      await page.getByLabel('Correlation id, exactly').fill(order)
      await page.getByRole('button', { name: 'Show what would be erased' }).press('Enter')
      await page.getByRole('button', { name: 'Erase…' }).click()
      await fillErasure(page)
      await checkLooks(visited, 'admin-maintenance-erase')
      await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).press('Enter')
      await page.getByText('Erasure: done').waitFor()
      await page
        .getByText(/^1 text and 0 kept batch reports were erased/)
        .first()
        .waitFor()
      await checkLooks(visited, 'admin-maintenance-erased')
      await page.goto(`${own.url}/admin/activity?kind=text`)
      await rowOf(page, 'Activity', 'Erased personal texts')
        .getByRole('link', { name: 'Ada Example' })
        .waitFor()
      await page.goto(`${own.url}/admin/activity?kind=maintenance`)
      const link = rowOf(page, 'Activity', 'A maintenance job ended').getByRole('link', { name: /^job_/ })
      await link.click()
      await page.getByText('Erasure: done').waitFor()
      assert.ok(!(await page.content()).includes(order), 'no page of the job shows the text')
    })
    const checked = await runInProcess(['audit', 'verify-log'], { DATABASE_URL: own.databaseUrl })
    assert.match(checked.stdout, /^INTACT\n/, checked.stdout + checked.stderr)
  })
}

async function changesStage(): Promise<void> {
  await withConsole({ FAIRWAY_CIP_PROBE_S: '0' }, async (own) => {
    await asAdmin(own, async () => {
      const visited = await own.visit('/admin/platform', { width: 1440 })
      const { page } = visited
      await page.getByText('No change yet').waitFor()
      await page.getByRole('button', { name: 'Change the stage' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change the stage' })
      await dialog.getByLabel('New stage').selectOption('provisional')
      await dialog.getByRole('button', { name: 'Change to Provisional' }).click()
      await dialog.getByText('This is required.').waitFor()
      await dialog.getByLabel('Reference').fill('CHANGE-1042')
      await dialog.getByRole('button', { name: 'Change to Provisional' }).click()
      await dialog.getByText(/^Refused: provisional with a blend weight of 0\.05/).waitFor()
      await checkLooks(visited, 'admin-platform-refused')
      await dialog.getByLabel('New stage').selectOption('scoring_passive')
      await dialog.getByLabel('Reason (optional)').fill('Reviewed on Monday.')
      await dialog.getByRole('button', { name: 'Change to Passive scoring' }).press('Enter')
      await page.getByText('CHANGE-1042').first().waitFor()
      await rowOf(page, 'Changes of the stage, newest first', 'Ada Example').waitFor()
      await checkLooks(visited, 'admin-platform')
    })
  })
}
