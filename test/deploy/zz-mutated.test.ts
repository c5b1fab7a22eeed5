/** The rules of alerts, evaluated by Prometheus's own promtool over made-up series: each fires when it should, and else does not. */

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { readText } from '../helpers/deploy.ts'
import { withFolder } from '../helpers/folder.ts'

const rulesFile = '/tmp/h5/mut.yaml'
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined
const skip = hasPromtool ? false : 'no promtool on this machine; the Debian package prometheus has it'

/** Each series has a value a minute, or as often as `interval` says. */
interface Scenario {
  readonly interval?: string
  readonly series: Readonly<Record<string, string>>
  readonly alert: keyof typeof summaries
  /** By the minute: the labels and values of the summary of each alert that fires. */
  readonly fires: Readonly<Record<number, readonly Firing[]>>
}

type Firing = Readonly<{ corridor?: string; value?: string }>

const summaries = {
  FairwayHolds: () => 'Live requests have been on hold for more than five minutes',
  FairwayReviewsOverdue: ({ value }: Firing) => `A live payment waits for a review that was due ${value} ago`,
  FairwayNoGoShare: ({ corridor, value }: Firing) =>
    `${value} of the live decisions on ${corridor} are NO-GO, far above its usual share`,
}

const never = (...minutes: number[]): Record<number, Firing[]> =>
  Object.fromEntries(minutes.map((minute) => [minute, []]))

function promtool(...args: string[]): Promise<void> {
  return new Promise((done, fail) => {
    execFile('promtool', args, (error, stdout, stderr) =>
      error === null ? done() : fail(new Error(`${stdout}\n${stderr}`)),
    )
  })
}

function check(name: string, { interval = '1m', series, alert, fires }: Scenario): void {
  const expected = ({ corridor, value = '' }: Firing) => ({
    exp_labels: { severity: 'page', ...(corridor === undefined ? {} : { corridor }) },
    exp_annotations: {
      summary: summaries[alert]({ ...(corridor === undefined ? {} : { corridor }), value }),
      runbook: `docs/operators.md#${alert.toLowerCase()}`,
    },
  })
  const file = {
    rule_files: [rulesFile],
    // The default, which deploy/prometheus/prometheus.yaml leaves as it is.
    evaluation_interval: '1m',
    tests: [
      {
        interval,
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        alert_rule_test: Object.entries(fires).map(([minute, firing]) => ({
          eval_time: `${minute}m`,
          alertname: alert,
          exp_alerts: firing.map(expected),
        })),
      },
    ],
  }
  test(`${alert}: ${name}`, { skip }, () =>
    withFolder(async (folder) => {
      const path = join(folder, 'alerts.test.yaml')
      writeFileSync(path, JSON.stringify(file))
      await promtool('test', 'rules', path)
    }),
  )
}

/** A counter that grows by `step` with each of `count` values, one part after the other. */
function counter(...parts: readonly (readonly [step: number, count: number])[]): string {
  let total = 0
  const texts = parts.map(([step, count]) => {
    const from = total + step
    total += step * count
    return `${from}+${step}x${count - 1}`
  })
  return ['0', ...texts].join(' ')
}

test('promtool accepts the rules and the settings of Prometheus', { skip }, async () => {
  await promtool('check', 'config', 'deploy/prometheus/prometheus.yaml')
})

/* Holds: a value each 15 seconds, as Prometheus asks; ten minutes without any come first. */

const quiet = [0, 40] as const
const held = (mode: string, reason = 'SIGNALS_UNAVAILABLE', instance = 'a'): string =>
  `fairway_decisions_held_total{instance="${instance}",mode="${mode}",reason="${reason}"}`
const liveDecisions = 'fairway_decisions_total{instance="a",mode="live",verdict="GO",source="computed"}'

check('holds of six minutes page after eight, whatever else is decided, and not after they have ended', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: {
    [held('live')]: counter(quiet, [1, 24], [0, 80]),
    [liveDecisions]: counter([20, 144]),
  },
  fires: { ...never(10, 15, 17), 18: [{}], ...never(19, 21, 30) },
})

check('holds of five minutes wake nobody', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: { [held('live')]: counter(quiet, [5, 20], [0, 80]), [liveDecisions]: counter([1, 140]) },
  fires: never(12, 14, 16, 17, 18, 19, 20, 22, 30),
})

check('one caller who retries every two minutes is enough where nothing is decided', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: {
    [held('live')]:
      `${counter(quiet)} ${Array.from({ length: 80 }, (_, at) => Math.ceil((at + 1) / 8)).join(' ')}`,
  },
  fires: { ...never(10, 15), 20: [{}], 29: [{}] },
})

check('every reason counts, also while the database cannot tell whose key it is', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: {
    [held('unknown', 'STORE_UNAVAILABLE')]: counter(quiet, [1, 40]),
    [held('unknown', 'STORE_UNAVAILABLE', 'b')]: counter(quiet, [1, 40]),
  },
  fires: { ...never(15), 20: [{}] },
})

check('holds of shadow requests wake nobody', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: { [held('shadow')]: counter(quiet, [10, 80]), [held('live')]: counter(quiet, [0, 80]) },
  fires: never(12, 20, 30),
})

check('a feed that times out for one live request in two hundred wakes nobody', {
  interval: '15s',
  alert: 'FairwayHolds',
  series: { [held('live')]: counter(quiet, [1, 80]), [liveDecisions]: counter([200, 120]) },
  fires: never(12, 20, 30),
})

/* Reviews. */

const overdueAge = (instance: string): string => `fairway_reviews_overdue_age_seconds{instance="${instance}"}`

check(
  'a review that is overdue for longer than fifteen minutes pages once for all instances, until it is closed',
  {
    alert: 'FairwayReviewsOverdue',
    series: {
      [overdueAge('a')]: '0+0x9 0+60x20 0+0x10',
      [overdueAge('b')]: '0+0x9 0+60x20 0+0x10',
    },
    fires: {
      ...never(5, 20, 25, 26),
      28: [{ value: '18m 0s' }],
      30: [{ value: '20m 0s' }],
      ...never(31, 40),
    },
  },
)

check('reviews that are closed within fifteen minutes wake nobody, however many there are', {
  alert: 'FairwayReviewsOverdue',
  series: {
    [overdueAge('a')]: '0+60x14 0+60x14 0+60x14',
    'fairway_reviews_overdue{instance="a"}': '500+0x45',
  },
  fires: never(10, 15, 16, 30, 44),
})

/* NO-GO: four hours of the usual come first; a week would take promtool minutes. */

const past = 240
const live = (verdict: string, corridor = 'GB-NG', instance = 'a'): string =>
  `fairway_live_decisions_total{instance="${instance}",corridor="${corridor}",verdict="${verdict}"}`

/** The counters of a corridor: decisions a minute and the share of NO-GO, one part after the other. */
const traffic = (
  corridor: string,
  ...parts: readonly { perMinute: number; share: number; minutes: number }[]
): Record<string, string> => ({
  [live('GO', corridor)]: counter(
    ...parts.map(({ perMinute, share, minutes }) => [perMinute * (1 - share), minutes] as const),
  ),
  [live('NO-GO', corridor)]: counter(
    ...parts.map(({ perMinute, share, minutes }) => [perMinute * share, minutes] as const),
  ),
})

check('a corridor far above its usual pages by its name, the others do not, and it ends with the incident', {
  alert: 'FairwayNoGoShare',
  series: {
    ...traffic(
      'GB-NG',
      { perMinute: 2, share: 0.01, minutes: past },
      { perMinute: 2, share: 0.5, minutes: 60 },
      { perMinute: 2, share: 0.01, minutes: 60 },
    ),
    ...traffic('GB-KE', { perMinute: 2, share: 0.01, minutes: past + 120 }),
  },
  fires: {
    ...never(past, past + 10),
    [past + 45]: [{ corridor: 'GB-NG', value: '50%' }],
    [past + 60]: [{ corridor: 'GB-NG', value: '50%' }],
    ...never(past + 95, past + 120),
  },
})

check('a corridor that never had a NO-GO pages as soon as the floor is passed', {
  alert: 'FairwayNoGoShare',
  series: traffic(
    'GB-NG',
    { perMinute: 2, share: 0, minutes: past },
    { perMinute: 2, share: 0.25, minutes: 60 },
  ),
  fires: { ...never(past), [past + 45]: [{ corridor: 'GB-NG', value: '25%' }] },
})

check('a corridor without a past pages, too', {
  alert: 'FairwayNoGoShare',
  series: traffic('GB-NG', { perMinute: 1, share: 1, minutes: 30 }),
  fires: { ...never(5), 25: [{ corridor: 'GB-NG', value: '100%' }] },
})

check('a cooldown leaves one caller twenty decisions in half an hour, which are enough', {
  alert: 'FairwayNoGoShare',
  series: traffic(
    'GB-NG',
    { perMinute: 60, share: 0.01, minutes: past },
    { perMinute: 2 / 3, share: 1, minutes: 60 },
  ),
  fires: { ...never(past), [past + 36]: [{ corridor: 'GB-NG', value: '100%' }] },
})

check('two payments at night wake nobody, though both are NO-GO', {
  alert: 'FairwayNoGoShare',
  series: traffic(
    'GB-NG',
    { perMinute: 5, share: 0.01, minutes: past },
    { perMinute: 0, share: 0, minutes: 60 },
    { perMinute: 1, share: 1, minutes: 2 },
    { perMinute: 0, share: 0, minutes: 60 },
  ),
  fires: never(past + 62, past + 68, past + 80, past + 100),
})

check('a share below the floor wakes nobody, however small the usual is', {
  alert: 'FairwayNoGoShare',
  series: traffic(
    'GB-NG',
    { perMinute: 20, share: 0.001, minutes: past },
    { perMinute: 20, share: 0.19, minutes: 60 },
  ),
  fires: never(past, past + 30, past + 60),
})

check('corridors that nobody declared wake nobody: callers may name any', {
  alert: 'FairwayNoGoShare',
  series: traffic(
    'other',
    { perMinute: 5, share: 0, minutes: past },
    { perMinute: 5, share: 1, minutes: 60 },
  ),
  fires: never(past, past + 30, past + 60),
})

check('an instance that starts anew is no incident', {
  alert: 'FairwayNoGoShare',
  series: {
    [live('GO')]: `${counter([2, past])} ${counter([2, 60])}`,
    [live('NO-GO')]: `${counter([0.2, past])} ${counter([0.2, 60])}`,
    [live('GO', 'GB-NG', 'b')]: counter([2, past + 60]),
    [live('NO-GO', 'GB-NG', 'b')]: counter([0.2, past + 60]),
  },
  fires: never(past + 2, past + 10, past + 30, past + 60),
})

/** The table of the runbook, in percent. */
const pagesAbove = [...readText('docs/operators.md').matchAll(/^\| (\d+)% +\| (\d+)% +\|$/gm)].map(
  ([, usual, from]) => [Number(usual), Number(from)] as const,
)

test('the runbook has the share from which each usual share pages', () => {
  assert.deepEqual(
    pagesAbove.map(([usual]) => usual),
    [0, 5, 10, 20, 40, 60],
  )
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
  const halfHours = pagesAbove.map(([usual, from]) => 1 / byChance(usual / 100, from))
  const [, , ten = 0, twenty = 0, forty = 0] = halfHours
  const guide = readText('docs/operators.md')
  assert.match(
    guide,
    /usual share of 10% looks like this in one\s+half hour of 19,000, one of 20% in one of 4,000/,
  )
  assert.match(guide, /One of 40% does in one of 350/)
  assert.deepEqual([Math.floor(ten / 1_000), Math.floor(twenty / 1_000), Math.floor(forty / 50)], [19, 4, 7])
})

for (const [usual, from] of pagesAbove) {
  const corridors = { above: 'GB-NG', below: 'NG-GB' }
  const both = ({ above, below }: { above: number; below: number }) => ({
    ...traffic(
      corridors.above,
      { perMinute: 10, share: usual / 100, minutes: past },
      { perMinute: 10, share: above / 100, minutes: 60 },
    ),
    ...traffic(
      corridors.below,
      { perMinute: 10, share: usual / 100, minutes: past },
      { perMinute: 10, share: below / 100, minutes: 60 },
    ),
  })
  check(`a usual share of ${usual}% pages above ${from}% and not below`, {
    alert: 'FairwayNoGoShare',
    series: both({ above: from + 2, below: from - 2 }),
    fires: { [past + 45]: [{ corridor: corridors.above, value: `${from + 2}%` }] },
  })
}
