/** What a page does when all is not well, and for whoever has no mouse: the shell's own guarantees. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask, serve, type Served } from '../../helpers/process/process.ts'
import { checkPage, console, picture, withConsole, type Console, type View } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

/** The page that tells of the key, which asks again every 15 seconds. */
const keyPage = '/sign-in'
const refreshMs = 15_000
const turnsMax = 500

/** Time is the test's own from here on: a refresh that is due in 15 seconds is due at once. */
async function visitWithClock(at: Console, view: View) {
  const visited = await at.visit(keyPage, { ...view, hasClock: true })
  await visited.page.getByText('Recorded decisions', { exact: true }).waitFor()
  return visited
}

/** Lets time pass, refresh by refresh, until the words are there, or gone. */
async function until(page: Page, words: string, isShown: boolean): Promise<void> {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    if ((await page.getByText(words).isVisible()) === isShown) return
    await page.clock.runFor(refreshMs)
  }
  assert.fail(`"${words}" is ${isShown ? 'not there' : 'there still'}`)
}

const { skip } = chromiumNeeded
describe('a page that is open', { skip }, () => {
  test('asks for a key in its own place when its key is revoked, and goes on with another', async () => {
    const key = await console.issue()
    const visited = await visitWithClock(console, { key })
    const { page } = visited
    await console.revoke(key)
    await until(page, 'Your key is no longer accepted', true)
    assert.equal(await page.evaluate(`sessionStorage.getItem('fairway.key')`), null)
    await checkPage(visited, 'states-revoked')
    await page.getByLabel('API key').fill(await console.issue({ ownerLabel: 'Payments team' }))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Payments team' }).waitFor()
    assert.equal(page.url(), console.url + keyPage)
  })

  test('an unknown address inside the console leads back to the start', async () => {
    const visited = await console.visit('/')
    const { page } = visited
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(`history.pushState(null, '', '/no-such-page')`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await checkPage(visited, 'states-nowhere')
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.getByRole('heading', { level: 1, name: 'One decision before money moves' }).waitFor()
  })

  test('asks for a reload when an update has removed the script of the next page', async () => {
    const visited = await console.visit('/')
    const { page } = visited
    const script = '**/assets/status-*.js'
    await page.route(script, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Status' }).click()
    await page.getByText('Fairway was updated after this tab was opened').waitFor()
    assert.equal(await page.getByText(/Failed to fetch|Something went wrong/).count(), 0)
    await checkPage({ page, faults: [] }, 'states-updated')
    await page.unroute(script)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await page.getByText('Fairway was updated after this tab was opened').waitFor({ state: 'detached' })
  })

  test('the first visit shows heading and form before any data is there', async () => {
    const { page } = await console.visit('/sign-in')
    let blocked = 0
    // Never answered: what is seen needs none of it.
    await page.route('**/api/**', () => {
      blocked += 1
    })
    await page.goto(console.url)
    await page.getByRole('heading', { level: 1, name: 'One decision before money moves' }).waitFor()
    await page.getByLabel('Corridor').waitFor()
    await page.getByRole('button', { name: 'Verify', exact: true }).waitFor()
    assert.equal(blocked > 0, true)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Deciding').waitFor()
    await page.goto(`${console.url}/status`)
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await page.locator('main .skeleton').first().waitFor()
  })
})

/** Every page that needs a key, and what it says to whoever has none. */
const keyedPages = [
  ['/overview', 'your decisions'],
  ['/reviews', 'the review desk'],
  ['/verifications', 'your verifications'],
  ['/batch', 'batch assessments'],
  ['/policies', 'your policies'],
  ['/calibration', 'the calibration'],
  ['/partners?corridor=GB-NG&amount=1000&currency=GBP', 'partner rankings'],
  ['/corridors', 'corridor health'],
  ['/webhooks', 'your endpoints'],
] as const

describe('a key that is revoked', { skip }, () => {
  test('every page that needs one asks for another in its place, and keeps its address', async () => {
    const key = await console.issue()
    await console.revoke(key)
    // A server that has never seen the key does not take it for a moment longer.
    for (const [path, what] of keyedPages) {
      const { page, faults } = await console.visit(path, { key })
      await page.getByText('Your key is no longer accepted').waitFor()
      await page.getByRole('heading', { name: `Sign in to see ${what}` }).waitFor()
      await page.getByLabel('API key').waitFor()
      assert.equal(page.url(), console.url + path)
      assert.equal(await page.getByText('Something went wrong').count(), 0)
      assert.deepEqual(faults, [])
    }
  })
})

describe('a session', { skip }, () => {
  test('goes on when the key before it is refused late', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/', { key })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/v1/verify', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Try without recording').waitFor()
    const sent = page.waitForRequest('**/api/v1/verify')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await sent
    await console.revoke(key)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in with a key' }).click()
    await page.getByLabel('API key').fill(await console.issue({ ownerLabel: 'Next one' }))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Next one' }).waitFor()
    const late = page.waitForResponse('**/api/v1/verify')
    release()
    assert.equal((await late).status(), 401)
    await page.getByRole('link', { name: 'Next one' }).click()
    await page.getByRole('heading', { name: 'Next one' }).waitFor()
  })
})

describe('the theme', { skip }, () => {
  test('a chosen theme beats the system’s, over a reload and before the first paint', async () => {
    const { page } = await console.visit('/', { scheme: 'light' })
    const ground = 'getComputedStyle(document.body).backgroundColor'
    // A browser takes up a change of scheme in its own time.
    const becomes = async (isRight: (colour: unknown) => boolean): Promise<unknown> => {
      for (let looks = 0; looks < 2_000; looks += 1) {
        const colour = await page.evaluate(ground)
        if (isRight(colour)) return colour
      }
      return assert.fail('the colour of the page stays as it is')
    }
    const choose = async (theme: string, mark: string): Promise<void> => {
      await page.getByRole('button', { name: theme }).click()
      await page.locator(`html${mark}`).waitFor()
    }
    const light = await page.evaluate(ground)
    await choose('Dark', '[data-theme=dark]')
    const dark = await becomes((colour) => colour !== light)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await becomes((colour) => colour === dark)
    await page.emulateMedia({ colorScheme: 'dark' })
    await choose('Light', '[data-theme=light]')
    await becomes((colour) => colour === light)
    await choose('System', ':not([data-theme])')
    await becomes((colour) => colour === dark)
    assert.equal(await page.evaluate(`localStorage.getItem('fairway.theme')`), null)
  })
})

describe('a server that falters', { skip }, () => {
  test('a key that asked too often is told when to come back, and the page recovers by itself', async () => {
    await withConsole({ FAIRWAY_LIMIT_KEYED: '5/5' }, async (faltering) => {
      const key = await faltering.issue()
      const visited = await visitWithClock(faltering, { key })
      const { page } = visited
      const others = () =>
        checkedFetch(`${faltering.url}/api/v1/organisation/settings`, {
          headers: { authorization: `Bearer ${key}` },
        })
      const limited = page.getByText('Too many requests')
      // Others have taken every place whenever the page asks.
      for (let turn = 0; turn < turnsMax && !(await limited.isVisible()); turn += 1) {
        await Promise.all(Array.from({ length: 6 }, others))
        await page.clock.runFor(refreshMs)
      }
      await page.getByText(/^(?:Try again at [\d:]+, in \d+ seconds?|You can try again now)\.$/).waitFor()
      await page.getByText('Recorded decisions', { exact: true }).waitFor()
      await checkPage(visited, 'states-limited')
      await until(page, 'Too many requests', false)
    })
  })

  test('one that is stopped is told as such, what was loaded stays, and its return is noticed', async () => {
    let again: Served | null = null
    await withConsole({}, async (faltering) => {
      const key = await faltering.issue()
      const visited = await visitWithClock(faltering, { key, width: 360, scheme: 'dark' })
      const { page } = visited
      await faltering.server.stop()
      await until(page, 'Fairway is not responding', true)
      await page.getByText('Recorded decisions', { exact: true }).waitFor()
      await checkPage(visited, 'states-down-360-dark')
      again = await serve({ DATABASE_URL: faltering.databaseUrl, PORT: new URL(faltering.url).port })
      assert.equal((await ask(faltering.url, key, { corridor: 'GB-NG', amount: 1000 })).status, 200)
      await until(page, 'Fairway is not responding', false)
      await page.locator('dd', { hasText: /^1$/ }).waitFor()
    }).finally(() => again?.stop())
  })
})

const focused = (page: Page) =>
  page.evaluate(
    `(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()`,
  ) as Promise<string>

/** Presses Tab until it is there; each step on the way must be seen, but for that out of the page. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  while (passed.at(-1) !== name) {
    await page.keyboard.press('Tab')
    passed.push(await focused(page))
    assert.equal(passed.length < 40, true, `there is no way to ${name}: ${passed.join(', ')}`)
    const isSeen = await page.evaluate(
      `document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle !== 'none'`,
    )
    assert.equal(isSeen, true, `the focus on ${passed.at(-1)} is seen`)
  }
}

describe('by keyboard alone', { skip }, () => {
  test('one comes from the first page to a decision, and to being signed in', async () => {
    const key = await console.issue()
    const { page, faults } = await console.visit('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Corridor')
    await tabTo(page, 'Verify')
    await page.keyboard.press('Enter')
    await page.getByText('Proceed with the payment', { exact: true }).waitFor()
    assert.equal(await focused(page), 'Verify')
    await tabTo(page, 'Sign in')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await tabTo(page, 'API key')
    await page.keyboard.insertText(key)
    await page.keyboard.press('Enter')
    await page.getByLabel('Try without recording').waitFor()
    assert.deepEqual(faults, [])
  })

  test('the menu of a narrow window opens, closes and gives the focus back', async () => {
    const visited = await console.visit('/sign-in', { width: 360, scheme: 'dark' })
    const { page } = visited
    await page.getByRole('heading', { level: 1 }).waitFor()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await tabTo(page, 'Menu')
    await page.keyboard.press('Enter')
    await menu.waitFor()
    await checkPage(visited, 'states-menu-360-dark')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'Menu')
    await page.keyboard.press('Enter')
    await menu.waitFor()
    assert.equal(await focused(page), 'Close')
    await page.keyboard.press('Enter')
    await menu.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'Menu')
    await page.keyboard.press('Enter')
    await menu.waitFor()
    await tabTo(page, 'Status')
    await page.keyboard.press('Enter')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
  })
})

describe('the focus, by keyboard alone', { skip }, () => {
  test('signing out leads to the field for a key, and signing in there to the heading of the page', async () => {
    const key = await console.issue()
    for (const width of [1280, 360]) {
      const { page, faults } = await console.visit('/partners', { key, width })
      await page.getByText('No ranking yet').waitFor()
      if (width < 900) {
        await tabTo(page, 'Menu')
        await page.keyboard.press('Enter')
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
      }
      await tabTo(page, 'Sign out')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Sign in to see partner rankings' }).waitFor()
      assert.equal(await focused(page), 'API key')
      assert.equal(await page.getByRole('dialog', { name: 'Menu' }).isVisible(), false)
      await page.keyboard.insertText(key)
      await page.keyboard.press('Enter')
      await page.getByText('No ranking yet').waitFor()
      assert.equal(await focused(page), 'Partners')
      assert.deepEqual(faults, [])
    }
  })

  test('who signs out on a page that needs no key is at its heading', async () => {
    const { page } = await console.visit('/', { key: await console.issue() })
    await page.getByLabel('Try without recording').waitFor()
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sign in with a key' }).waitFor()
    assert.equal(await focused(page), 'One decision before money moves')
  })
})

describe('a low window', { skip }, () => {
  test('the way out stays in sight, and every page can be reached', async () => {
    const visited = await console.visit('/status', { key: await console.issue(), height: 500 })
    const { page } = visited
    const signOut = await page.getByRole('button', { name: 'Sign out' }).boundingBox()
    assert.ok(signOut)
    assert.equal(signOut.y >= 0 && signOut.y + signOut.height <= 500, true)
    await tabTo(page, 'API reference')
    const link = await page.getByRole('link', { name: 'API reference' }).boundingBox()
    assert.ok(link)
    assert.equal(link.y + link.height <= signOut.y, true)
    await picture(page, 'console-states-low')
  })
})
