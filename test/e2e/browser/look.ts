/** How pages look: verdict and risk colours, one time zone, one raised zone, targets, the veil, and errors with their labels. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkPage, console, openWindow } from '../../helpers/console.ts'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const settled = (page: Page) => page.locator('main .skeleton').first().waitFor({ state: 'detached' })

type Browser = { getComputedStyle: (node: unknown) => Readonly<Record<string, string>> }

const styleOf = (element: Locator, name: string): Promise<string | undefined> =>
  element.evaluate((node, member) => (globalThis as unknown as Browser).getComputedStyle(node)[member], name)

const colourOf = (element: Locator) => styleOf(element, 'backgroundColor')

/** Of a token, as the browser computes it. */
const token = (page: Page, name: string): Promise<string> =>
  page.evaluate(
    `(() => { const probe = document.createElement('i'); probe.style.color = 'var(--${name})'; document.body.append(probe); const { color } = getComputedStyle(probe); probe.remove(); return color })()`,
  )

describe('verdicts and risk', { skip }, () => {
  test('a NO-GO is red wherever it stands, also if a cap caused it', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const visited = await console.visit('/?corridor=GB-NG&amount=600000&currency=GBP', { scheme })
      const { page } = visited
      await page.getByText('The score alone would be DEGRADED').waitFor()
      await settled(page)
      const red = await token(page, 'nogo-tint')
      assert.equal(await colourOf(page.locator('.verdict-large')), red)
      assert.equal(await colourOf(page.locator('.ruler-above > span')), await token(page, 'nogo-ink'))
      const edge = page.locator('.card-primary').filter({ has: page.locator('.verdict-large') })
      assert.equal(await styleOf(edge, 'borderLeftColor'), await token(page, 'nogo'))
      await checkPage(visited, `look-capped-${scheme}`)
    }
  })

  test('a corridor without data has grey bars that say so, not seven amber ones', async () => {
    const visited = await console.visit('/?corridor=US-MX&amount=1000&currency=USD')
    const { page } = visited
    const rows = page.locator('.signal')
    await rows.first().waitFor()
    assert.equal(await rows.count(), 7)
    assert.equal(await rows.filter({ hasText: 'No data' }).count(), 7)
    assert.equal(await page.locator('.signal .bar-none').count(), 7)
    assert.equal(await page.locator('.signal .fill-degraded').count(), 0)
    await checkPage(visited, 'look-no-data')
  })

  test('the parts of a score and its sums have their decimal points in line', async () => {
    const { page } = await console.visit('/?corridor=GB-NG&amount=1000.08&currency=GBP')
    await page.locator('.signals-sum').waitFor()
    const points =
      (await page.evaluate(`[...document.querySelectorAll('.signal-adds, .signals-sum dd')].map((cell) => {
      const text = cell.lastChild
      const range = document.createRange()
      range.setStart(text, text.data.indexOf('.'))
      range.setEnd(text, text.data.indexOf('.') + 1)
      return Math.round(range.getBoundingClientRect().left)
    })`)) as number[]
    // Seven signals, their sum, the penalty and the score.
    assert.equal(points.length, 10)
    assert.equal(new Set(points).size, 1, points.join(' '))
  })

  test('critical and elevated differ in colour, in words and in shape', async () => {
    const { page } = await console.visit('/?corridor=GB-NG&amount=1000.08&currency=GBP')
    await page.locator('.signal').first().waitFor()
    const marks = async (text: string) => {
      const mark = page.locator('.signal .verdict', { hasText: text }).first()
      return { colour: await colourOf(mark), shape: await mark.locator('path').getAttribute('d') }
    }
    const [elevated, critical] = [await marks('Elevated'), await marks('Critical')]
    assert.notEqual(elevated.colour, critical.colour)
    assert.notEqual(elevated.shape, critical.shape)
  })
})

/** Pages with data, and the raised zone of each. */
const zones = [
  ['/', 'No decision yet'],
  ['/overview', 'Waiting now'],
  ['/corridors', 'Traffic and health'],
  ['/corridors/GB-NG', 'Health for everyday payments'],
  ['/partners?corridor=GB-NG&amount=1000&currency=GBP&partner=a&partner=b', 'Ranking'],
  ['/webhooks', 'Endpoints'],
  ['/sign-in', 'End to end'],
] as const

describe('a page with data', { skip }, () => {
  let key: string
  before(async () => {
    key = await console.issue()
    for (const amount of [1_000, 1_000.03, 600_000])
      assert.equal((await ask(console.url, key, { corridor: 'GB-NG', amount, currency: 'GBP' })).status, 200)
    const answer = await checkedFetch(`${console.url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', events: ['payment.decision.created'] }),
    })
    assert.equal(answer.status, 200)
  })

  test('has one raised zone, names its time zone once, and has targets of 24 px or more', async () => {
    for (const [path, title] of zones) {
      const { page } = await console.visit(path, { key, width: 390, height: 844 })
      await settled(page)
      const raised = page.locator('main .card-primary')
      assert.equal(await raised.count(), 1, path)
      await raised.getByRole('heading', { name: title }).waitFor()
      assert.equal(await page.getByText('Times in Africa/Lagos').count(), 1, path)
      assert.deepEqual(await smallTargets(page), [], path)
    }
  })

  test('the legend of a corridor’s decisions has its colours', async () => {
    const { page } = await console.visit('/corridors/GB-NG', { key })
    await page.locator('.verdict-legend').waitFor()
    const swatches = page.locator('.verdict-legend i')
    assert.equal(await swatches.count(), 3)
    for (const [place, name] of ['go', 'degraded', 'nogo'].entries()) {
      assert.equal(await colourOf(swatches.nth(place)), await token(page, name))
      const { width = 0, height = 0 } = (await swatches.nth(place).boundingBox()) ?? {}
      assert.deepEqual([width, height], [12, 12])
    }
  })

  test('days are those of the viewer, and the current step is there and marked', async () => {
    const { page } = await console.visit('/overview?range=7d', { key })
    const asked = await page.waitForResponse(/verifications\/summary/)
    assert.equal(new URL(asked.url()).searchParams.get('time_zone'), 'Africa/Lagos')
    // Midnight in Lagos, in UTC.
    assert.match(new URL(asked.url()).searchParams.get('from') ?? '', /T23:00:00\.000Z$/)
    const figure = page.getByRole('figure', { name: 'Decisions over time' })
    await figure.getByText('Data table').click()
    const rows = figure.getByRole('row')
    assert.equal(await rows.count(), 8)
    assert.match((await rows.last().textContent()) ?? '', /so far/)
    await figure.locator('.figure-picture').getByText('now', { exact: true }).waitFor()
  })
})

/** Links in a sentence or in a cell of text are exempt, as WCAG 2.5.8 has it. */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, summary, select, input, textarea, .button, .nav-link, .pill')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.closest('label') ?? one, one])
    .filter(([target]) => { const { width, height } = target.getBoundingClientRect(); return width < 24 || height < 24 })
    .map(([target, one]) => one.outerHTML.slice(0, 120))`)

/** The pixels by which a text or table is wider than its element. */
const cutOff = (of: Locator): Promise<number> =>
  of.evaluate((node) => {
    const { scrollWidth, clientWidth } = node as unknown as Readonly<Record<string, number>>
    return (scrollWidth ?? 0) - (clientWidth ?? 0)
  })

describe('a desk, a list and a decision', { skip }, () => {
  let key: string
  before(async () => {
    key = await console.issue()
    for (const corridor of ['US-MX', 'GB-NG', 'GB-NG'])
      assert.equal((await ask(console.url, key, { corridor, amount: 600_000, currency: 'GBP' })).status, 200)
  })

  test('a review without data has grey marks, and boxes large enough to be hit', async () => {
    const { page } = await console.visit('/reviews?corridor=US-MX', { key, width: 390, height: 844 })
    await page.getByRole('checkbox', { name: /^Select 600,000/ }).waitFor()
    assert.deepEqual(await smallTargets(page), [])
    await page.locator('.desk-rows a[data-row]').click()
    const marks = page.getByRole('list', { name: 'Signals' }).locator('.verdict')
    await marks.first().waitFor()
    assert.deepEqual(
      await marks.allInnerTexts(),
      Array.from({ length: 7 }, () => 'No data'),
    )
  })

  test('a repeat leaves the main reason its room', async () => {
    const { page } = await console.visit('/verifications', { key, width: 1440, height: 900 })
    const row = page.locator('.decisions tbody tr').first()
    await row.getByRole('link', { name: 'Repeat', exact: true }).waitFor()
    assert.equal(await cutOff(row.locator('.list-reason .clip')), 0)
    assert.ok(((await row.boundingBox())?.height ?? 0) <= 44)
  })

  test('a decision shows all columns of its signals on a phone, and its icons whole', async () => {
    const { page } = await console.visit('/verifications', { key, width: 390, height: 844 })
    await page.locator('.decisions a[data-row]').first().click()
    await page.locator('#signals .table-frame').waitFor()
    assert.equal(await cutOff(page.locator('#signals .table-frame')), 0)
    await page.getByRole('tab', { name: 'Evidence' }).click()
    assert.equal((await page.locator('.command svg').boundingBox())?.width, 16)
  })
})

describe('a finger', { skip }, () => {
  test('has targets of 44 px', async () => {
    const context = (await openWindow()).context().browser()
    assert.ok(context)
    const touch = await context.newContext({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    })
    const page = await touch.newPage()
    await page.goto(console.url)
    await page.getByRole('button', { name: 'Verify', exact: true }).waitFor()
    const small = await page.evaluate(
      `[...document.querySelectorAll('button:not(.try-amount), .button, input')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 120))`,
    )
    assert.deepEqual(small, [])
  })
})

describe('an error at a field', { skip }, () => {
  test('leaves the label in sight, also under the bar of a narrow window', async () => {
    const { page } = await console.visit('/', { width: 390, height: 500 })
    await page.getByLabel('Corridor').fill('GBNG')
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.getByLabel('Corridor').press('Enter')
    await page.locator('[aria-invalid]').waitFor()
    const isInSight = await page.evaluate(`(() => {
      const { top, height } = document.activeElement.labels[0].getBoundingClientRect()
      const bar = document.querySelector('.site-header').getBoundingClientRect()
      return top >= bar.bottom && top + height <= innerHeight
    })()`)
    assert.equal(isInSight, true)
  })
})

describe('a dialogue', { skip }, () => {
  test('has its veil over the whole window, to the edge', async () => {
    const key = await console.issue()
    for (const scheme of ['light', 'dark'] as const) {
      const { page } = await console.visit('/webhooks?dialog=register', { key, scheme, height: 700 })
      await page.getByRole('dialog', { name: 'Register an endpoint' }).waitFor()
      const square = (x: number) => page.screenshot({ clip: { x, y: 4, width: 2, height: 2 } })
      // The paper between the sidebar and the banner, and the last pixels at the right.
      assert.deepEqual(await square(1_276), await square(250), scheme)
      assert.equal(await page.evaluate(`getComputedStyle(document.documentElement).overflowY`), 'hidden')
    }
  })
})
