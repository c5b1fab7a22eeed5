/** People in the hands of an admin: invited, given roles, signed out, removed and restored, as their own browsers see it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { adminNamed, asAdmin, checkLooks, choose, otherBrowser, rowOf } from '../../helpers/console-admin.ts'
import { console, heldBy } from '../../helpers/console.ts'
import { addSession, ownerOf, withPeople } from '../../helpers/console-people.ts'
import { goodPassword } from '../../helpers/people.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

/** The link that the dialog shows; it is gone from the page when the dialog is. */
async function shownLink(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  const link = (await dialog.getByRole('region', { name: 'One-time link' }).textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(!(await heldBy(page)).includes(link.slice(-20)), 'the link is nowhere on the page')
  return link.slice(console.url.length)
}

async function accept(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.getByLabel('Password again').fill(goodPassword)
  await page.getByRole('button', { name: 'Accept and sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

async function inviteOn(page: Page, email: string, owner: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite a person' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Find an owner').fill(owner)
  await dialog.getByRole('button', { name: new RegExp(owner) }).click()
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  return shownLink(page, 'Invitation')
}

describe('people in the console', { skip }, () => {
  test('one is invited, joins in another browser, gets a role there at once, and is signed out there', lives)
  test('one is removed, restored, and joins again by a new link', removesAndRestores)
  test(
    'one’s own row has neither a change of roles nor a removal, and its menu works by keyboard',
    leavesOneself,
  )
  test('a long address and four roles take one line, and the table stays in its window', staysInLine)
  test('somebody else finds one calm sentence in place of every page, and no link to it', refusesOthers)
})

async function staysInLine(): Promise<void> {
  await asAdmin(console, async (people) => {
    const ownerId = await ownerOf(
      console.url,
      await console.issue({ ownerLabel: 'A company of a long name' }),
    )
    const email = `${'long.'.repeat(11)}address@payments.example.com`
    await people.invite({ email, roles: ['viewer', 'reviewer', 'approver', 'policy_author'], ownerId })
    const visited = await console.visit('/admin/people', { width: 1440 })
    const row = rowOf(visited.page, 'People', email)
    await row.getByText('Viewer +3', { exact: true }).waitFor()
    assert.ok(((await row.boundingBox())?.height ?? Infinity) <= 44)
    await checkLooks(visited, 'admin-people-long')
  })
}

async function lives(): Promise<void> {
  await asAdmin(console, async () => {
    await console.issue({ ownerLabel: 'Delta Payments' })
    const visited = await console.visit('/admin/people', { width: 1440 })
    const { page } = visited
    await page.getByRole('button', { name: 'Invite a person' }).first().click()
    const form = page.getByRole('dialog', { name: 'Invite a person' })
    await form.getByText('Also claims reviews, comments on them and proposes').waitFor()
    await form.getByRole('button', { name: 'The installation' }).click()
    await form.getByRole('button', { name: 'Create invitation' }).click()
    await form.getByText('Enter an email address.').waitFor()
    await form.getByText('Only an admin may have no owner.').waitFor()
    await checkLooks(visited, 'admin-people-invite')
    await form.getByRole('button', { name: 'Cancel' }).click()
    const link = await inviteOn(page, 'ngozi@example.com', 'Delta Payments')
    await rowOf(page, 'People', 'ngozi@example.com').getByText('Invited').waitFor()
    const other = await otherBrowser(console, link, null)
    await accept(other.page, 'Ngozi Example')
    await page.reload()
    const row = rowOf(page, 'People', 'Ngozi Example')
    await row.getByText('Local account').waitFor()
    await row.getByRole('button', { name: 'Ngozi Example' }).click()
    await page.getByText('Signs in here with a password.').waitFor()
    await checkLooks(visited, 'admin-people')
    await other.page.goto(`${console.url}/policies`)
    await other.page.getByText('No policies yet').waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'New policy' }).count(), 0)
    await choose(page, 'for Ngozi Example', 'Change roles…')
    const roles = page.getByRole('dialog', { name: 'Roles of Ngozi Example' })
    await roles.getByLabel(/^Policy author/).check()
    await checkLooks(visited, 'admin-people-roles')
    await roles.getByRole('button', { name: 'Change roles' }).click()
    await page.getByText('Ngozi Example: Viewer, Policy author, at once.').waitFor()
    await other.page.reload()
    await other.page.getByRole('link', { name: 'New policy' }).waitFor()
    await choose(page, 'for Ngozi Example', 'End sessions…')
    await page.getByRole('button', { name: 'End sessions' }).click()
    await page.getByText('Ngozi Example: 1 session ended.').waitFor()
    await other.page.goto(`${console.url}/policies`)
    await other.page.getByRole('heading', { name: 'Sign in to see your policies' }).waitFor()
  })
}

async function removesAndRestores(): Promise<void> {
  await asAdmin(console, async ({ join }) => {
    const ownerId = await ownerOf(console.url, await console.issue({ ownerLabel: 'Mangrove Payments' }))
    await join({ name: 'Ife Example', email: 'ife@example.com', roles: ['viewer'], ownerId })
    const visited = await console.visit('/admin/people?q=ife', { width: 1440 })
    const { page } = visited
    const row = rowOf(page, 'People', 'Ife Example')
    await row.getByText('Mangrove Payments').waitFor()
    await choose(page, 'for Ife Example', 'Remove…')
    await page.getByText('What the person did stays recorded').waitFor()
    await checkLooks(visited, 'admin-people-remove')
    await page.getByRole('button', { name: 'Remove person' }).click()
    await row.getByText('Removed', { exact: true }).waitFor()
    await choose(page, 'for Ife Example', 'Restore…')
    await page.getByRole('button', { name: 'Restore person' }).click()
    await page.getByText('Ife Example is restored. A local account needs a new link.').waitFor()
    await choose(page, 'for Ife Example', 'New link…')
    await page.getByRole('button', { name: 'Create link' }).click()
    const other = await otherBrowser(console, await shownLink(page, 'New link'), null)
    await accept(other.page, 'Ife Example')
  })
}

async function leavesOneself(): Promise<void> {
  await asAdmin(console, async () => {
    const { page } = await console.visit('/admin/people?q=ada', { width: 1440 })
    const row = rowOf(page, 'People', 'Ada Example').filter({ has: page.getByText('You', { exact: true }) })
    await row.locator('summary').focus()
    await page.keyboard.press('Enter')
    await row.getByText('End sessions…').waitFor()
    assert.equal(await row.getByText('Change roles…').count(), 0)
    assert.equal(await row.getByText('Remove…').count(), 0)
    await page.keyboard.press('Escape')
    await row.getByText('End sessions…').waitFor({ state: 'hidden' })
    assert.match(
      String(await page.evaluate('document.activeElement.getAttribute("aria-label")')),
      /^Actions for Ada/,
    )
    // New link, then the end of the sessions: by keyboard alone, and left again.
    for (const press of ['Enter', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(press)
    await page.getByRole('dialog', { name: 'End the sessions of Ada Example' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })
}

const adminPages = ['keys', 'access', 'people', 'feeds', 'webhooks', 'activity'] as const

async function refusesOthers(): Promise<void> {
  await withPeople(console, async ({ start }) => {
    const key = await console.issue()
    const ownerId = await ownerOf(console.url, key)
    const { page: first } = await console.visit('/status')
    const ofOwner = { ...adminNamed('Olu'), ownerId }
    await addSession(first, console.url, await start(ofOwner))
    for (const view of [{}, { key }]) {
      const visited = await console.visit('/overview', view)
      const { page } = visited
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
      for (const name of adminPages) {
        await page.goto(`${console.url}/admin/${name}`)
        await page.getByText('This page is for admins of the installation').waitFor()
        assert.equal(await page.getByRole('link', { name: 'Access requests' }).count(), 0)
      }
      await checkLooks(visited, `admin-refused${'key' in view ? '-key' : ''}`)
    }
  })
}
