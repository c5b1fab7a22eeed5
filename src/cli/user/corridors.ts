/** `fairway corridors`: shows the health of all permitted corridors, or of one in detail. */

import type { Command } from 'commander'
import type { CorridorHealth, CorridorPartner, CorridorQuery } from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { definedMembers, parseAmount, refuseLoneCurrency } from '../arguments.ts'
import type { Cell, Column } from '../table.ts'
import {
  decisionCell,
  labelCell,
  amountText,
  feeText,
  settlementText,
  timeText,
  type Screen,
} from './session/screen.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from './session/session.ts'

interface CorridorOptions extends SharedOptions {
  readonly amount?: number
  readonly currency?: string
}

export function registerCorridors(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('corridors')
      .description('Show the health of corridors')
      .argument('[corridor]', 'Show only this corridor, in detail')
      .option('--amount <amount>', 'Amount of the payment', parseAmount)
      .option('--currency <currency>', 'Currency of the amount; default: GBP'),
  )
    .addHelpText('after', '\nExample:\n  fairway corridors\n  fairway corridors GB-NG --amount 1000')
    .action((corridor: string | undefined, options: CorridorOptions, command: Command) => {
      refuseLoneCurrency(command, options.amount, options.currency)
      return runUser(cli, options, async ({ screen, keyed, call }) => {
        const client = keyed()
        const query: CorridorQuery = definedMembers({ amount: options.amount, currency: options.currency })
        const health = async (name: string): Promise<CorridorHealth> =>
          checked(await call(() => client.corridorHealth(name, query)), {
            corridor: 'text',
            status: 'text',
            signals: 'members',
          })
        if (corridor !== undefined) {
          const detail = await health(corridor)
          show(screen, detail, () => corridorLines(screen, detail))
          return 0
        }
        const { corridors } = checked(await call(() => client.corridors()), { corridors: 'list' })
        const healths: CorridorHealth[] = []
        // One after another: a live server may have hundreds, each with feeds of its own.
        for (const one of corridors) healths.push(await health(one.corridor))
        show(screen, healths, () => corridorsLines(screen, healths))
        return 0
      })
    })
}

const statusFormats = { OPERATIONAL: 'green', DEGRADED: 'yellow', IMPAIRED: 'red' } as const

function statusCell({ status }: CorridorHealth): Cell {
  return { text: status, format: ['bold', statusFormats[status] ?? 'reset'] }
}

/** Older servers do not say whether one is open. */
function openCooldown(health: Partial<CorridorHealth>): CorridorHealth['cooldown'] {
  return health.cooldown ?? null
}

function untilText(health: CorridorHealth): string {
  const cooldown = openCooldown(health)
  return cooldown === null ? '-' : `${timeText(cooldown.expires_at)}, repeats ${cooldown.source_request_id}`
}

const buckets = ['fx', 'network', 'settlement', 'liquidity', 'compliance'] as const

export function corridorsLines(screen: Screen, healths: readonly CorridorHealth[]): string[] {
  if (healths.length === 0) return ['Your key has no permitted corridors.']
  const hasCooldown = healths.some((one) => openCooldown(one) !== null)
  return [
    ...screen.table(
      [
        { title: 'CORRIDOR', fixed: true },
        { title: 'STATUS', fixed: true },
        ...(hasCooldown ? [{ title: 'COOLDOWN UNTIL', fixed: true } as const] : []),
        ...buckets.map((bucket): Column => ({ title: bucket.toUpperCase(), fixed: true, optional: true })),
      ],
      healths.map((one) => [
        one.corridor,
        statusCell(one),
        ...(hasCooldown ? [untilText(one)] : []),
        ...buckets.map((bucket) => labelCell(one.signals[bucket].status)),
      ]),
    ),
    '',
    ...healths.flatMap(({ advisory }) => screen.prose(advisory)),
  ]
}

export function corridorLines(screen: Screen, health: CorridorHealth): string[] {
  const { corridor, amount, currency, data_environment: environment, live_signals: live } = health
  return [
    `${screen.cell({ text: corridor, format: 'bold' })}  ${screen.cell(statusCell(health))}`,
    '',
    ...screen.facts([
      ['Payment', amountText(amount, currency)],
      ['Signals', environment === 'simulation' ? 'simulated' : `${live} of 7 live`],
      ['Evaluated', timeText(health.evaluated_at)],
      ...(openCooldown(health) === null ? [] : [['Cooldown', `until ${untilText(health)}`] as const]),
      ...(health.calendar === null ? [] : [['Settlement', settlementText(health.calendar)] as const]),
      ['Advice', health.advisory],
    ]),
    '',
    ...screen.table(
      [{ title: 'AREA' }, { title: 'STATUS' }, { title: 'HEALTH', align: 'right' }, { title: 'SIGNALS' }],
      buckets.map((bucket) => {
        const { status, risk_value: risk, signals } = health.signals[bucket]
        return [bucket, labelCell(status), risk === null ? '-' : risk.toFixed(2), signals.join(', ')]
      }),
    ),
    ...partnerLines(screen, health.partners),
  ]
}

/** The declared partners of a live corridor. */
function partnerLines(screen: Screen, partners: readonly CorridorPartner[]): string[] {
  if (partners.length === 0) return []
  return [
    '',
    ...screen.table(
      [
        { title: 'PARTNER' },
        { title: 'DECISION' },
        { title: 'SCORE', align: 'right' },
        { title: 'FEE', align: 'right' },
        { title: 'STATUS' },
        { title: 'LAST 24 H', align: 'right' },
        { title: 'UNAVAILABLE' },
      ],
      partners.map((one) => [
        one.partner,
        one.decision === null ? '-' : decisionCell(one.decision),
        one.score === null ? '-' : one.score.toFixed(2),
        feeText(one.fee, one.fee_currency),
        one.status ?? '-',
        availabilityText(one.last_24_hours),
        one.unavailable_signals.join(', ') || (one.available ? '-' : 'amount too large'),
      ]),
    ),
  ]
}

/** The share of observations in which every probed signal could be read. */
function availabilityText(hours: CorridorPartner['last_24_hours']): string {
  const observations = hours.reduce((sum, hour) => sum + hour.observations, 0)
  const read = hours.reduce((sum, hour) => sum + hour.observations * hour.availability, 0)
  return observations === 0 ? '-' : `${((100 * read) / observations).toFixed(1)}%`
}
