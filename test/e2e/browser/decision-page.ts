/** The page of a decision as a place to work: one request, a bar that stays, tabs, activity, and colours that agree. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, type View } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'
import { reviewOf } from '../../helpers/reviews.ts'

const needed = { skip: chromiumNeeded.skip }
const views: readonly View[] = [
  { width: 1440 },
  { width: 1440, scheme: 'dark' },
  { width: 390, height: 844 },
  { width: 390, height: 844, scheme: 'dark' },
]
const nameOf = ({ width, scheme = 'light' }: View): string => `${width}-${scheme}`

async function decide(key: string, payment: object): Promise<string> {
  const answer = await ask(console.url, key, { currency: 'GBP', ...payment })
  return ((await answer.json()) as { request_id: string }).request_id
}

const degraded = { corridor: 'GB-NG', amount: 60_000 }
const flagged = { corridor: 'NG-GB', amount: 1000.08 }

async function post(key: string, path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await checkedFetch(console.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
}

const bar = (page: Page) => page.getByRole('region', { name: 'Decision summary' })

/** The API requests from now on, as paths. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(pathname)
  })
  return paths
}

/** Those of the shell, on every page. */
const ofShell = new Set([
  '/api/session',
  '/api/v1/session',
  '/api/v1/me',
  '/api/health',
  '/api/v1/organisation/settings',
])

test('the page makes one request, and one more after an act', needed, async () => {
  const key = await console.issue()
  const id = await decide(key, degraded)
  const { page } = await console.visit('/theme.js', { key })
  const paths = requestsOf(page)
  await page.goto(`${console.url}/verifications/${id}`)
  await page.getByRole('list', { name: 'Activity of this decision' }).waitFor()
  for (const tab of ['Evidence', 'Debug', 'Decision']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  }
  await page.waitForLoadState('networkidle')
  const own = (): string[] => paths.filter((path) => !ofShell.has(path))
  const file = `/api/v1/decision/${id}/file`
  assert.deepEqual(own(), [file])
  const form = page.getByRole('form', { name: 'Report outcome' })
  await form.getByLabel('Outcome', { exact: true }).selectOption('FAILED')
  await form.getByRole('button', { name: 'Review outcome' }).click()
  await page.getByRole('button', { name: 'Record outcome' }).click()
  await page
    .getByRole('list', { name: 'Activity of this decision' })
    .getByText('Payment outcome: failed')
    .waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(own(), [file, `/api/v1/decision/${id}/outcome`, file])
})

test(
  'tabs are chosen by the arrow keys, are in the address, and no rule is broken on any',
  needed,
  async () => {
    const key = await console.issue()
    const id = await decide(key, flagged)
    for (const view of views) {
      const visited = await console.visit(`/verifications/${id}`, { key, ...view })
      const { page } = visited
      const tab = (name: string) => page.getByRole('tab', { name })
      await checkPage(await shown(visited, 'Decision'), `decision-tab-decision-${nameOf(view)}`)
      await tab('Decision').press('ArrowRight')
      await page.waitForURL('**?tab=evidence')
      await checkPage(await shown(visited, 'Evidence'), `decision-tab-evidence-${nameOf(view)}`)
      await page.keyboard.press('End')
      await page.waitForURL('**?tab=debug')
      await page.getByText('Answer as sent').waitFor()
      await checkPage(await shown(visited, 'Debug'), `decision-tab-debug-${nameOf(view)}`)
      await page.reload()
      await page.getByText('Answer as sent').waitFor()
      assert.equal(await tab('Debug').getAttribute('aria-selected'), 'true')
      await tab('Debug').press('ArrowRight')
      await page.locator('[role=tab]:focus', { hasText: 'Decision' }).waitFor()
      assert.equal(new URL(page.url()).search, '')
    }
  },
)

/** Once the tab is there, whole. */
async function shown<Visited extends { readonly page: Page }>(
  visited: Visited,
  tab: string,
): Promise<Visited> {
  await visited.page.getByRole('tabpanel', { name: tab }).waitFor()
  return visited
}

test('the bar stays in sight, and what has the focus is never below it', needed, async () => {
  const key = await console.issue()
  const id = await decide(key, degraded)
  for (const view of views.filter(({ scheme }) => scheme === undefined)) {
    const { page } = await console.visit(`/verifications/${id}`, { key, ...view })
    await page.getByRole('button', { name: 'Review outcome' }).focus()
    // Backwards over the whole page: each focus scrolls up, towards the bar.
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press('Shift+Tab')
      const place = (await page.evaluate(`(() => {
        const focused = document.activeElement
        const stays = document.querySelector('.decision-bar').getBoundingClientRect()
        const own = focused.getBoundingClientRect()
        const inside = focused.closest('.decision-panel') !== null
        return { name: focused.outerHTML.slice(0, 80), inside, top: own.top, bottom: stays.bottom, barTop: stays.top }
      })()`)) as { name: string; inside: boolean; top: number; bottom: number; barTop: number }
      if (!place.inside) break
      assert.ok(place.barTop >= 0 && place.barTop < 900, `the bar is at ${place.barTop}`)
      assert.ok(
        place.top >= place.bottom - 1,
        `${place.name} at ${place.top}, the bar ends at ${place.bottom}`,
      )
    }
  }
})

test('the bar has the acts that the caller may take, and each leads to its form', needed, async () => {
  const key = await console.issue()
  const id = await decide(key, degraded)
  const { page } = await console.visit(`/verifications/${id}?tab=debug`, { key })
  await bar(page).getByText('Send for manual approval.').waitFor()
  await bar(page).getByText('60,000.00 GBP').waitFor()
  await bar(page).getByRole('button', { name: 'Override' }).press('Enter')
  await page.locator('#override input[type=radio]:focus').waitFor()
  await bar(page).getByRole('button', { name: 'Report outcome' }).press('Enter')
  await page.locator('#outcome select:focus').waitFor()
  assert.equal(
    await bar(page).getByRole('link', { name: 'Propose in review' }).getAttribute('href'),
    `/reviews?review=${reviewOf(id)}`,
  )
  const reader = await console.issue({ scopes: ['decision:read'] })
  const seen = await console.visit(`/verifications/${await decide(reader, degraded)}`, { key: reader })
  await bar(seen.page).getByRole('button', { name: 'Compare with…' }).waitFor()
  assert.equal(
    await bar(seen.page)
      .getByRole('button', { name: /Override|Report|Export/ })
      .count(),
    0,
  )
})

test('the activity shows what people and systems did, with who and when, oldest first', needed, async () => {
  const key = await console.issue({ ownerLabel: 'Example desk' })
  const id = await decide(key, degraded)
  await post(key, `/api/v1/reviews/${reviewOf(id)}/comment`, { text: 'Waiting for the bank.' })
  const override = { action: 'HOLD', reason_code: 'PAYEE_UNKNOWN', justification: 'Until Monday.' }
  await post(key, '/api/v1/override', { request_id: id, ...override })
  await post(key, `/api/v1/decision/${id}/outcome`, { outcome: 'DELAYED' })
  for (const view of views) {
    const visited = await console.visit(`/verifications/${id}`, { key, ...view })
    const list = visited.page.getByRole('list', { name: 'Activity of this decision' })
    await list.waitFor()
    const titles = await list.locator('.activity-title strong').allTextContents()
    assert.equal(titles[0], 'Decision recorded: DEGRADED, score 0.84')
    assert.match(titles[1] ?? '', /^Sealed in the log as entry \d+$/)
    assert.deepEqual(titles.slice(2).toSorted(), [
      'Comment',
      'Override: HOLD',
      'Payment outcome: delayed',
      'Review closed by a direct override',
      'Review opened',
    ])
    const times = await list
      .locator('time')
      .evaluateAll((all) => all.map((one) => one.getAttribute('datetime') ?? ''))
    assert.ok(
      times.every((time, place) => time >= (times[place - 1] ?? '')),
      times.join(' '),
    )
    assert.ok((await list.getByText('Example desk').count()) >= 4)
    await checkPage(visited, `decision-activity-${nameOf(view)}`)
  }
})

test('the decimal points of the waterfall are on one line, sums included', needed, async () => {
  const key = await console.issue()
  const id = await decide(key, flagged)
  for (const view of views) {
    const { page } = await console.visit(`/verifications/${id}`, { key, ...view })
    await page.getByRole('list', { name: 'Score breakdown' }).waitFor()
    await page.evaluate('document.fonts.ready')
    const points = (await page.evaluate(`[...document.querySelectorAll('.step-amount')].map((one) => {
      const text = one.firstChild
      const range = document.createRange()
      range.setStart(text, text.data.indexOf('.'))
      range.setEnd(text, text.data.indexOf('.') + 1)
      return range.getBoundingClientRect().left
    })`)) as number[]
    const spread = Math.max(...points) - Math.min(...points)
    assert.ok(points.length > 9 && spread < 0.6, `${nameOf(view)}: ${spread} px`)
  }
})

const colourOf = async (page: Page, selector: string, property = 'background-color'): Promise<string> =>
  String(
    await page.evaluate(
      `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
    ),
  )

test(
  'colours agree with the verdict, and critical, elevated and no data look different',
  needed,
  async () => {
    const key = await console.issue()
    const capped = await decide(key, { corridor: 'GB-NG', amount: 600_000 })
    const worst = await decide(key, flagged)
    const unknown = await decide(key, { corridor: 'FR-JP', amount: 1000 })
    for (const view of views) {
      const { page, faults } = await console.visit(`/verifications/${capped}`, { key, ...view })
      await bar(page).getByText('NO-GO', { exact: true }).waitFor()
      const edge = await colourOf(page, '.decision-bar', 'border-left-color')
      assert.equal(
        await colourOf(page, '.step:last-child .step-fill'),
        edge,
        'the score has the colour of the verdict',
      )
      assert.equal(await page.locator('#why .chip.tone-degraded', { hasText: 'Changed' }).count(), 0)
      await checkPage({ page, faults }, `decision-capped-${nameOf(view)}`)
      await page.goto(`${console.url}/verifications/${worst}`)
      const signals = page.locator('#signals')
      await signals.getByText('Critical').first().waitFor()
      assert.notEqual(
        await colourOf(page, '#signals .tone-nogo'),
        await colourOf(page, '#signals .tone-elevated'),
      )
      const shapes = await signals
        .locator(':is(.tone-elevated, .tone-nogo) svg')
        .evaluateAll((all) => all.map((one) => one.innerHTML))
      assert.equal(new Set(shapes).size, 2)
      await page.goto(`${console.url}/verifications/${unknown}`)
      await signals.getByText('neutral values stand in for its signals').waitFor()
      assert.equal(await signals.getByText('No data', { exact: true }).count(), 7)
      assert.equal(await page.locator('.step-none').count(), 7)
      assert.equal(await page.locator('.step:not(.step-sum) .step-degraded').count(), 0)
      await checkPage({ page, faults }, `decision-no-data-${nameOf(view)}`)
    }
  },
)
