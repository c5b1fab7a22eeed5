/** Two decisions side by side: what differs comes first, and an id that is wrong is said of its side alone. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPage, console, type View } from '../../helpers/console.ts'
import { ask } from '../../helpers/process/process.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const needed = { skip: chromiumNeeded.skip }
const views: readonly View[] = [
  { width: 1440 },
  { width: 1440, scheme: 'dark' },
  { width: 390, height: 844 },
  { width: 390, height: 844, scheme: 'dark' },
]
const nameOf = ({ width, scheme = 'light' }: View): string => `${width}-${scheme}`

async function decide(key: string, amount: number, corridor = 'GB-NG'): Promise<string> {
  const answer = await ask(console.url, key, { corridor, amount, currency: 'GBP' })
  return ((await answer.json()) as { request_id: string }).request_id
}

test(
  'the previous decision on the corridor is offered, by keyboard, and differences come first',
  needed,
  async () => {
    const key = await console.issue()
    await decide(key, 1000, 'GB-KE')
    const before = await decide(key, 1000)
    await decide(key, 70_000, 'GB-KE')
    const id = await decide(key, 60_000)
    for (const view of views) {
      const visited = await console.visit(`/verifications/${id}`, { key, ...view })
      const { page } = visited
      const bar = page.getByRole('region', { name: 'Decision summary' })
      await bar.waitFor()
      if (view.width === 390) await bar.getByRole('button', { name: 'Actions' }).press('Enter')
      await bar.getByRole('button', { name: 'Compare with…' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Compare with another decision' })
      await dialog.getByText('Previous decision on GB-NG').waitFor()
      await checkPage(visited, `compare-asked-${nameOf(view)}`)
      await dialog.getByRole('button', { name: 'Compare with this one' }).press('Enter')
      await page.waitForURL(`**/verifications/compare?left=${before}&right=${id}`)
      const different = page.getByRole('table', { name: 'Members that differ' })
      const rowOf = (name: string) => different.getByRole('row').filter({ hasText: name })
      await rowOf('Verdict').getByText('DEGRADED').waitFor()
      await rowOf('Verdict').getByText('GO', { exact: true }).waitFor()
      await rowOf('Amount').filter({ hasText: '60,000.00 GBP' }).first().waitFor()
      await rowOf('Score')
        .getByText(/^−0\.\d\d$/)
        .waitFor()
      await rowOf('Settlement network')
        .getByText(/^−0\.\d{3}$/)
        .waitFor()
      await rowOf('Policy cap applied').getByText('Yes').waitFor()
      const same = page.getByRole('table', { name: 'Members that agree' })
      await same.getByText('GB-NG').waitFor()
      assert.ok(((await different.boundingBox())?.y ?? 9999) < ((await same.boundingBox())?.y ?? 0))
      await checkPage(visited, `compare-${nameOf(view)}`)
    }
  },
)

test(
  'an unknown id on one side is said there, beside the other decision; none at all asks for two',
  needed,
  async () => {
    const key = await console.issue()
    const stranger = await console.issue()
    const id = await decide(key, 60_000)
    const theirs = await decide(stranger, 1000)
    for (const view of views) {
      const visited = await console.visit(`/verifications/compare?left=${id}&right=${theirs}`, {
        key,
        ...view,
      })
      const { page } = visited
      await page.getByText('Right: decision not found').waitFor()
      await page.getByRole('region', { name: 'Left decision' }).getByText('60,000.00 GBP').waitFor()
      assert.equal(await page.getByRole('table').count(), 0)
      await checkPage(visited, `compare-unknown-${nameOf(view)}`)
      await page.getByRole('button', { name: 'Exchange' }).press('Enter')
      await page.getByText('Left: decision not found').waitFor()
      await page.goto(`${console.url}/verifications/compare`)
      await page.getByText('Choose two decisions').waitFor()
      await page.getByRole('button', { name: 'Compare', exact: true }).press('Enter')
      await page.getByText('Enter a request id.').first().waitFor()
      await checkPage(visited, `compare-empty-${nameOf(view)}`)
      const form = page.getByRole('form', { name: 'Decisions to compare' })
      await form.getByLabel('Left request id').fill(id)
      await form.getByLabel('Right request id').fill(` ${id} `)
      await page.keyboard.press('Enter')
      await page.getByText('The two decisions agree in all that is compared here.').waitFor()
    }
  },
)
