/** Cooldowns and caps: repeats are marked, open cooldowns have their end, and a capped payment is never a green GO. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkPage, console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const narrow = { width: 390, scheme: 'dark' } as const
const views = [{}, narrow]
const endOf = (view: object): string => ('width' in view ? '-390-dark' : '')

async function decide(key: string, payment: object): Promise<string> {
  const answer = await ask(console.url, key, { currency: 'GBP', ...payment })
  return ((await answer.json()) as { request_id: string }).request_id
}

/** A NO-GO and the decision that repeats it. */
async function repeated(): Promise<{ key: string; source: string; repeat: string }> {
  const key = await console.issue()
  const source = await decide(key, { corridor: 'NG-GB', amount: 1000.08 })
  return { key, source, repeat: await decide(key, { corridor: 'NG-GB', amount: 500 }) }
}

async function isMarked(rows: Locator, source: string, repeat: string): Promise<void> {
  const rowOf = (id: string) => rows.filter({ has: rows.page().locator(`th a[href$="${id}"]`) })
  const mark = rowOf(repeat).getByRole('link', { name: 'Repeat', exact: true })
  await mark.waitFor()
  assert.equal(await mark.getAttribute('title'), `Repeats ${source} during a cooldown`)
  assert.equal(await mark.getAttribute('href'), `/verifications/${source}`)
  assert.equal(await rowOf(source).getByText('Repeat', { exact: true }).count(), 0)
}

/** The end in local time, an hour ahead of UTC, and how long it is until then. */
async function showsCooldown(page: Page, source: string): Promise<void> {
  const notice = page.locator('.notice').filter({ hasText: 'Open cooldown' })
  await notice.getByText(/NG-GB: verify repeats a NO-GO until .*, \d+ seconds left\.$/).waitFor()
  const end = (await notice.locator('time').getAttribute('datetime')) ?? ''
  assert.ok(Date.parse(end) > Date.now())
  const local = new Date(Date.parse(end) + 3_600_000).toISOString().slice(11, 19)
  assert.ok((await notice.locator('time').innerText()).endsWith(local))
  assert.equal(
    await notice.getByRole('link', { name: 'a NO-GO' }).getAttribute('href'),
    `/verifications/${source}`,
  )
}

const { skip } = chromiumNeeded

describe('cooldowns', { skip }, () => {
  test('a repeat is marked in every list, with its source', async () => {
    const { key, source, repeat } = await repeated()
    for (const view of views) {
      const visited = await console.visit('/verifications', { key, ...view })
      const { page } = visited
      await isMarked(page.locator('.decisions tbody tr'), source, repeat)
      await checkPage(visited, `cooldown-verifications${endOf(view)}`)
      await page.goto(`${console.url}/corridors/NG-GB`)
      const latest = page.getByRole('table', { name: /^Latest 2 decisions/ })
      await isMarked(latest.locator('tbody tr'), source, repeat)
    }
  })

  test('an open cooldown is shown with its end, on its corridor and on the overview', async () => {
    for (const view of views) {
      const { key, source } = await repeated()
      for (const path of ['/corridors/NG-GB', '/overview']) {
        const visited = await console.visit(path, { key, ...view })
        await showsCooldown(visited.page, source)
        await visited.page.locator('.recharts-bar-rectangle').first().waitFor()
        await checkPage(visited, `cooldown${path.replaceAll('/', '-')}${endOf(view)}`)
      }
      const { page } = await console.visit('/corridors/GB-NG', { key })
      await page.getByText('GB-NG is healthy').waitFor()
      assert.equal(await page.getByText('Open cooldown').count(), 0)
    }
  })
})

const words = 'GO by threshold, cap not applied'

describe('a payment above the cap', { skip }, () => {
  test('no profile shows it as a green GO, in the demo and in an explanation', async () => {
    for (const view of views) {
      const key = await console.issue()
      const visited = await console.visit('/?corridor=GB-NG&amount=60000&currency=GBP', { key, ...view })
      const { page } = visited
      const profiles = page.getByRole('region', { name: 'Three risk profiles' })
      await profiles.getByText(words).first().waitFor()
      assert.equal(await profiles.locator('.tone-go').count(), 0)
      await checkPage(visited, `cap-profiles${endOf(view)}`)
      const id = await decide(key, { corridor: 'GB-NG', amount: 60_000 })
      await page.goto(`${console.url}/verifications/${id}`)
      const changes = page.locator('#change li').filter({ hasText: 'Different profile' })
      await changes.getByText(words).first().waitFor()
      assert.equal(await changes.locator('.tone-go').count(), 0)
      await page.locator('.skeleton').first().waitFor({ state: 'detached' })
      await checkPage(visited, `cap-decision${endOf(view)}`)
    }
  })
})
