/** The search of the guide and the API reference: by keyboard alone, in every look, and when it cannot be loaded. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkPage, console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const field = (page: Page) => dialog(page).getByRole('combobox')
const active = (page: Page) => dialog(page).locator('[role="option"][aria-selected="true"]')

async function open(page: Page, press = 'Control+k'): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
  await page.keyboard.press(press)
  await dialog(page).locator('input:focus').waitFor()
}

describe('the search of the guide and the API reference', { skip }, () => {
  test('leads to the part of a page by the keyboard, from one to the other', async () => {
    const { page, faults } = await console.visit('/guide/')
    await open(page, '/')
    await page.keyboard.type('check signature')
    await active(page).getByText('Check the signature').waitFor()
    assert.equal(
      await field(page).getAttribute('aria-activedescendant'),
      await active(page).getAttribute('id'),
    )
    assert.ok((await active(page).locator('mark').allTextContents()).includes('signature'))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/guide/webhooks#check-the-signature')
    await open(page)
    await page.keyboard.type('/api/v1/demo-verify')
    await active(page).getByText('Try a verification without a key').waitFor()
    await page.keyboard.press('ArrowUp')
    assert.equal(await dialog(page).getByRole('option').last().getAttribute('aria-selected'), 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/#tag/demo/POST/api/v1/demo-verify')
    assert.deepEqual(faults, [])
  })

  test('leaves the slash to the filter of the reference, and closes on a part of the same page', async () => {
    const { page } = await console.visit('/docs/')
    await page.locator('h1').waitFor()
    await page.keyboard.press('/')
    await page.locator('.ref-find input:focus').waitFor()
    assert.equal(await dialog(page).count(), 0)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await field(page).fill('OVERLOADED')
    await field(page).fill('Authentication')
    await dialog(page)
      .getByRole('group', { name: 'API reference' })
      .getByRole('option', { name: /^Authentication/ })
      .click()
    await page.waitForURL('**/docs/#authentication')
    await dialog(page).waitFor({ state: 'hidden' })
  })
})

describe('the search of the guide, in every state', { skip }, () => {
  test('can be read in light and dark, wide and narrow, with results and without', async () => {
    for (const look of [
      { width: 1440, scheme: 'light' },
      { width: 390, scheme: 'dark' },
    ] as const) {
      const visited = await console.visit('/guide/policies', look)
      const { page } = visited
      await open(page)
      await checkPage(visited, `site-search-open-${look.width}`)
      await field(page).fill('retention')
      await active(page).waitFor()
      await checkPage(visited, `site-search-found-${look.width}`)
      await field(page).fill('<b>nowhere</b>')
      await dialog(page).getByText('Nothing found for “<b>nowhere</b>”.').waitFor()
      await checkPage(visited, `site-search-nothing-${look.width}`)
    }
  })

  test('says when it cannot be loaded, and finds once it can; it is loaded once', async () => {
    const { page } = await console.visit('/guide/')
    const index = '**/guide/search.json'
    await page.route(index, (route) => route.abort())
    await open(page)
    await page.keyboard.type('k')
    await dialog(page).getByText('The search could not be loaded.').waitFor()
    await page.unroute(index)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await field(page).fill('webhooks')
    await active(page).waitFor()
    await field(page).fill('policies')
    await active(page).getByText('Policies').first().waitFor()
    assert.deepEqual(asked, ['/guide/search.json'])
  })
})

test(
  'a page of the guide leads to its pages of the console, and a setting to its row',
  { skip },
  async () => {
    const visited = await console.visit('/guide/webhooks')
    const { page } = visited
    await page.getByText('Open in the console:').getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.goto(`${console.url}/guide/reviews`)
    await page.getByRole('link', { name: 'FAIRWAY_REVIEW_DUE_S' }).first().click()
    await page.waitForURL('**#FAIRWAY_REVIEW_DUE_S')
    await page.locator('tr:target').getByText('is due, at most 2592000').waitFor()
    await checkPage({ ...visited }, 'site-setting')
  },
)
