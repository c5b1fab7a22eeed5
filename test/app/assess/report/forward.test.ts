/** The report page is safe to forward: all text is escaped, it needs nothing but itself, and anyone can read it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportPage } from '../../../../src/app/assess/report/page.ts'
import { dark, light, type Palette } from '../../../../src/app/assess/report/style.ts'
import type { Corridor } from '../../../../src/core/reference/corridor.ts'
import type { Currency } from '../../../../src/core/reference/currency.ts'
import { add, emptyTally } from '../../../../src/core/assess/report.ts'
import { assessed, mixedRows, reportOf, tallyOf } from './samples.ts'

const mixedPage = reportPage(reportOf(tallyOf(mixedRows(400))))

const hostile = `<script>alert("x")</script><img src='y' onerror=z>&amp;`
const harmless =
  '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&lt;img src=&#39;y&#39; onerror=z&gt;&amp;amp;'

test('text of the caller is escaped, wherever it stands', () => {
  const tally = emptyTally()
  const row = assessed({ amount: 600_000 }, 0)
  const given = (field: string): string => field + hostile
  add(tally, {
    ...row,
    transactionId: given('id'),
    corridor: given('corridor') as Corridor,
    currency: given('currency') as Currency,
  })
  add(tally, { ...row, month: given('month') })
  const page = reportPage(
    reportOf(tally, {
      reportName: given('name'),
      source: given('source'),
      reportId: given('report'),
      modelVersion: given('model'),
      ignoredColumns: [given('column').slice(0, 60)],
    }),
  )
  for (const field of ['name', 'source', 'report', 'model', 'id', 'corridor', 'currency', 'month']) {
    assert.ok(page.includes(`${field}${harmless}`), `${field} is shown`)
    assert.ok(!page.includes(`${field}<script`), `${field} is escaped`)
  }
  assert.ok(page.includes('column&lt;script&gt;'))
  assert.doesNotMatch(page, /<script|<img/)
  // The title, the heading, and the corridor by itself and in its row.
  assert.equal(page.split(`name${harmless}`).length, 3)
  assert.equal(page.split(`corridor${harmless}`).length, 3)
})

test('the page is one file: no script, and nothing from elsewhere', () => {
  const forbidden =
    /https?:|\/\/[a-z]|<script|<link|<iframe|<img|@import|url\(|\bsrc=|\bhref=|\son\w+=|javascript:/i
  assert.doesNotMatch(mixedPage, forbidden)
  assert.ok(
    mixedPage.includes(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    ),
  )
  assert.match(mixedPage, /^<!doctype html>\n<html lang="en">/)
})

test('every tag is closed, and every id is there once', () => {
  const open: string[] = []
  const alone = /^(?:meta|rect|line|path|circle)$/
  for (const [, slash, name = ''] of mixedPage.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (alone.test(name) && slash === '') continue
    if (slash === '') open.push(name)
    else assert.equal(open.pop(), name)
  }
  assert.deepEqual(open, [])
  const ids = [...mixedPage.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const [, id] of mixedPage.matchAll(/aria-labelledby="([^"]+)"/g)) assert.ok(ids.includes(id))
})

test('every chart has a name, every table a caption and every head a scope', () => {
  const charts = [...mixedPage.matchAll(/<svg[^>]*role="img"[^>]*>/g)].map(([tag]) => tag)
  assert.equal(charts.length, 4)
  assert.ok(charts.every((tag) => /aria-label="[^"]{20,}"/.test(tag)))
  const tables = mixedPage.match(/<table/g)?.length ?? 0
  assert.equal(tables, 7)
  assert.equal(mixedPage.match(/<table[^>]*>\s*<caption>/g)?.length, tables)
  assert.doesNotMatch(mixedPage, /<th(?![^>]*scope=)[\s>]/)
})

// Legibility

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((left, right) => right - left)
  return (bright + 0.05) / (dim + 0.05)
}

test('text reaches the contrast of WCAG AA, and bars that of graphics, in light and in dark', () => {
  const text = [
    ...(['paper', 'card', 'accent-tint'] as const).map((ground) => ['ink', ground] as const),
    ...(['paper', 'card'] as const).flatMap((ground) => [
      ['soft', ground] as const,
      ['accent', ground] as const,
    ]),
    ...(['go', 'degraded', 'nogo'] as const).map((tone) => [`${tone}-ink`, `${tone}-tint`] as const),
  ]
  const bars = (['go', 'degraded', 'nogo', 'accent'] as const).map((tone) => [tone, 'card'] as const)
  const weak = (
    palette: Palette,
    pairs: readonly (readonly [keyof Palette, keyof Palette])[],
    least: number,
  ) => pairs.filter(([one, other]) => contrast(palette[one], palette[other]) < least)
  for (const palette of [light, dark]) {
    assert.deepEqual(weak(palette, text, 4.5), [])
    assert.deepEqual(weak(palette, bars, 3), [])
  }
})
