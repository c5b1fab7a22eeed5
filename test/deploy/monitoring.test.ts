/** Dashboard and alerts: every figure and label that they ask for is one that the program tells, and every alert can be looked up. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../src/adapters/metrics.ts'
import { readText, readYaml } from '../helpers/deploy.ts'
import { withHarness } from '../helpers/harness.ts'
import { namesIn } from '../helpers/samples.ts'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

/** A figure that Prometheus makes of others. */
interface Recorded {
  readonly record: string
  readonly expr: string
}

interface Panel {
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string }[]
}

const alertsFile = 'deploy/prometheus/alerts.yaml'
const rules = readYaml(alertsFile).flatMap(({ groups }) =>
  (groups as { rules: (Alert | Recorded)[] }[]).flatMap((group) => group.rules),
)
const alerts = rules.filter((rule) => 'alert' in rule)
const recorded = new Set(rules.flatMap((rule) => ('record' in rule ? [rule.record] : [])))
const dashboard = JSON.parse(readText('deploy/grafana/fairway.json')) as { panels: Panel[] }
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]

const words = new Set(['and', 'or', 'by', 'offset'])

/** What Prometheus itself has and adds. */
const ownFigures = new Set(['up'])
/** On the page only after the installation's key was changed. */
const laterFigures = new Set(['fairway_log_key_change_age_seconds'])
const ownLabels = new Set(['job', 'instance', 'le'])

/** Words of the language, and what stands in quotes or is a variable, are taken away; what is left are names. */
function namesOf(expr: string): { figures: string[]; labels: string[] } {
  const plain = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, '')
  const labels = [
    ...[...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => inside.split(',')),
    ...[...plain.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(',')),
  ].map((part) => part.trim().replace(/[=!~].*$/, ''))
  const figures = plain
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\bby \([^)]*\)/g, '')
    .match(/\b(?:[a-z_]{2,}|[a-z_]+:[a-z_]+:\w+)\b(?![:\w]|\s*\()/g)
  return { figures: (figures ?? []).filter((word) => !words.has(word)), labels }
}

test('the page has every figure and label that the dashboard and the alerts ask for', async () => {
  await withHarness({}, async (harness) => {
    await harness.seal()
    const { text } = await harness.get(null, '/metrics')
    const names = namesIn(text)
    const source = readText('src/adapters/metrics.ts')
    const lists = [...source.matchAll(/labelNames?: (\[[^\]]*\]|'\w+')/g)]
    const known = new Set(lists.flatMap(([, list = '']) => list.match(/\w+/g) ?? []))
    assert.ok(expressions.length > 30)
    for (const expr of expressions) {
      const { figures, labels } = namesOf(expr)
      assert.ok(figures.length > 0, expr)
      for (const name of figures)
        assert.ok(
          [names, ownFigures, laterFigures, recorded].some((figuresOf) => figuresOf.has(name)),
          `${name} in ${expr}`,
        )
      for (const label of labels) assert.ok(known.has(label) || ownLabels.has(label), `${label} in ${expr}`)
    }
  })
})

test('every figure that the page tells is on the dashboard or explained in the guide', async () => {
  await withHarness({}, async (harness) => {
    await harness.seal()
    const { text } = await harness.get(null, '/metrics')
    const guide = readText('docs/monitoring.md')
    for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) {
      assert.ok(guide.includes(`\`${name}\``), `${name} is not in docs/monitoring.md`)
    }
  })
})

test('what every instance tells of the one database is never added up, and makes one series of all instances', async () => {
  const ofProcess = new Set((await createMetrics().own()).map(({ name }) => name))
  await withHarness({}, async (harness) => {
    await harness.seal()
    const { text } = await harness.get(null, '/metrics')
    const gauges = [...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name = '']) => name)
    const ofDatabase = gauges.filter((name) => !ofProcess.has(name))
    assert.ok(ofDatabase.includes('fairway_records') && ofDatabase.includes('fairway_follower_lag_seconds'))
    for (const name of ofDatabase) {
      const oneOfAll = new RegExp(`\\b(?:max|min|count)(?: by \\(\\w+\\))? ?\\((?:deriv\\()?${name}\\b`, 'g')
      for (const expr of expressions) {
        const named = expr.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []
        assert.equal(expr.match(oneOfAll)?.length ?? 0, named.length, expr)
      }
    }
  })
})

test('a route that an expression names is one that is served', async () => {
  await withHarness({}, async ({ app }) => {
    const served = new Set(app.servedRoutes.map(({ url }) => url))
    for (const expr of expressions) {
      for (const [, route = ''] of expr.matchAll(/route="([^"]*)"/g)) assert.ok(served.has(route), expr)
    }
  })
})

test('every alert says how urgent it is and what is wrong, and has a section in the guide, which has no others', () => {
  const guide = readText('docs/monitoring.md')
  const sections = [...guide.matchAll(/^### (Fairway\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    sections,
    sections.filter((name) => alerts.some(({ alert }) => alert === name)),
  )
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length)
  for (const { alert, labels, annotations } of alerts) {
    assert.ok(sections.includes(alert), alert)
    assert.equal(annotations.runbook, `docs/monitoring.md#${alert.toLowerCase()}`)
    assert.match(labels.severity, /^(?:page|ticket)$/)
    assert.ok(annotations.summary.length > 20, alert)
  }
})

test('every figure that an alert looks at is on a panel, so that whoever is woken can see it', () => {
  const rawOf = (expr: string): string[] =>
    namesOf(expr).figures.flatMap((name) => {
      const made = rules.find((rule) => 'record' in rule && rule.record === name)
      return made === undefined ? [name] : rawOf(made.expr)
    })
  const shown = new Set(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => rawOf(expr))))
  const hidden = alerts.flatMap(({ expr }) => rawOf(expr)).filter((name) => !shown.has(name))
  assert.deepEqual(
    hidden.filter((name) => !ownFigures.has(name)),
    [],
  )
})

test('no two panels of the dashboard lie over each other, and each has its own title', () => {
  const { panels } = dashboard
  assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length)
  const places = panels.map(({ gridPos: { x, y, w, h } }) => ({ x, y, right: x + w, bottom: y + h }))
  for (const [at, one] of places.entries()) {
    assert.ok(one.right <= 24)
    for (const other of places.slice(at + 1)) {
      const apart =
        other.x >= one.right || other.right <= one.x || other.y >= one.bottom || other.bottom <= one.y
      assert.ok(apart, `${at}`)
    }
  }
})
