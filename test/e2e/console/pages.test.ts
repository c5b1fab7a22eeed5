/** Every page of the console: it renders without data and without a key, light and dark, wide and narrow. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { consolePages } from '../../../src/http/routes/console.ts'
import { checkPage, openConsole, type Console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/runtimes.ts'

/** What stands for the changing part of an address. */
const samples: Readonly<Record<string, string>> = {
  ':request_id': 'SVC-2026-UNKNOWN',
  ':corridor': 'GB-NG',
  ':webhook_id': 'whk_unknown',
}

const addressOf = (page: string): string => page.replace(/:\w+/, (name) => samples[name] ?? name)
const nameOf = (page: string): string => page.slice(1).replaceAll(/\W+/g, '-') || 'try'

describe('every page', { skip: chromiumNeeded.skip }, () => {
  let console: Console
  before(async () => {
    console = await openConsole()
  })
  after(() => console.close())

  for (const path of consolePages) {
    test(`${path} renders for a stranger, light and wide, dark and narrow`, async () => {
      for (const view of [{}, { width: 360, scheme: 'dark' as const }]) {
        const visited = await console.visit(addressOf(path), view)
        await visited.page.getByRole('heading', { level: 1 }).waitFor()
        assert.match(await visited.page.title(), / · Fairway$/)
        await checkPage(visited, `${nameOf(path)}-stranger${'width' in view ? '-360-dark' : ''}`)
        await visited.page.context().close()
      }
    })
  }
})
