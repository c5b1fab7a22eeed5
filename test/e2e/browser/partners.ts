/** The partners page: the ranking is that of the API, and the address has the question. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PartnerRankingResponse } from '@fairway/client'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const html = '<script>alert(1)</script>'
const dark = { width: 360, scheme: 'dark' } as const

async function ranked(key: string, body: object): Promise<PartnerRankingResponse> {
  const answer = await checkedFetch(`${console.url}/api/v1/decision/compare`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as PartnerRankingResponse
}

describe('the partners page', { skip: chromiumNeeded.skip }, () => {
  test('partners are ranked as the API ranks them, and a copied address shows the same', ranks)
  test('what is wrong stands beside its field, and the answer comes once it is mended', tellsFields)
  test('where no partner is fit none is recommended, and it says why', recommendsNone)
})

async function ranks(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/partners', { key })
  const { page } = visited
  await page.getByText('No ranking yet').waitFor()
  await checkPage(visited, 'partners-empty')
  const partners = ['sim-partner-alder', 'sim-partner-birch', html, 'A partner of your own']
  await page.getByLabel('Partners, one per line').fill(`${partners.join('\n\n')}\n`)
  await page.getByLabel('Amount').fill('40000')
  await page.getByRole('button', { name: 'Rank partners' }).press('Enter')
  const answer = await ranked(key, { corridor: 'GB-NG', amount: 40_000, currency: 'GBP', partners })
  await page.getByText(`Send through ${answer.recommended_partner}`).waitFor()
  const names = await page.locator('.partner bdi').allInnerTexts()
  assert.deepEqual(
    names,
    answer.ranked_partners.map(({ partner }) => partner),
  )
  const scores = await page.locator('.partner-score').allInnerTexts()
  assert.deepEqual(
    scores.map((text) => text.trim()),
    answer.ranked_partners.map(({ score }) => score?.toFixed(2)),
  )
  const edges = (await page.evaluate(
    `[document.querySelector('thead th.num'), ...document.querySelectorAll('.partner-score .figures')].map((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return Math.round(range.getBoundingClientRect().right)
    })`,
  )) as number[]
  assert.equal(new Set(edges).size, 1, 'scores end where their heading does')
  const marked = page.locator('.partner').filter({ hasText: 'Recommended' }).locator('bdi')
  assert.deepEqual(await marked.allInnerTexts(), [answer.recommended_partner])
  await checkPage(visited, 'partners')
  const copied = await console.visit(page.url().slice(console.url.length), { key, ...dark })
  await copied.page.getByText(`Send through ${answer.recommended_partner}`).waitFor()
  assert.deepEqual(await copied.page.locator('.partner bdi').allInnerTexts(), names)
  await checkPage(copied, 'partners-360-dark')
  await page.goBack()
  await page.getByText('No ranking yet').waitFor()
}

async function tellsFields(): Promise<void> {
  const visited = await console.visit('/partners', { key: await console.issue() })
  const { page } = visited
  await page.getByLabel('Corridor').fill('Atlantis')
  await page.getByLabel('Amount').fill('1000')
  await page.getByLabel('Partners, one per line').fill('a\nb\na')
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText('This must name two countries as FROM-TO').waitFor()
  await page.getByText('Name 3 repeats the name at name 1.').waitFor()
  await checkPage(visited, 'partners-refused')
  await page.getByLabel('Corridor').fill('GB-NG')
  await page.getByLabel('Amount').fill('ten')
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText('This must be a number, like 1000 or 1,000.50.').waitFor()
  await page.getByLabel('Amount').fill('10')
  await page.getByLabel('Partners, one per line').fill('a')
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText(/^The list must .*2/).waitFor()
  await page.getByLabel('Partners, one per line').fill('a\nb')
  await page.getByRole('button', { name: 'Rank partners' }).click()
  await page.getByText(/^Send through/).waitFor()
  assert.equal(await page.locator('[aria-invalid]').count(), 0)
}

async function recommendsNone(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/partners?corridor=GB-GH&amount=1000&currency=GBP', { key })
  const { page } = visited
  await page.getByText('No data for this corridor.').waitFor()
  assert.equal(await page.getByText('Recommended', { exact: true }).count(), 0)
  await checkPage(visited, 'partners-no-data')
  await page.goto(`${console.url}/partners?corridor=GB-NG&amount=900000`)
  await page.getByText('Even the best partner is NO-GO').waitFor()
}
