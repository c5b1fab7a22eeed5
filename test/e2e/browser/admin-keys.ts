/** Keys and access requests in the console: an admin issues, rotates, revokes, approves and rejects, and callers feel it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { asAdmin, checkLooks, choose, rowOf } from '../../helpers/console-admin.ts'
import { checkPage, console, heldBy } from '../../helpers/console.ts'
import { ownerOf } from '../../helpers/console-people.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded
const payment = { corridor: 'US-MX', amount: 10 }

/** The key that the dialog shows; it is gone from the page when the dialog is. */
async function shownKey(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const key = (await dialog.getByRole('region', { name: 'API key' }).textContent()) ?? ''
  assert.match(key, /^pk_/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await heldBy(page)).includes(key), 'the key is nowhere on the page')
  return key
}

/** A server believes a key for half a second after it has looked it up. */
async function isRefused(key: string): Promise<void> {
  while ((await ask(console.url, key, payment)).status !== 401);
}

async function issueOn(page: Page, owner: string): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Issue a key' })
  await dialog.getByLabel('Name of the owner').fill(owner)
  await dialog.getByRole('button', { name: 'Issue key' }).click()
  return shownKey(page, 'Key issued')
}

describe('keys in the console', { skip }, () => {
  test('a key with scopes and a limit is issued, is shown once, and verifies a payment', issues)
  test('a further key of an owner reads the owner’s decisions', issuesForOwner)
  test('a key is rotated at once: the new one works, and the old one is refused', rotates)
  test('a key is revoked after its owner’s name was typed, and is refused', revokes)
  test('keys are found by owner and id, filtered by status, and the address says so', finds)
})

async function issues(): Promise<void> {
  await asAdmin(console, async () => {
    const visited = await console.visit('/admin/keys', { width: 1440 })
    const { page } = visited
    await page.getByRole('button', { name: 'Issue a key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Issue a key' })
    await dialog.getByText('It is no second pair of eyes.').waitFor()
    await checkLooks(visited, 'admin-keys-issue')
    await dialog.getByLabel('All scopes').uncheck()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByText('Choose at least one scope.').waitFor()
    await dialog.getByLabel(/^Verify payments/).check()
    await dialog.getByLabel('Name of the owner').fill('Harbour Payments')
    await dialog.getByLabel('Requests').fill('100')
    await dialog.getByLabel('Seconds').fill('0')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Enter whole numbers from 1, such as 100 requests in 60 seconds.').waitFor()
    await checkLooks(visited, 'admin-keys-issue-scopes')
    await dialog.getByLabel('Seconds').fill('60')
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await page.getByText('This key is shown only once').waitFor()
    await checkLooks(visited, 'admin-keys-issued')
    const key = await shownKey(page, 'Key issued')
    const row = rowOf(page, 'Keys', 'Harbour Payments')
    await row.getByText('Active', { exact: true }).waitFor()
    await row.getByText('1 of 11').waitFor()
    await row.getByText('100 / 60 s').waitFor()
    assert.equal((await ask(console.url, key, payment)).status, 200)
    await row.getByRole('button', { name: 'Harbour Payments' }).click()
    await page.getByText('Verify payments, and read decisions').waitFor()
    await checkLooks(visited, 'admin-keys')
  })
}

async function issuesForOwner(): Promise<void> {
  await asAdmin(console, async () => {
    const first = await console.issue({ ownerLabel: 'Lagoon Payments' })
    const { page } = await console.visit('/admin/keys', { width: 1440 })
    await page.getByRole('button', { name: 'Issue a key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Issue a key' })
    await dialog.getByRole('button', { name: 'Existing owner' }).click()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    await dialog.getByText('Choose an owner.').waitFor()
    await dialog.getByLabel('Find an owner').fill('lagoon')
    await dialog.getByRole('button', { name: /Lagoon/ }).click()
    await dialog.getByRole('button', { name: 'Live', exact: true }).click()
    await dialog.getByText('Expires after 90 days.').waitFor()
    await dialog.getByRole('button', { name: 'Issue key' }).click()
    const key = await shownKey(page, 'Key issued')
    assert.match(key, /^pk_live_/)
    const ownerId = await ownerOf(console.url, key)
    assert.equal(ownerId, await ownerOf(console.url, first))
    const { page: other } = await console.visit('/admin/people', { width: 1440 })
    await other.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await other.keyboard.press('Control+k')
    await other.getByRole('combobox', { name: 'Search' }).fill(ownerId)
    await other.getByRole('option', { name: 'Owner, by its keys' }).click()
    await other.waitForURL(`**/admin/keys?q=${ownerId}`)
    await other.getByText('Lagoon Payments').nth(1).waitFor()
  })
}

async function rotates(): Promise<void> {
  await asAdmin(console, async () => {
    const visited = await console.visit('/admin/keys', { width: 1440 })
    const { page } = visited
    const old = await issueOn(page, 'Tidal Payments')
    await choose(page, 'of Tidal Payments', 'Rotate…')
    const dialog = page.getByRole('dialog', { name: 'Rotate the key' })
    await dialog.getByText(/^Both keys work until .+\. Then the old key ends\.$/).waitFor()
    await checkLooks(visited, 'admin-keys-rotate')
    await dialog.getByRole('button', { name: 'At once' }).click()
    await dialog.getByText('The old key is refused within a second.').waitFor()
    await dialog.getByRole('button', { name: 'Create new key' }).click()
    await page.getByText(/^The old key key_\w+ ends /).waitFor()
    const key = await shownKey(page, 'Key rotated')
    await isRefused(old)
    assert.equal((await ask(console.url, key, payment)).status, 200)
    await rowOf(page, 'Keys', 'Tidal Payments').getByText('Revoked').waitFor()
    assert.equal(await rowOf(page, 'Keys', 'Tidal Payments').count(), 2)
  })
}

async function revokes(): Promise<void> {
  await asAdmin(console, async () => {
    const visited = await console.visit('/admin/keys', { width: 1440 })
    const { page } = visited
    const key = await issueOn(page, 'Estuary Payments')
    assert.equal((await ask(console.url, key, payment)).status, 200)
    await choose(page, 'of Estuary Payments', 'Revoke…')
    const dialog = page.getByRole('dialog', { name: 'Revoke the key' })
    await dialog.getByText('Requests with this key stop working within a second').waitFor()
    await dialog.getByLabel(/^Enter the owner’s name/).fill('Estuary')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await dialog.getByText('This is not the name of the owner.').waitFor()
    await checkLooks(visited, 'admin-keys-revoke')
    await dialog.getByLabel(/^Enter the owner’s name/).fill('Estuary Payments')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await rowOf(page, 'Keys', 'Estuary Payments').getByText('Revoked').waitFor()
    await isRefused(key)
  })
}

async function finds(): Promise<void> {
  await asAdmin(console, async () => {
    await console.issue({ ownerLabel: 'Reef Payments' })
    const ended = await console.issue({ ownerLabel: 'Reef Payments' })
    await console.revoke(ended)
    const { page } = await console.visit('/admin/keys?q=reef', { width: 1440 })
    const rows = rowOf(page, 'Keys', 'Reef Payments')
    await rows.nth(1).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('revoked')
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?q=reef&status=revoked')
    const id = (await rows.locator('code').textContent()) ?? ''
    await page.goto(`${console.url}/admin/keys?q=${id}`)
    await rows.first().waitFor()
    assert.equal(await rows.count(), 1)
    await page.getByLabel('Expires within 14 days').check()
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rows.nth(1).waitFor()
    assert.equal(new URL(page.url()).search, '')
  })
}

async function request(name: string, reason: string): Promise<{ id: string; key: string }> {
  const body = {
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
    reason,
    recaptcha_token: 'x',
  }
  const answer = await checkedFetch(`${console.url}/api/v1/request-access`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = (await answer.json()) as { access_request_id: string; sandbox_key: string }
  return { id: json.access_request_id, key: json.sandbox_key }
}

describe('access requests in the console', { skip }, () => {
  test(
    'a request is approved with its reason and the captcha’s result in view, and the live key works',
    approves,
  )
  test('a request is rejected with a note, and its sandbox key is refused', rejects)
})

async function approves(): Promise<void> {
  await asAdmin(console, async () => {
    const reason = 'We pay suppliers in Lagos and Nairobi every week, and want to know before we send.'
    const { id, key: sandbox } = await request('Bola Example', reason)
    const visited = await console.visit('/admin/access', { width: 1440 })
    const { page } = visited
    await page.getByRole('link', { name: /^Access requests \d+ (?:is|are) waiting$/ }).waitFor()
    await page.getByRole('button', { name: 'Bola Example', exact: true }).click()
    await page.getByText('bola@example.com (as entered, not verified)').waitFor()
    await page.getByText('Not checked: no captcha was configured.', { exact: true }).waitFor()
    await checkLooks(visited, 'admin-access')
    await page.getByRole('button', { name: 'Approve Bola Example' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve Bola Example' })
    await checkLooks(visited, 'admin-access-approve')
    await dialog.getByRole('button', { name: 'Replace a key' }).click()
    await dialog.getByLabel('Id of the key to replace').fill('key_0000000000000000')
    await dialog.getByRole('button', { name: 'Approve and create key' }).click()
    await dialog.getByText('There is no such key.').waitFor()
    const own = (await dialog.getByLabel('Id of the key to replace').getAttribute('placeholder')) ?? ''
    await dialog.getByLabel('Id of the key to replace').fill(own)
    await dialog.getByLabel('Note (optional)').fill('Called back.')
    await dialog.getByRole('button', { name: 'Approve and create key' }).click()
    const dialogShown = page.getByRole('dialog', { name: 'Request approved' })
    const key = (await dialogShown.getByRole('region', { name: 'API key' }).textContent()) ?? ''
    await dialogShown.getByText(`The replaced key ${own} ends`).waitFor()
    await dialogShown.getByRole('button', { name: 'I have stored it' }).click()
    assert.equal(await ownerOf(console.url, key), await ownerOf(console.url, sandbox))
    assert.ok(!(await heldBy(page)).includes(key))
    await page.goto(`${console.url}/admin/access?q=${id}`)
    await rowOf(page, 'Access requests', 'Bola Example').getByText('Approved').waitFor()
    await page.getByRole('button', { name: 'Bola Example', exact: true }).click()
    await page.getByText('Called back.').waitFor()
  })
}

async function rejects(): Promise<void> {
  await asAdmin(console, async () => {
    const { key } = await request('Chidi Example', 'Just looking.')
    const visited = await console.visit('/admin/access', { width: 1440 })
    const { page } = visited
    await page.getByRole('button', { name: 'Reject Chidi Example' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject Chidi Example' })
    await dialog.getByLabel(/^Also revoke the sandbox key/).check()
    await dialog.getByLabel('Note (optional)').fill('No reason to pay.')
    await checkPage(visited, 'admin-access-reject')
    await dialog.getByRole('button', { name: 'Reject request' }).click()
    await rowOf(page, 'Access requests', 'Chidi Example').waitFor({ state: 'detached' })
    await isRefused(key)
    await page.getByRole('button', { name: 'Rejected' }).click()
    await rowOf(page, 'Access requests', 'Chidi Example').waitFor()
    assert.equal(new URL(page.url()).search, '?status=rejected')
  })
}
