/** `fairway corridors`: how the corridors that you may use are doing, or one of them closely. */

import type { Command } from 'commander'
import type { CorridorHealth, CorridorQuery } from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { given, parseAmount, refuseLoneCurrency } from '../arguments.ts'
import type { Cell, Column } from '../table.ts'
import { labelCell, amountText, timeText, type Screen } from './session/screen.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from './session/session.ts'

interface CorridorOptions extends SharedOptions {
  readonly amount?: number
  readonly currency?: string
}

export function registerCorridors(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('corridors')
      .description('show how the corridors are doing; nothing is decided')
      .argument('[corridor]', 'this one alone, closely')
      .option('--amount <amount>', 'for a payment of this size', parseAmount)
      .option('--currency <currency>', 'of the amount; GBP unless given'),
  )
    .addHelpText('after', '\nExample:\n  fairway corridors\n  fairway corridors GB-NG --amount 1000')
    .action((corridor: string | undefined, options: CorridorOptions, command: Command) => {
      refuseLoneCurrency(command, options.amount, options.currency)
      return runUser(cli, options, async ({ screen, keyed, ask }) => {
        const client = keyed()
        const query: CorridorQuery = given({ amount: options.amount, currency: options.currency })
        const health = async (name: string): Promise<CorridorHealth> =>
          checked(await ask(() => client.corridorHealth(name, query)), {
            corridor: 'text',
            status: 'text',
            signals: 'members',
          })
        if (corridor !== undefined) {
          const found = await health(corridor)
          show(screen, found, () => corridorLines(screen, found))
          return 0
        }
        const settings = await ask(() => client.organisationSettings())
        const { corridors } = checked(settings, { corridors: 'members' })
        const { permitted } = checked(corridors, { permitted: 'list' })
        const found = await Promise.all(permitted.map(health))
        show(screen, found, () => corridorsLines(screen, found))
        return 0
      })
    })
}

const statusFormats = { OPERATIONAL: 'green', DEGRADED: 'yellow', IMPAIRED: 'red' } as const

function statusCell({ status }: CorridorHealth): Cell {
  return { text: status, format: ['bold', statusFormats[status] ?? 'reset'] }
}

const buckets = ['fx', 'network', 'settlement', 'liquidity', 'compliance'] as const

export function corridorsLines(screen: Screen, found: readonly CorridorHealth[]): string[] {
  if (found.length === 0) return ['Your key may use no corridor.']
  return [
    ...screen.table(
      [
        { title: 'CORRIDOR', whole: true },
        { title: 'STATUS', whole: true },
        ...buckets.map((bucket): Column => ({ title: bucket.toUpperCase(), whole: true, optional: true })),
      ],
      found.map((one) => [
        one.corridor,
        statusCell(one),
        ...buckets.map((bucket) => labelCell(one.signals[bucket].status)),
      ]),
    ),
    '',
    ...found.flatMap(({ advisory }) => screen.prose(advisory)),
  ]
}

export function corridorLines(screen: Screen, health: CorridorHealth): string[] {
  const { corridor, amount, currency, data_environment: environment, live_signals: live } = health
  return [
    `${screen.cell({ text: corridor, format: 'bold' })}  ${screen.cell(statusCell(health))}`,
    '',
    ...screen.facts([
      ['Payment', amountText(amount, currency)],
      ['Signals', environment === 'simulation' ? 'simulated' : `${live} of them live`],
      ['Evaluated', timeText(health.evaluated_at)],
      ['Advice', health.advisory],
    ]),
    '',
    ...screen.table(
      [{ title: 'AREA' }, { title: 'STATUS' }, { title: 'RISK VALUE', align: 'right' }, { title: 'SIGNALS' }],
      buckets.map((bucket) => {
        const { status, risk_value: risk, signals } = health.signals[bucket]
        return [bucket, labelCell(status), risk === null ? '-' : risk.toFixed(2), signals.join(', ')]
      }),
    ),
  ]
}
