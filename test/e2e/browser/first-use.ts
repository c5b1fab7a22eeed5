/** First use: the checklist until the first decision, and pages and navigation by what a caller may do. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Scope } from '../../../src/core/identity/api-key.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded
const narrow = { width: 390, height: 844, scheme: 'dark' } as const

/** The steps in their order, with the state of each. */
const steps = async (page: Page): Promise<readonly string[]> => {
  await page.locator('.first-steps').waitFor({ state: 'attached' })
  return page
    .locator('.first-steps li')
    .evaluateAll((items) =>
      items.map((item) => /^(.*?\((?:done|to do)\))/.exec(item.textContent ?? '')?.[1] ?? ''),
    )
}

const untouched = [
  'Make a decision (to do)',
  'Report how a payment ended (to do)',
  'Register a webhook (to do)',
  'Go live (to do)',
]

describe('first steps', { skip }, () => {
  test('stand on the overview and the first page until a decision is recorded', async () => {
    const key = await console.issue()
    for (const view of [{}, narrow]) {
      const overview = await console.visit('/overview', { key, ...view })
      await overview.page.getByRole('heading', { name: 'First steps' }).waitFor()
      assert.deepEqual(await steps(overview.page), untouched)
      // Nothing but zeros would stand here.
      await overview.page.getByRole('heading', { name: 'Waiting now' }).waitFor({ state: 'detached' })
      await checkPage(overview, `first-steps${'width' in view ? '-390-dark' : ''}`)
    }
    const { page } = await console.visit('/', { key })
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('link', { name: 'View record' }).waitFor()
    await page.getByText('First steps: 1 of 4 done').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
    await page.goto(`${console.url}/overview`)
    await page.getByRole('heading', { name: 'Waiting now' }).waitFor()
    await page.getByText('First steps: 1 of 4 done').click()
    assert.deepEqual(await steps(page), ['Make a decision (done)', ...untouched.slice(1)])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Waiting now' }).waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByText('First steps').count(), 0)
  })

  test('leave out what the caller may not do', async () => {
    const key = await console.issue({ scopes: ['decision:read'] })
    const { page } = await console.visit('/overview', { key })
    assert.deepEqual(await steps(page), [untouched[0], untouched[1], untouched[3]])
  })
})

describe('the choice not to record', { skip }, () => {
  test('leaves nothing, and without a key it is the demo', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/', { key })
    await page.getByLabel('Try without recording').check()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Demo, not recorded').waitFor()
    const { page: overview } = await console.visit('/overview', { key })
    await overview.getByRole('heading', { name: 'First steps' }).waitFor()
    const { page: signedOut } = await console.visit('/')
    assert.equal(await signedOut.getByLabel('Try without recording').count(), 0)
    await signedOut.getByRole('button', { name: 'Verify', exact: true }).click()
    await signedOut.getByText('Demo, not recorded').waitFor()
  })
})

const always = ['Try it', 'Status', 'API reference', 'Guide']
const reading = ['Overview', 'Verifications', 'Batch', 'Corridors', 'Partners']

/** A key's scopes, the pages that it sees, and those that it opens by address all the same. */
const keys: readonly (readonly [
  scopes: readonly Scope[],
  links: readonly string[],
  closed: readonly string[],
])[] = [
  [['decision:read'], reading, ['/webhooks', '/policies', '/reviews', '/calibration']],
  [['webhook:manage'], ['Webhooks'], ['/overview', '/verifications', '/corridors', '/partners', '/batch']],
  [['policy:read'], ['Policies', 'Calibration'], ['/corridors/GB-NG', '/verifications/SVC-2026-UNKNOWN']],
]

describe('a key with few scopes', { skip }, () => {
  test('sees the pages that it may open; another page says one sentence, not several refusals', async () => {
    for (const [scopes, links, closed] of keys) {
      const key = await console.issue({ scopes })
      assert.ok([200, 403].includes((await ask(console.url, key, { corridor: 'GB-NG' })).status))
      for (const path of closed) {
        const visited = await console.visit(path, { key })
        const { page } = visited
        await page.getByText(/^This key may not see /).waitFor()
        await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
        assert.equal(await page.locator('main .notice').count(), 1, path)
        assert.equal(await page.getByRole('alert').count(), 0, path)
        const shown = await page
          .getByRole('navigation', { name: 'Pages' })
          .getByRole('link')
          .allTextContents()
        assert.deepEqual(shown.toSorted(), [...always, ...links].toSorted())
      }
    }
  })

  test('that may not verify tries the demo, and the page says why nothing is recorded', async () => {
    const visited = await console.visit('/', { key: await console.issue({ scopes: ['webhook:manage'] }) })
    const { page } = visited
    await page.getByText('This key may not verify payments').waitFor()
    assert.equal(await page.getByLabel('Try without recording').count(), 0)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Demo, not recorded').waitFor()
    await checkPage(visited, 'try-without-scope')
  })
})
