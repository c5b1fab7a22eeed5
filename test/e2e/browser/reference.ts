/** The API reference in a real browser: it renders, stays on this host and breaks no policy. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { console, openWindow, picture } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

test(
  'the API reference renders, loads nothing from another host and breaks no policy',
  { skip: chromiumNeeded.skip },
  async () => {
    for (const width of [1280, 360]) {
      const page = await openWindow({ width })
      const faults: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(console.url))
          faults.push(request.url())
      })
      await page.goto(`${console.url}/docs/`)
      await page.getByText('Verify a corridor before a payment').first().waitFor({ state: 'attached' })
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      await picture(page, `reference-${width}`)
      assert.deepEqual(faults, [], `at ${width}`)
      assert.equal(overflow, 0, `at ${width} it fits its window`)
    }
  },
)
