/** The batch page: from a file with bad rows to a report whose figures are those of the API. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { BatchResponse } from '@fairway/client'
import type { Page } from 'playwright-core'
import { checkedFetch } from '../../helpers/checked-fetch.ts'
import { checkPage, openConsole, type Console, type Visited } from '../../helpers/console.ts'
import { chromiumNeeded } from '../../helpers/runtimes.ts'

const sample = readFileSync(new URL('../../../examples/payments.csv', import.meta.url), 'utf8')
const html = '<img src=x onerror="alert(1)">'

const bad = [
  'id,corridor,amount,currency,actual_outcome,note',
  'A-1,GB-NG,1000,GBP,COMPLETED,first',
  'A-2,GB-NG,-5,GBP,COMPLETED,negative',
  '',
  `"${html.replaceAll('"', '""')}",XX,many,GBP,DELAYED,two faults`,
  'A-4,GB-NG,1000',
  'A-5,NG-GB,60000,GBP,FAILED,capped',
].join('\n')

const fileOf = (text: string, name = 'payments.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

async function choose(page: Page, text: string | Buffer, name?: string): Promise<void> {
  const buffer = Buffer.from(text)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: name ?? 'payments.csv', mimeType: 'text/csv', buffer })
}

let console: Console

async function assessed(key: string, csv: string, format: 'json' | 'csv'): Promise<string> {
  const answer = await checkedFetch(`${console.url}/api/v1/batch-assess?format=${format}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: csv,
  })
  assert.equal(answer.status, 200)
  return answer.text()
}

async function report(visited: Visited): Promise<void> {
  await visited.page.getByRole('button', { name: /^Assess/ }).click()
  await visited.page.getByRole('heading', { name: 'Execution Uncertainty Score' }).waitFor()
  await visited.page.locator('.recharts-bar-rectangle').first().waitFor()
}

describe('the batch page', { skip: chromiumNeeded.skip }, () => {
  before(async () => {
    console = await openConsole()
  })
  after(() => console.close())

  test('shots', async () => {
    const key = await console.issue()
    const visited = await console.visit('/batch', { key })
    await visited.page.getByRole('button', { name: 'Use the sample' }).waitFor()
    await checkPage(visited, 'batch-empty')
    await choose(visited.page, bad)
    await visited.page.getByRole('button', { name: /^Assess/ }).waitFor()
    await checkPage(visited, 'batch-rows')
    await visited.page.getByRole('button', { name: /^Assess/ }).click()
    await visited.page.getByText('3 of 5 rows need attention').waitFor()
    await checkPage(visited, 'batch-bad')
    const narrow = await console.visit('/batch?sample=1', { key, width: 360, scheme: 'dark' })
    await report(narrow)
    await checkPage(narrow, 'batch-report-360-dark')
    const wide = await console.visit('/batch?sample=1', { key })
    await report(wide)
    await checkPage(wide, 'batch-report')
  })
})
