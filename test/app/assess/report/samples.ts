/** Reports to test with, and a plain reader of the page: text, tables, and what stands in a section. */

import assert from 'node:assert/strict'
import type { ReportData } from '../../../../src/app/assess/report/front.ts'
import { assess, type Assessment } from '../../../../src/core/assess/assessment.ts'
import type { Corridor } from '../../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../../src/core/reference/currency.ts'
import { hash32 } from '../../../../src/core/shadow/hash.ts'
import { standardPolicy } from '../../../../src/core/decision/policy.ts'
import { add, emptyTally, type Tally } from '../../../../src/core/assess/report.ts'
import { actualOutcomes, type ActualOutcome } from '../../../../src/core/live/outcome.ts'

export interface SampleRow {
  readonly id?: string
  readonly corridor?: string
  readonly amount?: number | null
  readonly currency?: string
  readonly actualOutcome?: ActualOutcome | null
  readonly month?: string | null
}

export function assessed(row: SampleRow, index: number): Assessment {
  const { corridor = 'GB-NG', amount = 100, currency = 'GBP', actualOutcome = null, month = null } = row
  const transaction = {
    id: null,
    corridor: corridor as Corridor,
    amount,
    currency: currency as Currency,
    actualOutcome,
    month,
  }
  return assess(transaction, row.id ?? `tx-${index + 1}`, index, standardPolicy)
}

export function tallyOf(rows: readonly SampleRow[]): Tally {
  const tally = emptyTally()
  for (const [index, row] of rows.entries()) add(tally, assessed(row, index))
  return tally
}

export function reportOf(tally: Tally, more: Partial<ReportData> = {}): ReportData {
  return {
    reportId: 'rep_1',
    reportName: 'March review',
    source: 'payments.csv',
    generatedAtMs: Date.UTC(2026, 2, 1, 9, 30, 15),
    modelVersion: 'v1.3',
    tally,
    rejectedRows: 0,
    ignoredColumns: [],
    ...more,
  }
}

const corridors = ['GB-NG', 'GB-NG', 'GB-NG', 'NG-GB', 'NG-GB', 'GB-GH', 'US-NG', 'GB-KE']

/** Rows of every kind: each verdict, each outcome and none, dated and not; the same on every machine. */
export function mixedRows(count: number): SampleRow[] {
  const turn = (index: number, what: string, of: number): number => hash32(`${what}|${index}`) % of
  return Array.from({ length: count }, (_, index) => ({
    corridor: corridors[turn(index, 'corridor', corridors.length)] ?? 'GB-NG',
    amount: Math.round(100 * 10 ** (1 + turn(index, 'amount', 495) / 100)) / 100,
    currency: turn(index, 'currency', 9) === 0 ? 'JPY' : 'GBP',
    actualOutcome: actualOutcomes[turn(index, 'outcome', 6)] ?? null,
    month: [null, '2026-01', '2026-02', '2025-12'][turn(index, 'month', 4)] ?? null,
  }))
}

// Reading the page

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What a reader sees of the markup: no tags, single spaces. */
export function textIn(html: string): string {
  return html
    .replaceAll(/<style>[\s\S]*?<\/style>|<title>[^<]*<\/title>|<[^>]*>/g, ' ')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export function sectionIn(page: string, id: string): string {
  const [, found] = new RegExp(`<section id="${id}"([\\s\\S]*?)</section>`).exec(page) ?? []
  return found ?? assert.fail(`there is no section ${id}`)
}

/** The cells of the rows of a section's table, as text: the head, the rows, the foot. */
export function tableIn(page: string, id: string): string[][] {
  const rows = [...sectionIn(page, id).matchAll(/<tr[^>]*>([\s\S]*?)<\/tr>/g)]
  return rows.map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textIn(cell)),
  )
}

export const numberIn = (text: string | undefined): number =>
  Number((text ?? '').split(' ')[0]?.replaceAll(',', ''))
