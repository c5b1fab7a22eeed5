/** An admin of the installation in the browser tests, and the looks at which every page of the administration is checked. */

import type { Page } from 'playwright-core'
import { checkPage, openWindow, type Console, type Look, type Visited } from './console.ts'
import { addSession, withPeople, type ConsolePeople } from './console-people.ts'

/** Every page is seen wide and narrow, light and dark. */
const looks: Readonly<Record<string, Look>> = {
  '1440': { width: 1440, height: 900 },
  '1440-dark': { width: 1440, height: 900, scheme: 'dark' },
  '390': { width: 390, height: 844 },
  '390-dark': { width: 390, height: 844, scheme: 'dark' },
}

/** The page as it is, in every look. */
export async function checkLooks(visited: Visited, name: string): Promise<void> {
  const { page } = visited
  for (const [look, { width = 0, height = 0, scheme = 'light' }] of Object.entries(looks)) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    // Chromium keeps inherited colours of the scheme before; a page that is loaded in a scheme has its own.
    await page.evaluate(
      `{ const { style } = document.body; style.display = 'none'; void document.body.offsetHeight; style.display = '' }`,
    )
    await checkPage(visited, `${name}-${look}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

export const adminNamed = (name: string) => ({
  name: `${name} Example`,
  email: `${name.toLowerCase()}@example.com`,
  roles: ['admin'] as const,
  ownerId: null,
})

/** With an admin who is signed in to the browser that windows share. */
export async function asAdmin(
  at: Console,
  work: (people: ConsolePeople) => Promise<void>,
  name = 'Ada',
): Promise<void> {
  await withPeople(at, async (people) => {
    const page = await openWindow()
    await addSession(page, at.url, await people.start(adminNamed(name)))
    await page.close()
    await work(people)
  })
}

/** Another browser, with a session of its own or with none. */
export async function otherBrowser(at: Console, path: string, token: string | null): Promise<Visited> {
  const visited = await at.visit('/theme.js', { width: 1440, hasClock: true })
  if (token !== null) await addSession(visited.page, at.url, token)
  await visited.page.goto(at.url + path)
  return visited
}

export const rowOf = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text })

/** Selects an action from the menu of a row. */
export async function choose(page: Page, of: RegExp | string, action: string): Promise<void> {
  const menu = page.locator('.row-menu').filter({
    has: page.locator(typeof of === 'string' ? `summary[aria-label*="${of}"]` : 'summary'),
  })
  await menu.first().locator('summary').click()
  await menu.first().getByText(action, { exact: true }).click()
}
