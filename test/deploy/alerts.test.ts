/** The tests beside the alert rules, run by Prometheus's own promtool, and the numbers that the guide gives for the rules. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readText, readYaml } from '../helpers/deploy.ts'
import { promtoolNeeded } from '../helpers/process/runtimes.ts'

const folder = 'deploy/prometheus'
const testFiles = [`${folder}/alerts.test.yaml`, `${folder}/no-go-share.test.yaml`]
const { skip } = promtoolNeeded

const promtool = (...args: string[]) => promisify(execFile)(promtoolNeeded.path(), args)

test('promtool accepts the rules and the settings of Prometheus', { skip }, async () => {
  await promtool('check', 'config', `${folder}/prometheus.yaml`)
})

for (const path of testFiles) {
  test(`each alert fires when ${path} says so, and else does not`, { skip }, async () => {
    await promtool('test', 'rules', path)
  })
}

interface Expectation {
  readonly alertname: string
  readonly exp_alerts: readonly { readonly exp_labels: Readonly<Record<string, string>> }[]
}

const expectations = testFiles.flatMap((path) =>
  readYaml(path).flatMap(({ tests }) =>
    (tests as { alert_rule_test: Expectation[] }[]).flatMap((one) => one.alert_rule_test),
  ),
)

test('every alert has a case in which it fires and one in which it does not', () => {
  const alerts = [...readText(`${folder}/alerts.yaml`).matchAll(/^ *- alert: (\w+)$/gm)].map(
    ([, name = '']) => name,
  )
  assert.ok(alerts.length > 10)
  const casesOf = (isFiring: boolean) =>
    expectations.filter(({ exp_alerts: firing }) => firing.length > 0 === isFiring)
  for (const isFiring of [true, false]) {
    const names = new Set(casesOf(isFiring).map(({ alertname }) => alertname))
    assert.deepEqual([...names].toSorted(), alerts.toSorted())
  }
})

/** The table of the runbook, in percent. */
const pagesAbove = [...readText('docs/monitoring.md').matchAll(/^\| (\d+)% +\| (\d+)% +\|$/gm)].map(
  ([, usual, from]) => [Number(usual), Number(from)] as const,
)

test('each row of the runbook has a corridor just above its share, which pages, and one just below', () => {
  const paging = expectations
    .flatMap(({ exp_alerts: firing }) => firing.map(({ exp_labels: { corridor = '' } }) => corridor))
    .filter((corridor) => corridor.startsWith('usual-'))
  assert.deepEqual(
    paging,
    pagesAbove.map(([usual]) => `usual-${usual}-above`),
  )
  const text = readText(`${folder}/no-go-share.test.yaml`)
  for (const [usual, from] of pagesAbove) {
    for (const [side, share] of [['above', from + 2] as const, ['below', from - 2] as const]) {
      const [, before, after] =
        new RegExp(
          `"usual-${usual}-${side}", verdict="NO-GO".*\\n +values: '0 (?:\\d+\\+)?(\\d+)x239 \\d+\\+(\\d+)x59'`,
        ).exec(text) ?? assert.fail(`${usual} ${side}`)
      assert.deepEqual([Number(before), Number(after)], [usual, share])
    }
  }
})

/** The probability that chance alone gives ten NO-GO and the share, at the number of decisions where it is highest. */
function byChance(usual: number, from: number): number {
  const odds = Array.from({ length: 200 }, (_, decisions) => {
    const enough = Math.max(10, Math.floor((decisions * from) / 100) + 1)
    let [exactly, below] = [(1 - usual) ** decisions, 0]
    for (let count = 0; count < enough; count += 1) {
      below += exactly
      exactly *= ((decisions - count) / (count + 1)) * (usual / (1 - usual))
    }
    return 1 - below
  })
  return Math.max(...odds)
}

test('chance alone pages as rarely as the runbook says', () => {
  assert.deepEqual(
    pagesAbove.map(([usual]) => usual),
    [0, 5, 10, 20, 40, 60],
  )
  const halfHours = pagesAbove.map(([usual, from]) => 1 / byChance(usual / 100, from))
  const [, , ten = 0, twenty = 0, forty = 0] = halfHours
  const guide = readText('docs/monitoring.md')
  assert.match(guide, /at most one half hour of 19,000 at a usual share of\s+10%,\s+of\s+4,000 at\s+20%/)
  assert.match(guide, /and of\s+350\s+at\s+40%/)
  assert.deepEqual([Math.floor(ten / 1_000), Math.floor(twenty / 1_000), Math.floor(forty / 50)], [19, 4, 7])
})
