/** Kept reports in the console: kept with a click, opened by a colleague at their address, downloaded and deleted. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FairwayClient } from '../../../client/src/index.ts'
import { checkPage, console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const { skip } = chromiumNeeded
const csv = [
  'id,corridor,amount,currency,actual_outcome,timestamp',
  'A-1,GB-NG,1000,GBP,COMPLETED,2026-01-10',
  'A-2,GB-NG,1000,GBP,FAILED,2026-02-10',
  'A-3,GB-NG,70000,GBP,FAILED,2026-02-11',
  'A-4,GB-NG,70000,GBP,COMPLETED,2026-02-12',
  'A-5,GB-NG,1000,GBP,PENDING,2026-03-12',
].join('\n')

const kept = async (key: string, reportName: string): Promise<string> => {
  const client = new FairwayClient({ baseUrl: console.url, apiKey: key })
  return (await client.keepBatchReport(csv, { reportName })).report_id
}

test(
  'a report is kept with a click, and its address shows the same figures after a reload',
  { skip },
  async () => {
    const visited = await console.visit('/batch', { key: await console.issue() })
    const { page } = visited
    await page.getByText('None yet. Assess a file and keep its report to share it.').waitFor()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'payments.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByLabel('Report name').fill('First quarter')
    await page.getByRole('button', { name: /^Assess/ }).click()
    const score = await page.locator('.uncertainty-score').innerText()
    await page.getByRole('button', { name: 'Keep report' }).press('Enter')
    await page.waitForURL(/\/batch\/rep_\w+$/)
    await page.reload()
    await page.getByRole('heading', { name: 'First quarter', level: 1 }).waitFor()
    assert.equal(await page.locator('.uncertainty-score').innerText(), score)
    await page.getByText('Jan 2026 to Mar 2026').waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    await checkPage(visited, 'batch-kept')
  },
)

test(
  'the matrix says in words and in colour what matches, what was missed and what was held without need',
  { skip },
  async () => {
    const key = await console.issue()
    const id = await kept(key, 'Matrix')
    const { page } = await console.visit(`/batch/${id}`, { key })
    const matrix = page.getByRole('region', { name: 'Rows by decision and actual outcome' })
    const shown = async (tone: string): Promise<string[]> =>
      (await matrix.locator(`.agreement-${tone}`).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    await matrix.waitFor()
    assert.deepEqual(await shown('go'), ['1 ✓ matches', '1 ✓ matches'])
    assert.deepEqual(await shown('nogo'), ['1 ✕ missed'])
    assert.deepEqual(await shown('degraded'), ['1 ✕ held without need'])
    assert.ok((await shown('none')).includes('1 – not counted'))
  },
)

test(
  'the list, a report and the question before its deletion can be used in every look',
  { skip },
  async () => {
    const key = await console.issue()
    const id = await kept(
      key,
      'A long name of a report, as somebody gives it who thinks of no narrow window at all',
    )
    for (const look of [{ width: 1440 }, { width: 390, scheme: 'dark' }] as const) {
      const list = await console.visit('/batch', { key, ...look })
      await list.page.getByRole('link', { name: /^A long name/ }).waitFor()
      await checkPage(list, `batch-list-${look.width}`)
      const report = await console.visit(`/batch/${id}`, { key, ...look })
      await report.page.locator('.recharts-bar-rectangle').first().waitFor()
      await checkPage(report, `batch-kept-${look.width}`)
      await report.page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await report.page.getByRole('dialog', { name: 'Delete this report' }).waitFor()
      await checkPage(report, `batch-delete-${look.width}`)
    }
  },
)

test('the page and the rows of a report are downloaded as the API gives them', { skip }, async () => {
  const key = await console.issue()
  const id = await kept(key, 'Files')
  const client = new FairwayClient({ baseUrl: console.url, apiKey: key })
  const { page } = await console.visit(`/batch/${id}`, { key })
  for (const [name, format] of [
    ['Download page', 'html'],
    ['Export CSV', 'csv'],
  ] as const) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    const file = await downloading
    assert.equal(file.suggestedFilename(), `${id}.${format}`)
    assert.equal(readFileSync(await file.path(), 'utf8'), await client.batchReport(id, { format }))
  }
})

test('who may not delete a report is offered no button for it', { skip }, async () => {
  const key = await console.issue()
  const id = await kept(key, 'Theirs')
  const { page } = await console.visit('/batch', { key })
  await page.route(`**/api/v1/batch-reports/${id}*`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), may_delete: false } })
  })
  await page.getByRole('link', { name: 'Theirs' }).click()
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
})

test('a deleted report is gone for everybody, and its address says so', { skip }, async () => {
  const key = await console.issue()
  const id = await kept(key, 'Gone')
  const { page } = await console.visit(`/batch/${id}`, { key })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete report' }).click()
  await page.waitForURL(/\/batch$/)
  await page.getByText('None yet.').waitFor()
  await page.goto(`${console.url}/batch/${id}`)
  await page.getByText('No report at this address').waitFor()
})

test('a report of another owner is not there', { skip }, async () => {
  const id = await kept(await console.issue(), 'Theirs')
  const visited = await console.visit(`/batch/${id}`, { key: await console.issue() })
  await visited.page.getByText('No report at this address').waitFor()
  await checkPage(visited, 'batch-unknown')
})
