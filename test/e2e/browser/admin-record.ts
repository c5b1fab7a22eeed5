/** The activity log with leaf indexes and its export, and the policies of the installation by four eyes. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminNamed, asAdmin, checkLooks, choose, otherBrowser, rowOf } from '../../helpers/console-admin.ts'
import { console, withConsole } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

describe('the activity log', { skip }, () => {
  test('shows each act of an admin in words, with its leaf index, filtered by the address', shows)
  test('the export has every act of the filtered list, with its leaf index', exportsActs)
})

/** Issues a key by the dialog, and returns its id. */
async function issueOn(page: Page, owner: string): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Issue a key' })
  await dialog.getByLabel('Name of the owner').fill(owner)
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const row = rowOf(page, 'Keys', owner)
  await row.waitFor()
  return (await row.locator('code').textContent()) ?? assert.fail('no id')
}

async function revokeOn(page: Page, owner: string): Promise<void> {
  await choose(page, `of ${owner}`, 'Revoke…')
  const dialog = page.getByRole('dialog', { name: 'Revoke the key' })
  await dialog.getByLabel(/^Enter the owner’s name/).fill(owner)
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** An act is sealed within seconds; the page shows it when it is loaded again. */
async function untilSealed(page: Page): Promise<void> {
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
  await rows.nth(1).waitFor()
  while ((await rows.getByText('soon', { exact: true }).count()) > 0) {
    await page.reload()
    await rows.nth(1).waitFor()
  }
}

async function shows(): Promise<void> {
  await asAdmin(console, async () => {
    const visited = await console.visit('/admin/keys', { width: 1440 })
    const { page } = visited
    const id = await issueOn(page, 'Beacon Payments')
    await revokeOn(page, 'Beacon Payments')
    await page.goto(`${console.url}/admin/activity?q=${id}`)
    await untilSealed(page)
    const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row')
    assert.equal(await rows.count(), 3)
    for (const [place, words] of [
      [1, 'Revoked a key'],
      [2, 'Issued a key'],
    ] as const) {
      const row = rows.nth(place)
      await row.getByRole('button', { name: words }).waitFor()
      await row.getByRole('link', { name: 'Ada Example' }).waitFor()
      assert.equal(await row.getByRole('link', { name: id }).getAttribute('href'), `/admin/keys?q=${id}`)
      assert.match((await row.locator('td').last().textContent()) ?? '', /^[\d,]+$/)
    }
    await page.goto(`${console.url}/admin/activity`)
    await rows.nth(2).waitFor()
    await page.getByLabel('What', { exact: true }).selectOption('key')
    await page.getByRole('button', { name: 'Revoked a key' }).first().click()
    await page.getByText('key.revoked').waitFor()
    await page.getByText(/^Leaf [\d,]+$/).waitFor()
    assert.equal(new URL(page.url()).search, '?kind=key')
    await checkLooks(visited, 'admin-activity')
    await page.getByLabel('Who').fill('nobody')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Nothing matches').waitFor()
    assert.equal(new URL(page.url()).search, '?kind=key&by=nobody')
  })
}

async function exportsActs(): Promise<void> {
  await asAdmin(console, async () => {
    const { page } = await console.visit('/admin/keys', { width: 1440 })
    const id = await issueOn(page, 'Pier Payments')
    await revokeOn(page, 'Pier Payments')
    await page.goto(`${console.url}/admin/activity?subject=${id}`)
    await untilSealed(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await (await download).path()
    const [header, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
    assert.match(header ?? '', /^act_id,at,kind,subject,.*,leaf_index$/)
    assert.equal(lines.length, 2)
    assert.match(lines[0] ?? '', new RegExp(`,key\\.revoked,${id},person,prs_\\w+,Ada Example,.*,\\d+$`))
    assert.match(lines[1] ?? '', new RegExp(`,key\\.created,${id},person,prs_\\w+,Ada Example,.*,\\d+$`))
    await page.getByText('2 rows saved').waitFor()
  })
}

describe('policies of the installation', { skip }, () => {
  test(
    'one admin writes one and cannot promote it, another admin does, and it holds for every owner',
    promotes,
  )
})

async function chooseInstallation(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(?:Choose an|Change) owner$/ }).click()
  await page
    .getByRole('dialog', { name: 'Choose an owner' })
    .getByRole('button', { name: /^Installation/ })
    .click()
  await page.getByText('Policies of the installation: they apply to every owner.').waitFor()
}

async function promoteOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Promote', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Promote Everywhere' })
  await dialog.getByLabel('Reason').fill('Agreed in the change board.')
  await dialog.getByRole('button', { name: 'Promote', exact: true }).click()
}

/** In the editor, as an admin does. */
async function writeOn(page: Page): Promise<void> {
  await page.getByText('it decides recorded payments of every owner again').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.locator('input:focus').fill('large')
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByLabel('When').fill('amount > 900.0')
  await rule.getByLabel('Message').fill('Large payments are reviewed.')
  await page.getByLabel('Name', { exact: true }).fill('Everywhere')
  await page.getByText('No errors').waitFor()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Everywhere' }).waitFor()
}

async function promotes(): Promise<void> {
  await withConsole({}, async (own) => {
    await asAdmin(own, async ({ start }) => {
      const key = await own.issue({ ownerLabel: 'Quay Payments' })
      const decide = async (): Promise<unknown> =>
        (
          (await (await ask(own.url, key, { corridor: 'GB-NG', amount: 1000 })).json()) as {
            decision: string
          }
        ).decision
      assert.equal(await decide(), 'GO')
      const visited = await own.visit('/policies', { width: 1440 })
      const { page } = visited
      await page.getByText('You serve every owner of this installation.').waitFor()
      await chooseInstallation(page)
      await page.getByRole('heading', { level: 1, name: 'Policies of the installation' }).waitFor()
      await page.getByText('No policies yet').waitFor()
      await checkLooks(visited, 'admin-policies-none')
      for (const path of ['/overview', '/verifications', '/webhooks', '/reviews', '/calibration']) {
        await page.goto(own.url + path)
        await page.getByRole('heading', { name: 'Choose an owner' }).waitFor()
        assert.equal(await page.getByRole('alert').count(), 0, path)
      }
      await page.goto(`${own.url}/policies/new`)
      await page.getByLabel('Name', { exact: true }).waitFor()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      await checkLooks(visited, 'admin-policies-new')
      await writeOn(page)
      await page.getByRole('button', { name: 'Backtest', exact: true }).click()
      const backtest = page.getByRole('dialog', { name: 'Start a backtest' })
      await backtest.getByRole('button', { name: 'Last 7 days' }).click()
      await backtest.getByRole('button', { name: 'Start backtest' }).click()
      await page
        .getByRole('region', { name: 'Reports', exact: true })
        .getByText(/1 of 1|100%/)
        .first()
        .waitFor()
      await promoteOn(page)
      const dialog = page.getByRole('dialog', { name: 'Promote Everywhere' })
      await dialog.getByText('You wrote this policy; another admin must promote it').waitFor()
      await dialog.getByRole('alert').waitFor()
      await checkLooks(visited, 'admin-policies-four-eyes')
      assert.equal(await decide(), 'GO')
      const other = await otherBrowser(own, '/policies', await start(adminNamed('Bayo')))
      await chooseInstallation(other.page)
      await other.page.getByRole('link', { name: 'Everywhere' }).click()
      await promoteOn(other.page)
      await other.page.getByText('Everywhere is in force').waitFor()
      while ((await decide()) !== 'DEGRADED');
      await other.page.getByRole('button', { name: 'Roll back' }).click()
      await other.page.getByLabel('Reason').fill('Too strict.')
      await other.page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
      await other.page.getByText('No policy is in force now.').waitFor()
      await page.goto(`${own.url}/admin/activity?kind=policy`)
      await page.getByRole('button', { name: 'Rolled a policy back' }).waitFor()
      await page.getByRole('button', { name: 'Put a policy in force' }).waitFor()
      await rowOf(page, 'Activity', 'Put a policy in force').getByText('Bayo Example').waitFor()
    })
  })
}
