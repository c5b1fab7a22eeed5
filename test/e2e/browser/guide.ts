/** The guide in a real browser: its pictures in both themes, and the place of a page in the list of all. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const pagesWithPictures = { concepts: 2, reviews: 1, 'tamper-evidence': 1, 'deploy-ha': 1 }

const drawn = async (image: Locator): Promise<Buffer> => {
  await image.scrollIntoViewIfNeeded()
  await image.evaluate((node) => (node as unknown as { decode(): Promise<void> }).decode())
  return image.screenshot()
}

describe('the guide', { skip: chromiumNeeded.skip }, () => {
  test("draws every picture in the colours of the theme, be it the system's or chosen", async () => {
    for (const [name, count] of Object.entries(pagesWithPictures)) {
      const { page } = await console.visit(`/guide/${name}`, { scheme: 'light' })
      const choose = (theme: string) => page.getByRole('button', { name: `${theme} theme` }).click()
      const images = await page.locator('.guide-picture img').all()
      assert.equal(images.length, count, name)
      for (const image of images) {
        const light = await drawn(image)
        await choose('Dark')
        const chosen = await drawn(image)
        await choose('System')
        await page.emulateMedia({ colorScheme: 'dark' })
        const dark = await drawn(image)
        await page.emulateMedia({ colorScheme: 'light' })
        assert.ok(!dark.equals(light), name)
        assert.ok(dark.equals(chosen), name)
      }
    }
  })

  test('shows the current page in the list of all, and the page itself from its beginning', async () => {
    for (const [path, name] of [
      ['/guide/decisions-0053-mcp', 'Decisions'],
      ['/guide/trust', 'Trust'],
    ] as const) {
      const { page } = await console.visit(path, { height: 700 })
      await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
      const item = page.locator('.guide-pages [aria-current]')
      assert.equal(await item.textContent(), name)
      const box = (await item.boundingBox()) ?? assert.fail(name)
      assert.ok(box.y > 56 && box.y + box.height < 700, `${name} is at ${box.y}`)
      assert.equal(await page.evaluate('scrollY'), 0)
    }
  })
})
