/** The API reference and the guide in a real browser: one frame, linked both ways, one theme, on this host alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPage, console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const looks = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const

test(
  'the API reference renders in the frame of the site, loads nothing from another host and breaks no policy',
  { skip },
  async () => {
    // Few looks, since the rules take seconds for a page of this length.
    for (const look of [looks[0], looks[3]]) {
      const visited = await console.visit('/docs/', look)
      const { page } = visited
      await page.getByText('Verify a corridor before a payment').first().waitFor({ state: 'attached' })
      await page.getByText('Fairway never moves funds').first().waitFor()
      await checkPage(visited, `reference-${look.width}-${look.scheme}`)
    }
  },
)

test(
  'pages of the guide and the page for unknown addresses can be read in every look',
  { skip },
  async () => {
    for (const look of looks) {
      for (const path of ['/guide/', '/guide/getting-started', '/guide/operators', '/nowhere']) {
        const visited = await console.visit(path, look)
        await visited.page.getByRole('heading', { level: 1 }).waitFor()
        await checkPage(visited, `site${path.replaceAll('/', '-')}-${look.width}-${look.scheme}`)
      }
    }
  },
)

test('console, guide and reference lead to each other by the keyboard', { skip }, async () => {
  const { page } = await console.visit('/status')
  const follow = async (name: string, path: RegExp): Promise<void> => {
    await page.getByRole('link', { name, exact: true }).first().press('Enter')
    await page.waitForURL(path)
  }
  await follow('Guide', /\/guide\/$/)
  await follow('Errors', /\/guide\/errors$/)
  assert.match(await page.title(), /^Errors/)
  await follow('API reference', /\/docs\/$/)
  await follow('Guide', /\/guide\/$/)
  await follow('Console', /\/$/)
  await page.getByRole('button', { name: 'Verify' }).waitFor()
})

test('on a narrow window the pages of the guide are behind one button', { skip }, async () => {
  const { page } = await console.visit('/guide/', { width: 390 })
  await page.getByText('All pages of the guide').press('Enter')
  await page
    .getByRole('navigation', { name: 'All pages of the guide' })
    .getByRole('link', { name: 'Webhooks' })
    .press('Enter')
  await page.waitForURL(/\/guide\/webhooks$/)
})

test(
  'a theme that is chosen in one place holds in the others, and in the reference at once',
  { skip },
  async () => {
    const { page } = await console.visit('/guide/')
    const colour = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    assert.equal(await colour(), 'dark')
    await page.goto(`${console.url}/docs/`)
    await page.locator('body.dark-mode').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed'), 'true')
    await page.getByRole('button', { name: 'Light theme' }).click()
    await page.locator('body.light-mode').waitFor()
    await page.goto(`${console.url}/`)
    assert.equal(await colour(), 'light')
  },
)
