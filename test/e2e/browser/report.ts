/** The report page in a real browser: it fits its window, breaks no policy, and is light on paper. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { reportPage } from '../../../src/app/assess/report/page.ts'
import { openWindow, picture } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { mixedRows, reportOf, tallyOf } from '../../app/assess/report/samples.ts'

/** Words without a space in them, as long as they may be. */
const unbroken = 'x'.repeat(255)

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const ground = 'getComputedStyle(document.body).backgroundColor'

test(
  'the report fits wide and narrow windows in light and dark, breaks no policy, and is printed light',
  { skip: chromiumNeeded.skip },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairway-report-'))
    const file = join(folder, 'report.html')
    const rows = [...mixedRows(300), { id: unbroken, amount: 1e15 }]
    const more = { reportName: unbroken, source: unbroken, ignoredColumns: [unbroken], rejectedRows: 1 }
    writeFileSync(file, reportPage(reportOf(tallyOf(rows), more)))
    const url = pathToFileURL(file).href
    try {
      const page = await openWindow()
      const faults: string[] = []
      page.on('console', (message) => faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('request', (request) => {
        if (request.url() !== url) faults.push(request.url())
      })
      await page.goto(url)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ media: 'screen', colorScheme })
        for (const width of [400, 1400]) {
          await page.setViewportSize({ width, height: 900 })
          assert.equal(await page.evaluate(overflow), 0, `${colorScheme} at ${width} fits its window`)
        }
        await picture(page, `report-${colorScheme}`)
      }
      assert.equal(await page.evaluate(ground), 'rgb(15, 22, 38)', 'a dark screen is dark')
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      assert.equal(await page.evaluate(ground), 'rgb(255, 255, 255)', 'paper is light')
      assert.deepEqual(faults, [])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
