/** The batch page: from a file with bad rows to a report whose figures are those of the API. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { BatchResponse } from '@fairway/client'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/process/checked-fetch.ts'
import { checkPage, console, withConsole, type Console } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/process/runtimes.ts'

const sample = readFileSync(new URL('../../../examples/payments.csv', import.meta.url), 'utf8')
const html = '<img src=x onerror="alert(1)">'
const dark = { width: 360, scheme: 'dark' } as const

/** A negative amount, two faults in one row below a blank line, a row that is too short; and two good ones. */
const bad = [
  'id,corridor,amount,currency,actual_outcome,note',
  'A-1,GB-NG,1000,GBP,COMPLETED,first',
  'A-2,GB-NG,-5,GBP,COMPLETED,negative',
  '',
  `"${html.replaceAll('"', '""')}",XX,many,GBP,DELAYED,two faults`,
  'A-4,GB-NG,1000',
  'A-5,NG-GB,600000,GBP,FAILED,capped',
].join('\n')

const mended = [
  'id,corridor,amount,currency,actual_outcome,note',
  'A-1,GB-NG,1000,GBP,COMPLETED,first',
  'A-2,GB-NG,5,GBP,COMPLETED,negative',
  `"${html.replaceAll('"', '""')}",GB-GH,70000,GBP,DELAYED,two faults`,
  'A-4,GB-NG,1000,GBP,,',
  'A-5,NG-GB,600000,GBP,FAILED,capped',
].join('\n')

async function assessed(key: string, csv: string, format: 'json' | 'csv'): Promise<string> {
  const answer = await checkedFetch(`${console.url}/api/v1/batch-assess?format=${format}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: csv,
  })
  assert.equal(answer.status, 200)
  return answer.text()
}

const payments = (text: string | Buffer, name = 'payments.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

const choose = (page: Page, text: string | Buffer, name?: string): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(payments(text, name))

async function assess(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Assess/ }).click()
}

async function reported(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Execution Uncertainty Score' }).waitFor()
  await page.locator('.recharts-bar-rectangle').first().waitFor()
}

/** The cells of a table's row, by the text of its heading. */
async function cells(page: Page, table: RegExp | string, row: string): Promise<string[]> {
  const found = page.getByRole('region', { name: table }).getByRole('row').filter({ hasText: row })
  return found.getByRole('cell').allInnerTexts()
}

/** The value of a figure in a list of names and values. */
const figure = (page: Page, name: string): Promise<string> =>
  page.locator('.tile').filter({ hasText: name }).locator('.tile-value').innerText()

describe('the batch page', { skip: chromiumNeeded.skip }, () => {
  test('bad rows are named beside themselves, mended where they stand, and then assessed', mendsRows)
  test('the report has the figures of the API, and its CSV is the CSV of the API', reportsAsTheApi)
  test('by keyboard alone a file is chosen and assessed, and what went wrong is told', byKeyboard)
  test('what cannot be assessed is refused in words before it is sent, and nothing is lost', refusesFiles)
  test('a pasted text, a dropped file and an address with the sample are taken as well', takesTexts)
  test('a server that is gone costs nothing but the answer', () => withConsole({}, survivesOutage))
})

async function mendsRows(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/batch', { key })
  const { page } = visited
  await choose(page, bad)
  await page.getByText('5 rows to assess. Nothing is recorded. Unknown columns: note.').waitFor()
  await checkPage(visited, 'batch-rows')
  await assess(page)
  await page.getByText('3 of 5 rows need attention').waitFor()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const told = async (name: string): Promise<string | undefined> =>
    field(name).evaluate((input) => {
      const id = input.getAttribute('aria-describedby') ?? ''
      return input.ownerDocument.getElementById(id)?.innerText
    })
  assert.equal(await told('Row 2, amount'), 'Must not be negative.')
  assert.match((await told('Row 3, corridor')) ?? '', /^Must name two countries/)
  assert.equal(await told('Row 3, amount'), 'Must be a plain number, like 1234.56.')
  assert.equal(await told('Row 4, full line'), 'This row has 3 cells where the header has 6.')
  assert.equal(await field('Row 3, id').inputValue(), html)
  assert.equal(await page.getByRole('row').count(), 1 + 3)
  await checkPage(visited, 'batch-bad')
  await page.getByRole('button', { name: 'All rows (5)' }).click()
  assert.equal(await page.getByRole('row').count(), 1 + 5)
  assert.match(page.url(), /[?&]show=all/)
  await page.getByRole('button', { name: 'Needs attention (3)' }).click()

  await field('Row 2, amount').fill('5')
  assert.equal(await told('Row 2, amount'), 'Changed. Assess again to check it.')
  await field('Row 3, corridor').fill('GB-GH')
  await field('Row 4, full line').fill('A-4,GB-NG,1000,GBP,,')
  await assess(page)
  await page.getByText('1 of 5 rows needs attention').waitFor()
  await field('Row 3, amount').fill('70000')
  await assess(page)
  await reported(page)
  const answer = JSON.parse(await assessed(key, mended, 'json')) as BatchResponse
  assert.equal(
    await page.locator('.uncertainty-score').innerText(),
    String(answer.execution_uncertainty_score),
  )
  const ids = await page.locator('.row-id').allInnerTexts()
  assert.deepEqual(ids.toSorted(), answer.assessments.map((row) => row.transaction_id).toSorted())
  assert.equal(await page.locator('img').count(), 0)
  await page.getByText('Warnings', { exact: true }).waitFor()
  await saysWhatItIs(page)
  await checkPage(visited, 'batch-mended')
}

/** A report without dates has no months; its values are whole, and it says that it is kept nowhere. */
async function saysWhatItIs(page: Page): Promise<void> {
  await page.getByText('This report is not kept yet').waitFor()
  await page.getByText('No dates in the file').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Decisions by month' }).count(), 0)
  const lines = await page.evaluate(
    `[...document.querySelectorAll('.facts code, .facts time')].map((one) => one.getClientRects().length)`,
  )
  assert.deepEqual(lines, [1, 1])
}

async function reportsAsTheApi(): Promise<void> {
  const key = await console.issue()
  const { summary, ...answer } = JSON.parse(await assessed(key, sample, 'json')) as BatchResponse
  const visited = await console.visit('/batch', { key })
  const { page } = visited
  await page.getByRole('button', { name: 'Use sample' }).click()
  await page.getByLabel('Report name').fill(html)
  await assess(page)
  await reported(page)
  await page.getByText(html).waitFor()
  assert.equal(await figure(page, 'Average score'), summary.avg_score.toFixed(4))
  assert.equal(await figure(page, 'Average confidence'), summary.avg_confidence.toFixed(4))
  assert.equal(await figure(page, 'Alignment'), `${summary.alignment_pct}%`)
  assert.equal(await figure(page, 'Flagged before failure'), `${summary.flagged_pre_failure} rows`)
  assert.equal(await figure(page, 'Would have been caught'), `${summary.improvement_opportunities} rows`)
  const shares = await page.locator('.shares-legend > div').allInnerTexts()
  assert.deepEqual(
    shares.map((text) => text.split(/\s+/)),
    [
      ['GO', `${summary.go_pct.toFixed(1)}%`, String(summary.go)],
      ['DEGRADED', `${summary.degraded_pct.toFixed(1)}%`, String(summary.degraded)],
      ['NO-GO', `${summary.no_go_pct.toFixed(1)}%`, String(summary.no_go)],
    ],
  )
  const there = answer.assessments.filter((row) => row.corridor === 'GB-NG')
  const [rows] = await cells(page, /^Decisions by corridor/, 'GB-NG')
  assert.equal(rows, String(there.length))
  const completed = answer.assessments.filter(
    (row) => row.svc_decision === 'GO' && row.actual_outcome === 'COMPLETED',
  )
  const [matching] = await cells(page, /^Rows by decision/, 'GO')
  assert.equal(matching?.split(/\s+/)[0], String(completed.length))
  await checkPage(visited, 'batch-report')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await downloading).path()
  assert.equal(readFileSync(file, 'utf8'), await assessed(key, sample, 'csv'))
  await looksThroughRows(page, answer.assessments)
}

/** Filter, order and page are in the address, and the worst row is first. */
async function looksThroughRows(page: Page, all: BatchResponse['assessments']): Promise<void> {
  const table = page.getByRole('table', { name: 'Rows and decisions' })
  const noGo = all.filter((row) => row.svc_decision === 'NO-GO')
  await page.getByRole('button', { name: `NO-GO ${noGo.length}`, exact: true }).click()
  assert.equal(await table.getByRole('row').count(), 1 + noGo.length)
  assert.match(page.url(), /[?&]verdict=NO-GO/)
  const improved = all.find((row) => row.improvement_opportunity)
  await page.getByRole('button', { name: /^Would have been caught/ }).click()
  await table
    .getByText(improved?.improvement_note ?? 'none')
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'All 200', exact: true }).click()
  await page.getByLabel('Order').selectOption('File order')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Rows 26 to 50 of 200').waitFor()
  assert.match(page.url(), /order=file.*page=2/)
  assert.equal(await table.locator('.row-id').first().innerText(), all[25]?.transaction_id)
  // Whoever looks at a corridor and comes back finds the report as it was.
  await table.getByRole('link').first().click()
  await page.waitForURL(/\/corridors\//)
  await page.goBack()
  await page.getByText('Rows 26 to 50 of 200').waitFor()
}

async function byKeyboard(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/batch', { key, ...dark })
  const { page } = visited
  await page.getByText('Drop a CSV file here, or choose one').waitFor()
  await checkPage(visited, 'batch-empty-360-dark')
  const press = async (wanted: string): Promise<void> => {
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(
        `(document.activeElement.labels?.[0] ?? document.activeElement).innerText ?? ''`,
      )
      if (String(focused).includes(wanted)) return
    }
    assert.fail(`the keyboard does not reach ${wanted}`)
  }
  // Before the keyboard sets out: the browser has to know that somebody waits for its dialog.
  const choosing = page.waitForEvent('filechooser')
  await press('Drop a CSV file here')
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(payments(bad))
  await page.getByText('5 rows to assess').waitFor()
  await press('Assess 5 rows')
  await page.keyboard.press('Enter')
  await page.getByText('3 of 5 rows need attention').waitFor()
  await checkPage(visited, 'batch-bad-360-dark')
  await choose(page, mended)
  await page.getByRole('button', { name: 'Assess 5 rows' }).focus()
  await page.keyboard.press('Enter')
  await reported(page)
  assert.equal(
    await page.evaluate('document.activeElement.innerText'),
    await page.locator('.report-title').innerText(),
  )
  await checkPage(visited, 'batch-report-360-dark')
}

async function refusesFiles(): Promise<void> {
  const visited = await console.visit('/batch', { key: await console.issue() })
  const { page } = visited
  await page.getByRole('button', { name: 'Use sample' }).waitFor()
  await checkPage(visited, 'batch-empty')
  await choose(page, mended, 'good.csv')
  await page.getByRole('heading', { name: 'good.csv' }).waitFor()
  const refusals: readonly (readonly [name: string, text: string | Buffer, title: string])[] = [
    ['empty.csv', '  \n', 'empty.csv is empty'],
    ['header.csv', 'corridor,amount\n', 'header.csv has no payments'],
    ['book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]), 'book.xlsx is not CSV'],
    ['latin.csv', Buffer.from([0x63, 0xe9, 0x2c]), 'latin.csv is not CSV'],
    ['list.json', '[{"corridor":"GB-NG"}]', 'list.json is not CSV'],
    ['open.csv', 'corridor\n"GB-NG\n', 'open.csv cannot be read'],
    ['large.csv', `corridor\n${'GB-NG\n'.repeat(180_000)}`, 'large.csv is too large'],
    ['many rows.csv', `corridor\n${'GB-NG\n'.repeat(501)}`, 'many rows.csv has 501 rows'],
  ]
  for (const [name, text, title] of refusals) {
    await choose(page, text, name)
    await page.getByRole('alert').getByText(title, { exact: true }).waitFor()
  }
  await page.getByText("fairway assess 'many rows.csv'").waitFor()
  await page.getByRole('heading', { name: 'good.csv' }).waitFor()
  await checkPage(visited, 'batch-too-many')
  // What only the server can know of a file as a whole.
  await choose(page, 'from,to\nGB,NG\n', 'columns.csv')
  await assess(page)
  await page.getByText('The file has no column named corridor in its header row.').waitFor()
  await checkPage(visited, 'batch-no-corridor')
}

async function takesTexts(): Promise<void> {
  const key = await console.issue()
  const visited = await console.visit('/batch', { key })
  const { page } = visited
  await page.getByLabel('Or paste rows').fill(mended)
  await page.getByRole('button', { name: 'Load rows' }).click()
  await page.getByRole('button', { name: 'Assess 5 rows' }).waitFor()
  await page.getByRole('button', { name: 'Start over' }).click()
  const dropped = await page.evaluateHandle(
    `(() => { const all = new DataTransfer(); all.items.add(new File(['corridor\\nGB-NG\\n'], 'dropped.csv')); return all })()`,
  )
  await page.locator('.drop-area').dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByRole('heading', { name: 'dropped.csv' }).waitFor()
  const template = page.getByRole('link', { name: 'Download template' })
  await page.getByRole('button', { name: 'Start over' }).click()
  const href = (await template.getAttribute('href')) ?? ''
  const response = await page.request.get(new URL(href, console.url).href)
  await assessed(key, await response.text(), 'json')
  await page.goto(`${console.url}/batch?sample=1`)
  await page.getByRole('button', { name: 'Assess 200 rows' }).waitFor()
}

async function survivesOutage(own: Console): Promise<void> {
  const visited = await own.visit('/batch', { key: await own.issue() })
  const { page } = visited
  await choose(page, mended)
  await page.getByRole('button', { name: 'Assess 5 rows' }).waitFor()
  await own.server.stop()
  await assess(page)
  await page.getByText('Fairway is not responding').waitFor()
  await page.getByRole('button', { name: 'Assess 5 rows' }).waitFor()
  await checkPage(visited, 'batch-down')
}
