/** Policies in the console: written with their faults shown as they are typed, tried on a decision, and compared. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const narrow = { width: 390, height: 844, scheme: 'dark' } as const
const payment = { corridor: 'GB-NG', amount: 1_000, currency: 'GBP' }

const hardStops = {
  name: 'Hard stops',
  require_amount: true,
  go_floor: 0.85,
  caps: { NGN: { review_above: 20_000, block_above: 200_000 } },
  rules: [
    { id: 'payee', when: 'signals.cop_overridden', then: 'NO-GO', message: 'The payee was not confirmed.' },
    { id: 'large', when: 'amount > 500.0', then: 'DEGRADED', message: 'Approve it.' },
  ],
}

async function create(key: string, document: object): Promise<string> {
  const answer = await checkedFetch(`${console.url}/api/v1/policies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { policy_id: string }).policy_id
}

async function stored(key: string, id: string): Promise<unknown> {
  const answer = await checkedFetch(`${console.url}/api/v1/policies/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await answer.json()) as { document: unknown }).document
}

async function decide(key: string): Promise<string> {
  const { request_id: id } = (await (await ask(console.url, key, payment)).json()) as { request_id: string }
  return id
}

const rule = (page: Page, number: number): Locator => page.getByRole('group', { name: `Rule ${number}` })
const { skip } = chromiumNeeded

describe('the policy editor', { skip }, () => {
  test('a type error is shown at its character as it is typed, and is gone when it is mended', mends)
  test('names are completed by keyboard alone', completes)
  test('a draft that is not saved outlasts a reload, and is gone once it is saved', outlasts)
  test('a document is tried on a decision, before and after, without being stored', tries)
  test('a server that is away is told of, and what was typed stays', staysWhenAway)
})

async function mends(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/policies', { key })
  const { page } = visited
  await page.getByText('No policies yet').waitFor()
  await checkPage(visited, 'policies-empty')
  await page.getByRole('link', { name: 'New policy' }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.locator('input:focus').fill('large')
  const when = rule(page, 1).getByLabel('When')
  // The name is still missing: expressions are checked all the same.
  await when.fill('amount > currency')
  await rule(page, 1).getByText('no such overload: double > string').waitFor()
  assert.equal(await when.getAttribute('aria-invalid'), 'true')
  assert.equal(await rule(page, 1).locator('mark').textContent(), 'a')
  await when.fill('amount > 500.0 && rate < 1.0')
  await rule(page, 1).getByText('unknown variable rate').waitFor()
  await rule(page, 1).getByText('Character 19.').waitFor()
  assert.equal(await rule(page, 1).locator('mark').textContent(), 'r')
  await checkPage(visited, 'policy-editor-fault')
  await when.fill('amount > 500.0')
  await rule(page, 1).locator('mark').waitFor({ state: 'detached' })
  await page.getByText('2 errors').waitFor()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  const name = page.getByLabel('Name')
  await page.locator('#content').getByText('This must be a text that is not empty.').first().waitFor()
  // The first fault has the focus.
  await page.locator('input:focus[aria-invalid=true]').waitFor()
  assert.equal(await page.locator('input:focus').getAttribute('id'), await name.getAttribute('id'))
  await name.fill('Large payments')
  await rule(page, 1).getByLabel('Message').fill('Approve it.')
  await page.getByLabel('GO from score').fill('0.7')
  await page.getByText(/^This must be from 0.8 to 1: a policy is at least as strict/).waitFor()
  await page.getByLabel('GO from score').fill('0.9')
  await page.getByRole('button', { name: 'Add cap' }).click()
  await page.locator('input:focus').fill('gbp')
  await page.getByLabel('At most DEGRADED above').fill('20,000')
  await page.getByLabel('NO-GO above').fill('200,000')
  await page.getByText('No errors').waitFor()
  await checkPage(visited, 'policy-editor')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.waitForURL(/\/policies\/pol_\w+$/)
  await page.getByRole('heading', { level: 1, name: 'Large payments' }).waitFor()
  await page.getByText('Decides nothing.').waitFor()
  assert.deepEqual(await stored(key, page.url().split('/').at(-1) ?? ''), {
    name: 'Large payments',
    caps: { GBP: { review_above: 20_000, block_above: 200_000 } },
    go_floor: 0.9,
    rules: [{ id: 'large', when: 'amount > 500.0', then: 'DEGRADED', message: 'Approve it.' }],
  })
}

async function completes(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/policies/new', { key, ...narrow })
  const { page } = visited
  await page.getByRole('button', { name: 'Add rule' }).click()
  const when = page.getByRole('combobox', { name: 'When' })
  const names = page.getByRole('listbox', { name: 'Names' })
  const chosen = names.getByRole('option', { selected: true })
  await when.press('ArrowDown')
  await names.getByRole('option', { name: /^amount/ }).waitFor()
  assert.equal(await when.getAttribute('aria-expanded'), 'true')
  await checkPage(visited, 'policy-editor-names-390-dark')
  await when.press('Escape')
  await names.waitFor({ state: 'detached' })
  await when.pressSequentially('fraud')
  assert.match((await chosen.textContent()) ?? '', /^signals\.fraud_flags/)
  await when.press('ArrowDown')
  assert.match((await chosen.textContent()) ?? '', /^risk\.fraud_flags/)
  assert.equal(await when.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'))
  await when.press('ArrowUp')
  await when.press('Enter')
  await names.waitFor({ state: 'detached' })
  await when.pressSequentially(' > 0 || flagged.ex')
  await chosen.filter({ hasText: 'flagged.exists' }).waitFor()
  await when.press('Enter')
  // The caret is between the quotes.
  await when.pressSequentially('fx_volatility')
  assert.equal(
    await when.inputValue(),
    'signals.fraud_flags > 0 || flagged.exists(signal, signal == "fx_volatility")',
  )
  assert.equal(await names.count(), 0, 'nothing is completed between quotes')
  await page.getByLabel('Message').fill('A flag is open.')
  await page.getByLabel('Name').fill('Flags')
  await page.getByLabel('Id', { exact: true }).fill('flags')
  await page.getByText('No errors').waitFor()
}

async function outlasts(): Promise<void> {
  const key = await console.issue()
  const from = await create(key, hardStops)
  const { page } = await console.visit(`/policies/${from}`, { key })
  await page.getByRole('link', { name: 'New version from this one' }).click()
  await page.getByText('From Hard stops.').waitFor()
  assert.equal(await rule(page, 2).getByLabel('When').inputValue(), 'amount > 500.0')
  await page.getByLabel('Name').fill('Hard stops 2')
  await rule(page, 2).getByLabel('When').fill('amount > 600.0')
  await page.getByRole('button', { name: 'Remove rule 1' }).click()
  await page.reload()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Hard stops 2')
  assert.equal(await rule(page, 1).getByLabel('When').inputValue(), 'amount > 600.0')
  await page.getByRole('region', { name: 'Document as JSON' }).getByText('"amount > 600.0"').waitFor()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').waitFor()
  const copied = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()'))) as typeof hardStops
  assert.deepEqual(
    copied.rules.map(({ id }) => id),
    ['large'],
  )
  await page.getByText('No errors').waitFor()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hard stops 2' }).waitFor()
  await page.goto(`${console.url}/policies/new?from=${from}`)
  await page.getByText('From Hard stops.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Hard stops')
}

async function tries(): Promise<void> {
  const key = await console.issue()
  const id = await decide(key)
  const from = await create(key, hardStops)
  const visited = await console.visit(`/policies/new?from=${from}`, { key })
  const { page } = visited
  const card = page.getByRole('region', { name: 'Try on a decision' })
  const send = card.getByRole('button', { name: 'Try', exact: true })
  await card.getByLabel('Request id').fill('SVC-unknown')
  await send.click()
  await card.getByText('No such decision of this owner').waitFor()
  await card.getByLabel('Request id').fill(id)
  await send.click()
  const fired = card.getByRole('list', { name: 'Rules that fired' })
  await fired.getByText('large').waitFor()
  await fired.getByText('made the decision').waitFor()
  assert.deepEqual(await card.locator('.policy-flip .verdict').allTextContents(), ['GO', 'DEGRADED'])
  await checkPage(visited, 'policy-editor-tried')
  await rule(page, 2).getByLabel('When').fill('amount > 5000.0')
  await card.getByText('The document has changed since. Try it again.').waitFor()
  await send.click()
  await card.getByText('No rule fired.').waitFor()
  await rule(page, 2).getByLabel('When').fill('amount >')
  await send.click()
  await card.getByText('Correct the errors first').waitFor()
  await page.goto(`${console.url}/policies`)
  await page.getByRole('table', { name: 'Versions' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Hard stops' }).count(), 1, 'nothing was stored')
}

async function staysWhenAway(): Promise<void> {
  const key = await console.issue()
  const from = await create(key, hardStops)
  const visited = await console.visit(`/policies/new?from=${from}`, { key, ...narrow })
  const { page } = visited
  await page.getByText('No errors').waitFor()
  await page.route('**/api/v1/policies', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('The draft may already be saved').waitFor()
  await checkPage(visited, 'policy-editor-away-390-dark')
  assert.equal(await page.getByLabel('Name').inputValue(), 'Hard stops')
  await page.unroute('**/api/v1/policies')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.waitForURL(/\/policies\/pol_\w+$/)
}

describe('versions', { skip }, () => {
  test('two versions are compared side by side, each difference with its word', async () => {
    const key = await console.issue()
    const before = await create(key, hardStops)
    await create(key, { name: 'Another one' })
    const [payee, large] = hardStops.rules
    const after = await create(key, {
      name: 'Hard stops',
      require_amount: true,
      go_floor: 0.9,
      no_go_below: 0.5,
      rules: [payee, { ...large, then: 'NO-GO' }, { ...payee, id: 'fraud', when: 'signals.fraud_flags > 0' }],
    })
    const visited = await console.visit(`/policies/${after}`, { key })
    const { page } = visited
    const card = page.getByRole('region', { name: 'Compare versions' })
    await card.getByLabel('Other version').selectOption(before)
    const row = (table: string, name: string): Locator =>
      card
        .getByRole('table', { name: table })
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    for (const [table, name, ...texts] of [
      ['Members', 'GO from score', '0.85', '0.90', 'Changed'],
      ['Members', 'NO-GO below score', 'absent', '0.50', 'Added'],
      ['Members', 'Cap NGN', 'DEGRADED above 20,000.00', 'absent', 'Removed'],
      ['Rules', 'large', 'DEGRADED', 'NO-GO', 'Changed'],
      ['Rules', 'fraud', 'absent', 'signals.fraud_flags > 0', 'Added'],
    ] as const) {
      for (const text of texts) await row(table, name).getByText(text).first().waitFor()
    }
    assert.equal(await row('Rules', 'payee').count(), 0)
    await card.getByRole('button', { name: 'Show what is the same (3)' }).click()
    await row('Rules', 'payee').getByText('Same').waitFor()
    await checkPage(visited, 'policy-compare')
    assert.match(page.url(), new RegExp(`with=${before}`))
    await page.setViewportSize(narrow)
    await checkPage(visited, 'policy-compare-390')
  })

  test('are filtered by status, and the address says by which', async () => {
    const key = await console.issue()
    await create(key, hardStops)
    const { page } = await console.visit('/policies', { key })
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Retired' }).click()
    await page.getByText('No retired policies').waitFor()
    assert.equal(new URL(page.url()).search, '?status=retired')
    await page.reload()
    await page.getByText('No retired policies').waitFor()
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Draft' }).click()
    await page.getByRole('link', { name: 'Hard stops' }).waitFor()
  })
})

describe('whoever may not', { skip }, () => {
  test('is told which scope is missing, and sees no button for it', async () => {
    const stranger = await console.issue({ scopes: ['decision:read'] })
    for (const path of ['/policies', '/policies/pol_unknown', '/policies/new?from=pol_unknown']) {
      const visited = await console.visit(path, { key: stranger })
      await visited.page.getByText(/^This key may not see /).waitFor()
      await checkPage(visited, 'policies-denied')
    }
    const reader = await console.issue({ scopes: ['policy:read'] })
    const { page } = await console.visit('/policies', { key: reader })
    await page.getByText('No policies yet').waitFor()
    await page.getByRole('link', { name: 'New policy' }).waitFor({ state: 'detached' })
  })

  test('another’s policy is as unknown as one that never was', async () => {
    const id = await create(await console.issue(), hardStops)
    const visited = await console.visit(`/policies/${id}`, { key: await console.issue(), ...narrow })
    await visited.page.getByText('Policy not found').waitFor()
    await checkPage(visited, 'policy-unknown-390-dark')
  })

  test('without a key, the page asks for one in its place', async () => {
    const { page } = await console.visit('/policies/new')
    await page.getByRole('heading', { name: 'Sign in to see the policy editor' }).waitFor()
    await page.getByLabel('API key').fill(await console.issue())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Save as draft' }).waitFor()
  })
})
