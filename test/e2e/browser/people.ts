/** People in the console: an invitation, a session that every tab shares, its end, and another person after it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { checkPage, console, openWindow, withConsole } from '../../helpers/console.ts'
import { addSession, ownerOf, withPeople, type Member } from '../../helpers/console-people.ts'
import { goodPassword, plainCookie } from '../../helpers/people.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded
const narrow = { width: 390, height: 844, scheme: 'dark' } as const

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const signedInAs = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Signed in' }).getByText(name, { exact: true })
const cookieOf = async (page: Page) =>
  (await page.context().cookies(console.url)).find(({ name }) => name === plainCookie)

async function member(name: string, more: Partial<Member> = {}): Promise<Member> {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  const ownerId = more.ownerId ?? (await ownerOf(console.url, await console.issue()))
  return { name, email, roles: ['viewer'], ownerId, ...more }
}

async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
  const form = page.getByRole('form', { name: 'Local account' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Sign in' }).click()
}

async function accept(page: Page, name: string, password: string, again = password): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password again').fill(again)
  await page.getByRole('button', { name: 'Accept and sign in' }).click()
}

describe('an invitation', { skip }, () => {
  test('is accepted once, signs in, and leaves the address at once', () =>
    withPeople(console, async ({ invite }) => {
      const { ownerId, email } = await member('Ines Example')
      const { token } = await invite({ email, ownerId, roles: ['reviewer'] })
      const visited = await console.visit(`/invitation#${token}`)
      const { page } = visited
      await page.getByText('Also claims reviews, comments on them and proposes').waitFor()
      assert.equal(page.url(), `${console.url}/invitation`)
      await checkPage(visited, 'people-invitation')
      await accept(page, '', 'too short', 'another')
      await page.getByText('Enter your name.').waitFor()
      await page.getByText('Enter 12 to 200 characters. These are 9.').waitFor()
      await page.getByText('The two passwords differ.').waitFor()
      await accept(page, 'Ines Example', 'aaaaaaaaaaaaaaa')
      await page.getByText('This must have at least 5 different characters.').waitFor()
      await accept(page, 'Ines Example', goodPassword)
      await heading(page, 'Overview').waitFor()
      await signedInAs(page, 'Ines Example').waitFor()
      assert.equal(page.url(), `${console.url}/overview`)
      await page.goto(`${console.url}/invitation#${token}`)
      await page.getByText('This link can no longer be used').waitFor()
      await checkPage(visited, 'people-invitation-used')
    }))

  test('says whose session it replaces, and other tabs show nothing of that person any longer', () =>
    withPeople(console, async ({ invite, start }) => {
      const first = await member('Femi Example')
      const page = await openWindow()
      await addSession(page, console.url, await start(first))
      await page.goto(`${console.url}/overview`)
      await signedInAs(page, 'Femi Example').waitFor()
      const { token } = await invite({ ...first, email: 'next@example.com' })
      const visited = await console.visit(`/invitation#${token}`, narrow)
      await visited.page.getByText('Femi Example is signed in to this browser').waitFor()
      await checkPage(visited, 'people-invitation-replaces-390-dark')
      await accept(visited.page, 'Next Example', goodPassword)
      await heading(visited.page, 'Overview').waitFor()
      await signedInAs(page, 'Next Example').waitFor()
      assert.equal(await page.getByText('Femi Example').count(), 0)
    }))
})

describe('a session', { skip }, () => {
  test('is kept by a new tab, a reload and a deep link, in a cookie that no script can read', () =>
    withPeople(console, async ({ join }) => {
      const { email } = await join(await member('Tola Example'))
      const { page } = await console.visit('/sign-in?from=%2Fverifications%3Flimit%3D50')
      await signIn(page, email)
      await heading(page, 'Verifications').waitFor()
      assert.equal(page.url(), `${console.url}/verifications?limit=50`)
      const cookie = (await cookieOf(page)) ?? assert.fail('no cookie')
      assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Lax', '/'])
      assert.equal(await page.evaluate('document.cookie'), '')
      const stored = JSON.stringify(await page.evaluate('[{ ...sessionStorage }, { ...localStorage }]'))
      assert.equal(stored.includes(cookie.value), false)
      await page.reload()
      await signedInAs(page, 'Tola Example').waitFor()
      const { page: tab } = await console.visit('/corridors/GB-NG')
      await signedInAs(tab, 'Tola Example').waitFor()
      await heading(tab, 'United Kingdom to Nigeria').waitFor()
      assert.equal(await tab.getByText('Sign in to see').count(), 0)
    }))

  test('the form to sign in is not shown while the server is asked who is signed in', () =>
    withPeople(console, async ({ start }) => {
      const page = await openWindow()
      await addSession(page, console.url, await start(await member('Pia Example')))
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/auth/session', async (route) => {
        await held
        await route.continue()
      })
      for (const path of ['/overview', '/sign-in']) {
        await page.goto(console.url + path)
        await page.locator('main [aria-busy=true]').waitFor()
        assert.equal(await page.getByText('Sign in with', { exact: false }).count(), 0)
        assert.equal(await page.getByLabel('API key').count(), 0)
      }
      release()
      await heading(page, 'Your account').waitFor()
    }))
})

describe('signing in with a password', { skip }, () => {
  test('a wrong password is told at its field, light and dark, and the key form is beside it', () =>
    withPeople(console, async ({ join }) => {
      const { email } = await join(await member('Wren Example'))
      for (const view of [{}, narrow]) {
        const visited = await console.visit('/sign-in', view)
        await signIn(visited.page, email, 'not the password')
        await visited.page.getByText('The email address or the password is wrong.').waitFor()
        assert.equal(await cookieOf(visited.page), undefined)
        await visited.page.getByLabel('API key').waitFor()
        await checkPage(visited, `people-sign-in${'width' in view ? '-390-dark' : ''}`)
      }
    }))

  test('too many attempts are told with the time to come back', () =>
    withConsole({ FAIRWAY_LIMIT_SIGN_IN: '1/600' }, async (limited) => {
      await withPeople(limited, async ({ invite }) => {
        await invite({ email: 'ines@example.com', roles: ['admin'], ownerId: null })
        const { page } = await limited.visit('/overview')
        await signIn(page, 'ines@example.com')
        await page.getByText('The email address or the password is wrong.').waitFor()
        await signIn(page, 'ines@example.com')
        await page.getByText('Too many attempts to sign in').waitFor()
        await page.getByText(/^Try again at [\d:]+, in \d+ minutes\.$/).waitFor()
      })
    }))
})

describe('the end of a session', { skip }, () => {
  test('signing out ends it on the server and in the other tabs', () =>
    withPeople(console, async ({ start }) => {
      const token = await start(await member('Sade Example'))
      const page = await openWindow()
      await addSession(page, console.url, token)
      await page.goto(`${console.url}/overview`)
      await signedInAs(page, 'Sade Example').waitFor()
      const { page: tab } = await console.visit('/verifications')
      await tab.getByRole('button', { name: 'Sign out' }).click()
      await tab.getByRole('heading', { name: 'Sign in to see your verifications' }).waitFor()
      await page.getByText('Your session has ended').waitFor()
      await page.getByRole('heading', { name: 'Sign in to see your decisions' }).waitFor()
      assert.equal(await cookieOf(page), undefined)
      await addSession(page, console.url, token)
      await page.goto(`${console.url}/verifications`)
      await page.getByRole('heading', { name: 'Sign in to see your verifications' }).waitFor()
    }))

  test('one that an admin ended asks to sign in in place, and goes on where it was', () =>
    withPeople(console, async ({ join, endSessions }) => {
      const person = await join(await member('Edna Example'))
      const visited = await console.visit('/overview?range=7d', narrow)
      const { page } = visited
      await signIn(page, person.email)
      await page.getByRole('button', { name: '30 d' }).click()
      await page.getByRole('button', { name: '30 d', pressed: true }).waitFor()
      assert.equal(await endSessions(person), 2)
      // The page finds out by itself, when it refreshes its figures.
      await page.getByText('Your session has ended').waitFor()
      await checkPage(visited, 'people-ended-390-dark')
      await signIn(page, person.email)
      await page.getByRole('button', { name: '30 d', pressed: true }).waitFor()
      assert.equal(page.url(), `${console.url}/overview?range=30d`)
      assert.equal(await page.getByText('Your session has ended').count(), 0)
    }))
})

describe('a key in a tab', { skip }, () => {
  test('counts before the session, travels without the cookie, and gives way to it when it is gone', () =>
    withPeople(console, async ({ start }) => {
      const page = await openWindow()
      await addSession(page, console.url, await start(await member('Kofi Example')))
      const key = await console.issue({ ownerLabel: 'Key of the tab' })
      const sent: Request[] = []
      await page.goto(`${console.url}/sign-in`)
      await page.getByText('Sign in with an API key').click()
      await page.getByLabel('API key').fill(key)
      page.on('request', (request) => {
        if (request.url().includes('/api/')) sent.push(request)
      })
      await page.getByRole('button', { name: 'Sign in with key' }).click()
      await page.getByRole('heading', { name: 'Key of the tab' }).waitFor()
      await page.goto(`${console.url}/overview`)
      await page.getByRole('link', { name: 'Key of the tab' }).waitFor()
      const headers = await Promise.all(sent.map((request) => request.allHeaders()))
      assert.ok(headers.some(({ authorization }) => authorization === `Bearer ${key}`))
      assert.equal(
        headers.some(({ cookie }) => cookie !== undefined),
        false,
      )
      await page.getByRole('button', { name: 'Sign out' }).click()
      await signedInAs(page, 'Kofi Example').waitFor()
    }))
})
