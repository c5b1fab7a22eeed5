/** Signing in: the key stays in its tab, and a sandbox key is had from the page. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withCaptchaService } from '../../helpers/peers/captcha.ts'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const keyField = (page: Page) => page.getByLabel('API key')
const kept = (page: Page) => page.evaluate(`sessionStorage.getItem('fairway.key')`)

async function signIn(page: Page, key: string): Promise<void> {
  await keyField(page).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function askForKey(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Payments team')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Purpose').fill('We pay suppliers in Lagos.')
  await page.getByRole('button', { name: 'Get a sandbox key' }).click()
}

const { skip } = chromiumNeeded
describe('signing in', { skip }, () => {
  test('a key that does not hold is told beside its field, and is not kept', async () => {
    const visited = await console.visit('/sign-in', { width: 360, scheme: 'dark' })
    const { page } = visited
    await signIn(page, `pk_test_${'0'.repeat(40)}`)
    await page.getByText('This key is unknown, expired or revoked.').waitFor()
    await checkPage(visited, 'sign-in-refused-360-dark')
    await signIn(page, 'two words')
    await page.getByText('This is not an API key. Paste the key exactly as it was issued.').waitFor()
    assert.equal(await kept(page), null)
  })

  test('the key is in this tab alone: in no address, no other storage, no other tab, no other origin', async () => {
    const key = await console.issue()
    const visited = await console.visit('/sign-in')
    const { page, faults } = visited
    const carriers = new Set<string>()
    page.context().on('request', (request) => {
      const text = JSON.stringify([request.headers(), request.postData()])
      if (text.includes(key)) carriers.add(new URL(request.url()).origin)
      if (request.url().includes(key)) faults.push('the key is in an address')
    })
    await signIn(page, key)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/overview')
    assert.equal(await kept(page), key)
    assert.equal(JSON.stringify(await page.evaluate('({ ...localStorage })')).includes(key), false)
    assert.equal(await page.evaluate('document.cookie'), '')

    const opened = page.context().waitForEvent('page')
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Verifications', exact: true })
      .click({ modifiers: ['ControlOrMeta'] })
    const second = await opened
    await second.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await kept(second), null)

    await page.reload()
    await page.getByRole('link', { name: 'End to end' }).click()
    await page.getByText('Recorded decisions', { exact: true }).waitFor()
    await checkPage(visited, 'sign-in-your-key')
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
    await keyField(page).waitFor()
    assert.equal(await kept(page), null)
    await page.reload()
    await keyField(page).waitFor()
    assert.deepEqual([...carriers], [console.url])
    assert.deepEqual(faults, [])
  })
})

describe('where signing in leads', { skip }, () => {
  test('who came from a page goes back to it with all that was in its address, and never elsewhere', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/?amount=1000.07&show=json')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await signIn(page, key)
    await page.getByLabel('Try without recording').waitFor()
    assert.equal(page.url(), `${console.url}/?amount=1000.07&show=json`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    for (const from of ['https://example.com/', '//example.com/', String.raw`/\example.com`]) {
      await page.goto(`${console.url}/sign-in?from=${encodeURIComponent(from)}`)
      await signIn(page, key)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      assert.equal(page.url(), `${console.url}/overview`)
      await page.getByRole('button', { name: 'Sign out' }).click()
    }
  })
})

describe('getting a sandbox key', { skip }, () => {
  test('what is missing is told beside its field; the key is shown once, and used at a press', async () => {
    const visited = await console.visit('/overview')
    const { page } = visited
    await page.goto(`${console.url}/sign-in?from=%2Fstatus#get-a-key`)
    await page.getByRole('button', { name: 'Get a sandbox key' }).click()
    await page.getByText('This must not be empty.').nth(2).waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'name')
    await checkPage(visited, 'sign-in-errors')
    await askForKey(page, 'payments@example.com')
    await page.getByText('This key is shown only once').waitFor()
    const key = (await page.getByRole('region', { name: 'Sandbox key' }).locator('code').textContent()) ?? ''
    assert.match(key, /^svc-sandbox-\w+$/)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    assert.equal(await kept(page), null)
    await checkPage(visited, 'sign-in-new-key')
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('link', { name: 'Payments team' }).waitFor()
    assert.equal(page.url(), `${console.url}/status`)
    assert.equal(await kept(page), key)
    assert.equal((await page.content()).includes(key), false)
  })

  test('an address that has its three keys is told so, and when to come back', async () => {
    const visited = await console.visit('/sign-in#get-a-key', { width: 360, scheme: 'dark' })
    const { page } = visited
    for (let count = 1; count <= 3; count += 1) {
      await askForKey(page, 'settlements@example.com')
      await page.getByText('This key is shown only once').waitFor()
      await page.reload()
    }
    await askForKey(page, 'settlements@example.com')
    await page.getByText('already has 3 active sandbox keys').waitFor()
    await page.getByText(/^Try again at .+, in 24 hours\.$/).waitFor()
    await checkPage(visited, 'sign-in-quota-360-dark')
  })
})

describe('a server with a captcha', { skip }, () => {
  test('where the server asks for a captcha the page says so, and who can issue a key', async () => {
    await withCaptchaService(
      () => ({ status: 200, body: '{"success":false}' }),
      async ({ url, forms }) => {
        const settings = { FAIRWAY_RECAPTCHA_SECRET: 'a-secret', FAIRWAY_RECAPTCHA_URL: url }
        await withConsole({ ...settings, FAIRWAY_LIMIT_ACCESS: '1/600' }, async (guarded) => {
          const visited = await guarded.visit('/sign-in#get-a-key')
          await askForKey(visited.page, 'payments@example.com')
          await visited.page.getByText('This server requires a captcha').waitFor()
          await visited.page.getByText('fairway keys issue').waitFor()
          assert.deepEqual(
            forms().map(({ response }) => response),
            ['console'],
          )
          await checkPage(visited, 'sign-in-captcha')
          await askForKey(visited.page, 'payments@example.com')
          await visited.page.getByText(/^Try again at [\d:]+, in \d+ minutes\.$/).waitFor()
        })
      },
    )
  })
})
