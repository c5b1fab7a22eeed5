/** The API reference in a real browser: it renders, stays on this host and breaks no policy. */

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { chromium } from 'playwright-core'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { serve } from '../../helpers/process/process.ts'
import { chromiumArgs, chromiumNeeded } from '../../helpers/process/runtimes.ts'

const screenshots = new URL('../../../test-output/', import.meta.url).pathname

test(
  'the API reference renders, loads nothing from another host and breaks no policy',
  { skip: chromiumNeeded.skip },
  async () => {
    mkdirSync(screenshots, { recursive: true })
    const database = await freshDatabase('sqlite')
    const server = await serve({ DATABASE_URL: database.url })
    const browser = await chromium.launch({ executablePath: chromiumNeeded.path(), args: chromiumArgs })
    try {
      for (const [name, path, text] of [
        ['reference', '/docs/', 'Verify a corridor before a payment'],
      ] as const) {
        for (const width of [1280, 360]) {
          const page = await browser.newPage({ viewport: { width, height: 900 } })
          const faults: string[] = []
          page.on('console', (message) => {
            if (message.type() === 'error') faults.push(message.text())
          })
          page.on('pageerror', (error) => faults.push(String(error)))
          page.on('request', (request) => {
            if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(server.url))
              faults.push(request.url())
          })
          await page.goto(server.url + path)
          await page.getByText(text).first().waitFor({ state: 'attached' })
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          await page.screenshot({ path: `${screenshots}${name}-${width}.png` })
          assert.deepEqual(faults, [], `${name} at ${width}`)
          assert.equal(overflow, 0, `${name} at ${width} fits its window`)
          await page.close()
        }
      }
    } finally {
      await browser.close()
      await server.stop()
      await database.drop()
    }
  },
)
