/** The API reference and the guide in a real browser: one frame, one theme, this host alone; and requests sent from there. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkPage, console, heldBy, openWindow } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded

const looks = [
  { width: 1440, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const

const operation = (page: Page, place: string) => page.locator(`[id="tag/${place}"]`)

/** Operations out of sight are not laid out, and no rule would be applied to them. */
const laidOut = `for (const part of document.querySelectorAll('.ref-operation')) part.style.contentVisibility = 'visible'`

/** Opens the form of an operation by the keyboard. */
async function openForm(part: Locator): Promise<void> {
  await part.getByRole('button', { name: /^Try it/ }).press('Enter')
  await part.locator('form').waitFor()
}

describe('the API reference', { skip }, () => {
  test('can be read in light and dark, wide and narrow, loads nothing from another host and breaks no policy', async () => {
    // Two of the looks, since the rules take seconds for a page of this length.
    for (const look of [looks[0], looks[3]]) {
      const visited = await console.visit('/docs/', look)
      const part = operation(visited.page, 'demo/POST/api/v1/demo-verify')
      await openForm(part)
      await part.getByRole('button', { name: 'Send' }).click()
      await part.getByText(/^200 OK in \d+ ms$/).waitFor()
      await visited.page.evaluate(laidOut)
      await checkPage(visited, `reference-${look.width}-${look.scheme}`)
    }
  })

  test('needs no script', async () => {
    const browser = (await openWindow()).context().browser()
    assert.ok(browser)
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await page.goto(`${console.url}/docs/`)
    await page.getByRole('link', { name: 'Verify a corridor before a payment' }).first().click()
    assert.equal(new URL(page.url()).hash, '#tag/decisions/POST/api/v1/verify')
    const part = operation(page, 'decisions/POST/api/v1/verify')
    await part.getByText('idempotency_key', { exact: true }).first().waitFor()
    await part.getByText('Errors 400, 401').click()
    await part.getByRole('link', { name: '409' }).click()
    assert.equal(new URL(page.url()).hash, '#errors/409')
  })
})

describe('the endpoints of the API reference', { skip }, () => {
  test('are found by the keyboard, and the one being read is marked', async () => {
    const { page } = await console.visit('/docs/', { width: 1440 })
    await page.locator('h1').waitFor()
    await page.keyboard.press('/')
    const list = page.getByRole('navigation', { name: 'Endpoints' })
    await page.keyboard.type('post /api/v1/override')
    await list.getByText(/^1 of \d+ entries$/).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#tag\/records\/POST\/api\/v1\/override$/)
    await list.locator('[aria-current=true]', { hasText: 'Record a human override' }).waitFor()
    await list.getByLabel('Filter by').fill('')
    assert.ok((await list.getByRole('link').count()) > 100)
  })

  test('are behind one button on a narrow window, which closes when one is chosen', async () => {
    const { page } = await console.visit('/docs/', { width: 390 })
    await page.locator('h1').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('totals')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#tag\/records\/GET\/api\/v1\/verifications\/totals$/)
    await page.getByRole('navigation', { name: 'All endpoints' }).waitFor({ state: 'hidden' })
  })

  test('have a command to copy, with the address of this server', async () => {
    const { page } = await console.visit('/docs/')
    const part = operation(page, 'decisions/POST/api/v1/verify')
    await part.getByRole('button', { name: 'Copy: curl, POST /api/v1/verify' }).press('Enter')
    await part.getByText('Copied').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    assert.ok(command.startsWith(`curl -X POST ${console.url}/api/v1/verify \\\n`), command)
    assert.match(command, /-d '\{\n {2}"corridor": "GB-NG"/)
  })
})

describe('a form of the API reference', { skip }, () => {
  test('sends a verification, shows the decision, and keeps the key nowhere', async () => {
    const key = await console.issue()
    const visited = await console.visit('/docs/')
    const part = operation(visited.page, 'decisions/POST/api/v1/verify')
    await openForm(part)
    await part.getByLabel('API key').fill(key)
    await part.getByLabel('Body (').fill('{ "corridor": "GB-NG", "amount": 600000, "currency": "GBP" }')
    await part.getByRole('button', { name: 'Send' }).press('Enter')
    await part.getByText(/^200 OK in \d+ ms$/).waitFor()
    const answer = part.locator('.ref-answer')
    const body = JSON.parse((await answer.locator('pre').textContent()) ?? '') as Record<string, unknown>
    assert.deepEqual([body['corridor'], body['decision'], body['amount']], ['GB-NG', 'NO-GO', 600_000])
    assert.match((await answer.locator('dl').textContent()) ?? '', /x-request-idSVC-/)
    assert.ok(!(await heldBy(visited.page)).includes(key), 'the key is nowhere')
    assert.deepEqual(visited.faults, [])
    // The next form has it.
    const next = operation(visited.page, 'records/GET/api/v1/audit/{request_id}')
    await openForm(next)
    await next.getByLabel('request_id (path)').fill(String(body['request_id']))
    await next.getByRole('button', { name: 'Send' }).click()
    await next.getByText(/^200 OK/).waitFor()
  })

  test('shows a refusal without a key, an invalid body with its faults, and that the server is away', async () => {
    const { page } = await console.visit('/docs/')
    const part = operation(page, 'decisions/POST/api/v1/verify')
    const send = part.getByRole('button', { name: 'Send' })
    await openForm(part)
    await send.click()
    await part.getByText(/^401 Unauthorized/).waitFor()
    await part.getByText('"code": "UNAUTHORIZED"').waitFor()
    await part.getByLabel('API key').fill(await console.issue())
    await part.getByLabel('Body (').fill('{ "corridor": 5 }')
    await send.click()
    await part.getByText(/^400 Bad Request/).waitFor()
    await part.getByText('"path": "/corridor"').waitFor()
    await page.context().setOffline(true)
    try {
      await send.click()
      await part.getByText(/^No answer: /).waitFor()
    } finally {
      await page.context().setOffline(false)
    }
  })
})

describe('a form with choices', { skip }, () => {
  test('sends parameters, and a body of the type that was chosen', async () => {
    const key = await console.issue()
    const { page } = await console.visit('/docs/', { key })
    const list = operation(page, 'records/GET/api/verifications')
    await openForm(list)
    await list.getByLabel('limit (query)').fill('1')
    await list.getByLabel('decision (query)').selectOption('GO')
    const asked = page.waitForRequest(/\/api\/verifications\?/)
    await list.getByRole('button', { name: 'Send' }).click()
    const { searchParams } = new URL((await asked).url())
    assert.deepEqual(Object.fromEntries(searchParams), { decision: 'GO', limit: '1' })
    // The key is that of the tab.
    await list.getByText(/^200 OK/).waitFor()
    const batch = operation(page, 'decisions/POST/api/v1/batch-assess')
    await openForm(batch)
    await batch.getByLabel('Type of the body').selectOption('text/csv')
    assert.match(await batch.getByLabel('Body (').inputValue(), /^[\w,]*corridor/)
    await batch.getByRole('button', { name: 'Send' }).click()
    await batch.getByText(/^200 OK/).waitFor()
  })
})

test(
  'pages of the guide and the page for unknown addresses can be read in every look',
  { skip },
  async () => {
    for (const look of looks) {
      for (const path of ['/guide/', '/guide/getting-started', '/guide/operators', '/nowhere']) {
        const visited = await console.visit(path, look)
        await visited.page.getByRole('heading', { level: 1 }).waitFor()
        await checkPage(visited, `site${path.replaceAll('/', '-')}-${look.width}-${look.scheme}`)
      }
    }
  },
)

test('console, guide and reference lead to each other by the keyboard', { skip }, async () => {
  const { page } = await console.visit('/status')
  const follow = async (name: string, path: RegExp): Promise<void> => {
    await page.getByRole('link', { name, exact: true }).first().press('Enter')
    await page.waitForURL(path)
  }
  await follow('Guide', /\/guide\/$/)
  await follow('Errors', /\/guide\/errors$/)
  assert.match(await page.title(), /^Errors/)
  await follow('API reference', /\/docs\/$/)
  await follow('Guide', /\/guide\/$/)
  await follow('Console', /\/$/)
  await page.getByRole('button', { name: 'Verify' }).waitFor()
})

test('on a narrow window the pages of the guide are behind one button', { skip }, async () => {
  const { page } = await console.visit('/guide/', { width: 390 })
  await page.getByText('All pages of the guide').press('Enter')
  await page
    .getByRole('navigation', { name: 'All pages of the guide' })
    .getByRole('link', { name: 'Webhooks' })
    .press('Enter')
  await page.waitForURL(/\/guide\/webhooks$/)
})

test('a theme that is chosen in one place holds in the others', { skip }, async () => {
  const { page } = await console.visit('/guide/')
  const colour = (): Promise<unknown> => page.evaluate('document.documentElement.dataset.theme')
  await page.getByRole('button', { name: 'Dark theme' }).click()
  assert.equal(await colour(), 'dark')
  await page.goto(`${console.url}/docs/`)
  assert.equal(await colour(), 'dark')
  assert.equal(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed'), 'true')
  await page.getByRole('button', { name: 'Light theme' }).click()
  assert.equal(await colour(), 'light')
  await page.goto(`${console.url}/`)
  assert.equal(await colour(), 'light')
})
