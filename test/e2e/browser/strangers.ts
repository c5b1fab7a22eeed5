/** Every page of the console, for a stranger: it renders without a key and without data, light and dark, wide and narrow. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { consolePages } from '../../../src/http/routes/console.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

/** What stands for the changing part of an address. */
const samples: Readonly<Record<string, string>> = {
  ':request_id': 'SVC-2026-UNKNOWN',
  ':corridor': 'GB-NG',
  ':webhook_id': 'whk_unknown',
}

const addressOf = (page: string): string => page.replace(/:\w+/, (name) => samples[name] ?? name)
const nameOf = (page: string): string => page.slice(1).replaceAll(/\W+/g, '-') || 'try'

describe('every page', { skip: chromiumNeeded.skip }, () => {
  for (const view of [{}, { width: 360, scheme: 'dark' }] as const) {
    const ending = 'width' in view ? '-360-dark' : ''
    // Those that need a key show a stranger the same form: one of them is enough on a narrow window.
    const pages = 'width' in view ? ['/', '/sign-in', '/overview', '/status'] : consolePages
    test(`renders for a stranger${ending}, has a title, and asks for a key in its place where it needs one`, async () => {
      const visited = await console.visit('/', view)
      for (const path of pages) {
        await visited.page.goto(console.url + addressOf(path))
        await visited.page.getByRole('heading', { level: 1 }).waitFor()
        await visited.page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
        await checkPage(visited, `${nameOf(path)}-stranger${ending}`)
        assert.match(await visited.page.title(), / · Fairway$/)
      }
      assert.equal(await visited.page.evaluate('sessionStorage.length'), 0)
    })
  }
})
