/** Signing in and out at the example's identity provider. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage, openWindow, withConsole, type Console } from '../../helpers/console.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { freePort } from '../../helpers/process/free-port.ts'
import { inherited } from '../../helpers/process/in-process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const example = new URL('../../../examples/oidc/provider.ts', import.meta.url).pathname

interface Stage {
  readonly console: Console
  /** The host of the provider, as the button names it. */
  readonly host: string
  readonly stopProvider: () => Promise<void>
}

/** With a server of its own, and the example started as its page says. */
async function withExample(work: (stage: Stage) => Promise<void>): Promise<void> {
  const port = await freePort()
  const settings = {
    FAIRWAY_OIDC_ISSUER: `http://localhost:${port}`,
    FAIRWAY_OIDC_CLIENT_ID: 'fairway',
    FAIRWAY_OIDC_CLIENT_SECRET: 'example-secret',
  }
  await withConsole(settings, async (console) => {
    const key = await console.issue({ ownerLabel: 'Payments team' })
    const headers = { authorization: `Bearer ${key}` }
    const me = await checkedFetch(`${console.url}/api/v1/me`, { headers })
    const { owner_id: ownerId } = (await me.json()) as { owner_id: string }
    const provider = spawn(process.execPath, [example, '--owner', ownerId, '--port', String(port)], {
      env: { ...inherited(), FAIRWAY_PUBLIC_URL: console.url },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      await once(provider.stdout, 'data')
      await work({ console, host: `localhost:${port}`, stopProvider: () => stop(provider) })
    } finally {
      await stop(provider)
    }
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** A browser that nobody has signed in with. */
async function newBrowser(): Promise<Page> {
  const browser = (await openWindow()).context().browser() ?? assert.fail('no browser')
  return (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const signInLink = (page: Page) => page.getByRole('link', { name: /^Sign in with/ })

async function giveAccount(page: Page, email: string): Promise<void> {
  await heading(page, 'Example identity provider').waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('any password')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const { skip } = chromiumNeeded
describe('an identity provider', { skip }, () => {
  test('the button leads through the provider to the page that was asked for, and every tab is signed in', async () => {
    await withExample(async ({ console, host }) => {
      const page = await newBrowser()
      const link = '/verifications?decision=NO-GO&corridor=GB-NG'
      await page.goto(console.url + link)
      await page.getByRole('link', { name: `Sign in with ${host}` }).click()
      await checkPage({ page, faults: [] }, 'oidc-provider')
      await giveAccount(page, 'approver@example.com')
      await heading(page, 'Verifications').waitFor()
      assert.equal(page.url(), console.url + link)
      await page.getByText('Abena Approver').first().waitFor()
      await page.reload()
      await page.getByText('Abena Approver').first().waitFor()
      const tab = await page.context().newPage()
      await tab.goto(`${console.url}/overview`)
      await tab.getByText('Abena Approver').first().waitFor()
      assert.equal(await tab.evaluate('document.cookie'), '')
    })
  })

  test('signing out signs out at the provider, which asks for the account at the next sign-in', async () => {
    await withExample(async ({ console, host }) => {
      const page = await newBrowser()
      await page.goto(`${console.url}/sign-in`)
      await signInLink(page).click()
      await giveAccount(page, 'viewer@example.com')
      await heading(page, 'Overview').waitFor()
      // Until then the provider knows the browser: without the cookies of Fairway no account is asked for.
      await page.context().clearCookies({ name: /^fairway-/ })
      await page.goto(`${console.url}/sign-in`)
      await signInLink(page).click()
      await heading(page, 'Overview').waitFor()
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await signInLink(page).waitFor()
      assert.equal(page.url(), `${console.url}/sign-in`)
      await signInLink(page).click()
      await page.waitForURL(`http://${host}/interaction/*`)
      await giveAccount(page, "n'o&lt@example.com")
      await page.getByText("There is no account with the email address n'o&lt@example.com.").waitFor()
      await giveAccount(page, 'author@example.com')
      await page.getByText('Ana Author').first().waitFor()
    })
  })
})

describe('an identity provider that is down', { skip }, () => {
  test('while the provider is down the page says so, and a key signs in', async () => {
    await withExample(async ({ console, stopProvider }) => {
      const key = await console.issue()
      const page = await newBrowser()
      await page.goto(`${console.url}/status`)
      await stopProvider()
      await page.goto(`${console.url}/sign-in?from=%2Fstatus`)
      await signInLink(page).click()
      await page.getByText('The identity provider cannot be used now.').waitFor()
      await checkPage({ page, faults: [] }, 'oidc-down')
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in with key' }).click()
      await heading(page, 'Status').waitFor()
      assert.equal(page.url(), `${console.url}/status`)
    })
  })
})
