/** The reference of policies says what the code does: its documents compile, and no variable, figure or bound is missing. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePolicy } from '../../src/app/policy/compile.ts'
import { describedVariables, functionNames, macroNames } from '../../src/app/policy/expression.ts'
import { policiesPerOwnerMax, waitingBacktestsMax } from '../../src/app/policy/policies.ts'
import { documentLimits } from '../../src/core/policy/document.ts'
import { policyStatuses } from '../../src/core/policy/life.ts'
import { emptySums, reportOf } from '../../src/core/policy/report.ts'
import { limits } from '../../src/http/limits.ts'
import { blocksOf } from '../helpers/docs/markdown.ts'
import { readPage } from '../helpers/docs/pages.ts'

const path = 'docs/policies.md'
const page = readPage(path)
const blocks = blocksOf(path, page)

/** The rows of all tables, cell by cell. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))

function faultsOf(document: unknown): readonly string[] {
  const compiled = compilePolicy(document)
  return compiled.kind === 'faulty' ? compiled.faults.map(({ message }) => message) : []
}

const ruleOf = (when: string) => ({
  name: 'One rule',
  rules: [{ id: 'rule', when, then: 'NO-GO', message: 'A rule.' }],
})

test('the document that is shown compiles, and has every member', () => {
  const shown = blocks.find(({ language }) => language === 'json')
  const document = JSON.parse(shown?.text ?? '') as object
  assert.deepEqual(faultsOf(document), [])
  assert.deepEqual(Object.keys(document), [
    'name',
    'require_amount',
    'caps',
    'go_floor',
    'no_go_below',
    'rules',
  ])
})

test('every expression that is shown compiles', () => {
  const shown = blocks.filter(({ text }) => text.startsWith('corridor =='))
  const expressions = shown.flatMap(({ text }) => text.trim().split('\n'))
  assert.ok(expressions.length >= 5, 'the expressions were not found')
  assert.deepEqual(
    expressions.flatMap((when) => faultsOf(ruleOf(when))),
    [],
  )
})

test('every variable is in the table, with its type', () => {
  const types = new Map(
    rows.flatMap(([, names = '', type = '']) =>
      [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => [name, type] as const),
    ),
  )
  const expected = describedVariables.map(({ name, type }) => [name, type])
  const found = expected.map(([name = '']) => [
    name,
    types.get(name) ?? (name.startsWith('risk.') ? types.get('risk.') : undefined),
  ])
  assert.deepEqual(found, expected)
})

test('functions, macros, statuses and figures of the report are named', () => {
  const figures = Object.keys(reportOf(emptySums([])))
  const words = [...functionNames, ...macroNames, ...policyStatuses, ...figures]
  assert.deepEqual(
    words.filter((word) => !page.includes(`\`${word}`)),
    [],
  )
})

test('the bounds are those of the code', () => {
  const figure = (count: number): string => count.toLocaleString('en')
  const bounds: readonly (readonly [string, string])[] = [
    ['bytes of an expression', figure(documentLimits.whenBytesMax)],
    ['rules of a policy', figure(documentLimits.rulesMax)],
    ['policies of an owner', figure(policiesPerOwnerMax)],
    ['backtests of an owner that have not ended', figure(waitingBacktestsMax)],
    ['characters of a reason', figure(limits.justificationLengthMax)],
  ]
  const stated = new Map(rows.map(([, name = '', value = '']) => [name, value] as const))
  assert.deepEqual(
    bounds.map(([name]) => [name, stated.get(name)]),
    bounds,
  )
  assert.ok(page.includes(`at most ${limits.policyBodyBytesMax / 1024} KiB`))
  assert.ok(page.includes(`1 to ${documentLimits.nameMax} characters`))
  assert.ok(page.includes(`1 to ${documentLimits.messageMax} characters`))
})

test('a policy at the bound of steps is taken, and one beyond it is not', () => {
  const [, , steps = ''] = rows.find(([, name]) => name === 'steps of a policy, all its rules') ?? []
  const stepsMax = Number(steps.replaceAll(',', ''))
  const rulesOf = (expressions: readonly string[]) => ({
    name: 'Long',
    rules: expressions.map((when, index) => ({ ...ruleOf(when).rules[0], id: `rule-${index}` })),
  })
  // 25 values, 24 operators between them, and one in front: 50 steps.
  const fifty = `!${Array.from({ length: 25 }, () => 'true').join(' || ')}`
  const expressions = Array.from({ length: stepsMax / 50 }, () => fifty)
  assert.deepEqual(faultsOf(rulesOf(expressions)), [])
  assert.match(faultsOf(rulesOf(expressions.with(0, `!${fifty}`)))[0] ?? '', /at most 2000 steps/)
})
