/** Try it, the first page: a press, a decision, and everything that is behind it. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole } from '../../helpers/console.ts'
import { python, runProgram } from '../../helpers/process/python.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const execute = promisify(execFile)
const clientSource = new URL('../../../client/src/index.ts', import.meta.url).href

const card = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })
const verify = (page: Page) => page.getByRole('button', { name: 'Verify', exact: true })
const decided = (page: Page, decision: string) =>
  card(page, / on [A-Z]{2}-[A-Z]{2}$/)
    .getByText(decision, { exact: true })
    .first()
const shownCode = async (page: Page, title: string): Promise<string> =>
  (await page.getByRole('region', { name: title, exact: true }).locator('code').textContent()) ?? ''
const pick = (page: Page, decimals: string) =>
  page.getByRole('button', { name: new RegExp(`^\\.${decimals} `) })

/** What the page sent to the demo. */
function demoRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/demo-')) sent.push(new URL(request.url()).pathname)
  })
  return sent
}

const { skip } = chromiumNeeded
describe('Try it', { skip }, () => {
  test('the values that it opens with are a GO at a press, and nothing is asked before', async () => {
    const visited = await console.visit('/')
    const { page } = visited
    const sent = demoRequests(page)
    await page.getByText('No decision yet').waitFor()
    await checkPage(visited, 'try-open')
    assert.deepEqual(sent, [])
    await verify(page).click()
    await decided(page, 'GO').waitFor()
    await page.getByText('Proceed with the payment', { exact: true }).waitFor()
    await page.getByRole('img', { name: /^Score 0\.96 .* GO from 0\.80, DEGRADED from 0\.48/ }).waitFor()
    await card(page, 'Three risk profiles').getByText('All 3 profiles give GO').waitFor()
    assert.deepEqual(sent, ['/api/v1/demo-verify', '/api/v1/demo-compare'])
    assert.equal(new URL(page.url()).search, '?corridor=GB-NG&amount=1000&currency=GBP')
    await page.getByText(/^99\d{3} of 100000 demo requests left\.$/).waitFor()
    await checkPage(visited, 'try-go')
  })

  test('the seven signals add up, to the last place, to what the score is rounded from', async () => {
    const visited = await console.visit('/?amount=1000.08', { width: 360, scheme: 'dark' })
    const { page } = visited
    await decided(page, 'NO-GO').waitFor()
    const signals = card(page, 'Seven signals')
    await signals.getByText('Penalty: 25% for 4 flags').waitFor()
    assert.equal(await signals.getByText('Flagged').count(), 4)
    const adds = await signals.locator('.signal-adds').allTextContents()
    const units = adds.map((text) => Math.round(Number(text.replace(', adds ', '')) * 100_000))
    assert.equal(units.length, 7)
    assert.equal(
      units.reduce((sum, one) => sum + one),
      34_275,
    )
    await signals.getByText('0.34275').waitFor()
    await card(page, 'Three risk profiles').getByText('Thresholds only').waitFor()
    await checkPage(visited, 'try-nogo-360-dark')
  })
})

describe('the first page for visitors', { skip }, () => {
  test('says what Fairway is, shows a decision at a press, and leads on', async () => {
    for (const look of [
      { width: 1440, scheme: 'light' },
      { width: 390, height: 844, scheme: 'dark' },
    ] as const) {
      const visited = await console.visit('/', look)
      const { page } = visited
      await page.getByRole('heading', { level: 1, name: 'One decision before money moves' }).waitFor()
      for (const decision of ['GO', 'DEGRADED', 'NO-GO'])
        await page.locator('.try-legend').getByText(decision, { exact: true }).waitFor()
      // Without scrolling: the sentence and the button.
      const { y = Infinity, height = 0 } = (await verify(page).boundingBox()) ?? {}
      assert.ok(y + height < (look.width === 390 ? 844 : 900))
      await checkPage(visited, `landing-${look.width}`)
      await verify(page).click()
      await decided(page, 'GO').waitFor()
      await checkPage(visited, `landing-decided-${look.width}`)
      const ways = page.getByRole('navigation', { name: 'Next' }).getByRole('link')
      assert.deepEqual(await ways.evaluateAll((links) => links.map((link) => link.getAttribute('href'))), [
        '/guide/integration',
        '/guide/',
        '/docs/',
        '/sign-in',
      ])
      await page
        .getByRole('link', { name: /^Sign in/ })
        .first()
        .press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await page.locator('.shell').waitFor()
    }
  })

  test('is not shown to a caller, from the first paint on', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/', { key })
    await page.getByRole('heading', { level: 1, name: 'Try a verification' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.first'), undefined)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const { page: other } = await console.visit('/')
    assert.equal(await other.evaluate('document.documentElement.dataset.first'), 'visitor')
  })
})

describe('what an amount brings about', { skip }, () => {
  test('every test amount says what it brings about, and brings it about', async () => {
    const { page } = await console.visit('/?corridor=NG-GB&amount=2500')
    await decided(page, 'GO').waitFor()
    const table = [
      ['01', 'One open fraud flag', 'DEGRADED', 'HIGH_FRAUD_SIGNAL'],
      ['02', 'Settlement network degraded', 'DEGRADED', 'NETWORK_DEGRADED'],
      ['03', 'Partner liquidity short', 'DEGRADED', 'INSUFFICIENT_BALANCE'],
      ['04', 'FX volatility high', 'GO', 'HIGH_FX_VOLATILITY'],
      ['05', 'Operation invalid', 'GO', 'OPERATION_INVALID'],
      ['06', 'Many recent failures', 'GO', 'HIGH_FAILURE_RATE'],
      ['07', 'Payee check bypassed', 'GO', 'COP_OVERRIDE_ACTIVE'],
      ['08', 'Four signals flagged', 'NO-GO', 'INSUFFICIENT_BALANCE'],
      ['09', 'Two providers unavailable', 'GO', 'HEALTHY_PARTNER'],
    ] as const
    for (const [decimals, words, decision, code] of table) {
      await page.getByRole('button', { name: `.${decimals} ${words}`, exact: true }).click()
      await card(page, `2,500.${decimals} GBP on NG-GB`).getByText(code).waitFor()
      await decided(page, decision).waitFor()
      assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), `2500.${decimals}`)
    }
    await page.getByText('The demo ignores it.').waitFor()
    await page.goBack()
    await decided(page, 'NO-GO').waitFor()
    assert.match(page.url(), /amount=2500\.08/)
  })

  test('an amount above the cap says that a rule went before its score', async () => {
    const visited = await console.visit('/?corridor=GB-NG&amount=60000&currency=GBP')
    const { page } = visited
    await decided(page, 'DEGRADED').waitFor()
    await page.getByText('The score alone would be GO.').waitFor()
    await page.getByText('The profiles differ at a score of 0.84').waitFor()
    await checkPage(visited, 'try-capped')
  })
})

describe('what Try it hands out and takes in', { skip }, () => {
  test('the shown curl, TypeScript and Python are the call that was made, whatever was typed', async () => {
    const { page } = await console.visit('/')
    await page.getByLabel('Corridor').fill("Côte d'Ivoire-Nigeria")
    await verify(page).click()
    await decided(page, 'DEGRADED').waitFor()
    const curl = await execute('sh', ['-c', await shownCode(page, 'Shell')])
    const answer = JSON.parse(curl.stdout) as Record<string, unknown>
    assert.deepEqual([answer['corridor'], answer['decision']], ['CI-NG', 'DEGRADED'])
    await page.getByRole('button', { name: 'TypeScript' }).click()
    const script = (await shownCode(page, 'TypeScript')).replace('@fairway/client', clientSource)
    const { stdout } = await execute(process.execPath, ['--input-type=module-typescript', '-e', script])
    assert.equal(stdout, 'DEGRADED TREAT_AS_NO_DATA\n')
    await page.getByRole('button', { name: 'Python' }).click()
    const printed = await runProgram(python, ['-c', await shownCode(page, 'Python')])
    assert.equal(printed, 'DEGRADED TREAT_AS_NO_DATA\n')
    await page.getByRole('button', { name: 'JSON response' }).click()
    const shown = JSON.parse(await shownCode(page, 'Response')) as Record<string, unknown>
    assert.deepEqual(Object.keys(shown), Object.keys(answer))
    assert.match(page.url(), /show=json/)
  })

  test('errors stand beside their fields, the first has the focus, and what was shown stays', async () => {
    const visited = await console.visit('/?amount=1000', { width: 360 })
    const { page } = visited
    await decided(page, 'GO').waitFor()
    await page.getByLabel('Amount', { exact: true }).fill('1,00')
    await verify(page).click()
    await page.getByText('This must have three digits after each comma or space').waitFor()
    await page.getByLabel('Amount', { exact: true }).fill('9000000000000000')
    await verify(page).click()
    await page.getByText('This must be at most 1,000,000,000,000,000.').waitFor()
    await page.getByLabel('Amount', { exact: true }).fill('1000')
    await page.getByLabel('Corridor').fill('<b>nowhere</b>')
    await page.getByLabel('Currency').fill('G')
    await verify(page).click()
    await page.getByText('This must be an ISO 4217 code, like GBP.').waitFor()
    await page.getByText('This must name two countries').waitFor()
    assert.equal(await page.evaluate('document.activeElement.name'), 'corridor')
    await decided(page, 'GO').waitFor()
    await checkPage(visited, 'try-errors-360')
  })
})

describe('the warnings of an answer', { skip }, () => {
  test('stand with the decision, each with its member', async () => {
    const visited = await console.visit('/')
    const { page } = visited
    const warnings = [{ code: 'UNKNOWN_MEMBER', message: '“purpose” is unknown.', path: '/purpose' }]
    await page.route('**/api/v1/demo-verify', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), warnings } })
    })
    await verify(page).click()
    const notice = card(page, '1,000.00 GBP on GB-NG').locator('.notice').filter({ hasText: 'Warning' })
    await notice.getByText('/purpose: “purpose” is unknown.').waitFor()
    await checkPage(visited, 'try-warnings')
  })
})

describe('Try it with a key', { skip }, () => {
  test('with a key it is recorded by default, and the page leads to the record; a link alone records nothing', async () => {
    const key = await console.issue()
    const visited = await console.visit('/?corridor=NG-GB&amount=1000.08', { key })
    const { page } = visited
    await page.getByText('Demo, not recorded').waitFor()
    await page.getByText('The decision is recorded with your key, in shadow mode.').waitFor()
    assert.equal(await page.getByLabel('Try without recording').isChecked(), false)
    await verify(page).click()
    const link = page.getByRole('link', { name: 'View record' })
    const href = (await link.getAttribute('href')) ?? ''
    assert.match(href, /^\/verifications\/SVC-\d{4}-/)
    const listed = await checkedFetch(`${console.url}/api/verifications`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const records = (await listed.json()) as { request_id: string }[]
    assert.deepEqual(
      records.map((one) => one.request_id),
      [href.replace('/verifications/', '')],
    )
    const curl = await shownCode(page, 'Shell')
    assert.match(curl, /Bearer \$FAIRWAY_API_KEY/)
    assert.equal((await page.content()).includes(key), false)
    const again = await execute('sh', ['-c', curl], { env: { ...process.env, FAIRWAY_API_KEY: key } })
    const { request_id: id, idempotency_hit: hit } = JSON.parse(again.stdout) as Record<string, unknown>
    assert.deepEqual([id, hit], [records[0]?.request_id, true])
    await pick(page, '00').click()
    await page.getByText('Corridor in cooldown').waitFor()
    await checkPage(visited, 'try-recorded')
  })

  test('whoever signs out leaves nothing behind that was recorded', async () => {
    const { page } = await console.visit('/', { key: await console.issue() })
    await page.getByLabel('Try without recording').waitFor()
    await verify(page).click()
    await page.getByRole('link', { name: 'View record' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('No decision yet').waitFor()
    assert.equal(await page.getByRole('link', { name: 'View record' }).count(), 0)
    assert.equal((await page.content()).includes('SVC-'), false)
  })
})

describe('a payment without an amount', { skip }, () => {
  test('is decided without one with a key, and by the demo with the amount that the page says', async () => {
    const { page } = await console.visit('/', { key: await console.issue() })
    await page.getByLabel('Amount', { exact: true }).fill('')
    await page.getByLabel('Try without recording').check()
    await page.getByText('The demo uses 1,000.').waitFor()
    await verify(page).click()
    await card(page, '1,000.00 GBP on GB-NG').waitFor()
    await page.getByLabel('Try without recording').uncheck()
    await page.getByText('Decided without an amount.').waitFor()
    await verify(page).click()
    await card(page, 'Payment without an amount on GB-NG').waitFor()
    assert.equal((await shownCode(page, 'Shell')).includes('amount'), false)
    await page.getByRole('link', { name: 'View record' }).click()
    await page.getByText('no amount').first().waitFor()
  })
})

describe('Try it with a key, when there is no decision', { skip }, () => {
  test('a hold is shown as a hold, never as a success, and is asked again under its own key', async () => {
    const key = await console.issue()
    const visited = await console.visit('/', { key, width: 360, scheme: 'dark' })
    const { page } = visited
    const keys: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/verify')) {
        keys.push((request.postDataJSON() as { idempotency_key: unknown }).idempotency_key)
      }
    })
    await page.getByLabel('Try without recording').waitFor()
    await pick(page, '09').click()
    await page.getByText('HOLD', { exact: true }).waitFor()
    await page.getByText('No decision could be made: hold the payment').waitFor()
    await page.getByText(/^Try again at [\d:]+, in 2 minutes\.$/).waitFor()
    assert.equal(await page.locator('.verdict', { hasText: 'GO' }).count(), 0)
    await checkPage(visited, 'try-hold-360-dark')
    const answered = page.waitForResponse('**/api/v1/verify')
    await page.getByRole('button', { name: 'Try again' }).click()
    await answered
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
  })

  test('a key that was revoked meanwhile records nothing, and the page says so', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/', { key })
    await page.getByLabel('Try without recording').waitFor()
    await console.revoke(key)
    // Every instance refuses it within a second: until then it may still be taken.
    for (let status = 200; status === 200;) {
      const answered = page.waitForResponse('**/api/v1/verify')
      await verify(page).click()
      status = (await answered).status()
    }
    await page.getByText('Your key is no longer accepted').waitFor()
    assert.equal(await page.getByText('when you report it').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'View record' }).count(), 0)
    assert.equal(await page.evaluate(`sessionStorage.getItem('fairway.key')`), null)
  })
})

describe('the limit of the demo', { skip }, () => {
  test('a rejected typo takes no try', async () => {
    await withConsole({ FAIRWAY_LIMIT_DEMO: '2/600' }, async (limited) => {
      const { page } = await limited.visit('/')
      await verify(page).click()
      await page.getByText('1 of 2 demo requests left.').waitFor()
      await page.getByLabel('Corridor').fill('GBNG')
      await verify(page).click()
      await page.locator('[aria-invalid]').waitFor()
      await page.getByText('1 of 2 demo requests left.').waitFor()
      await page.getByLabel('Corridor').fill('NG-GB')
      await verify(page).click()
      await card(page, '1,000.00 GBP on NG-GB').waitFor()
      await page.getByText(/^0 of 2 demo requests left/).waitFor()
    })
  })

  test('who asked too often is told when to come back, and keeps what was shown', async () => {
    await withConsole({ FAIRWAY_LIMIT_DEMO: '2/600' }, async (limited) => {
      const visited = await limited.visit('/')
      const { page } = visited
      await verify(page).click()
      await page.getByText('1 of 2 demo requests left.').waitFor()
      await pick(page, '01').click()
      await page.getByText(/^0 of 2 demo requests left: try again at [\d:]+\.$/).waitFor()
      await pick(page, '02').click()
      await page.getByText('Too many requests').waitFor()
      await page.getByText(/^Try again at [\d:]+, in \d+ minutes\.$/).waitFor()
      await card(page, '1,000.01 GBP on GB-NG').getByText('HIGH_FRAUD_SIGNAL').waitFor()
      await checkPage(visited, 'try-limited')
    })
  })
})
