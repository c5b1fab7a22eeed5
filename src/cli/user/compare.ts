/** `fairway compare`: compares partners, or the three risk profiles, for one payment. */

import { Option, type Command } from 'commander'
import type { DemoCompareResponse, PartnerRankingResponse } from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { definedMembers, parseAmount, parseList, refuseLoneCurrency } from '../arguments.ts'
import type { Cell } from '../table.ts'
import { decisionCell, amountText, feeText, type Screen } from './session/screen.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from './session/session.ts'

interface CompareOptions extends SharedOptions {
  readonly currency?: string
  readonly partners?: readonly string[]
  readonly profiles?: true
}

export function registerCompare(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('compare')
      .description('Compare partners or risk profiles for one payment')
      .argument('<corridor>', 'Corridor, such as GB-NG')
      .argument('[amount]', 'Plain number, such as 1000 or 1000.50', parseAmount)
      .option('--currency <currency>', 'Currency of the amount; default: GBP')
      .addOption(
        new Option('--partners <list>', 'Rank these partners, such as a,b')
          .argParser(parseList)
          .conflicts('profiles'),
      )
      .option('--profiles', 'Compare the risk profiles (default)'),
  )
    .addHelpText(
      'after',
      `
Nothing is recorded. Risk profiles are compared on synthetic signals and need no key. Ranking partners needs a key:
a test key ranks any names on simulated signals, a live key ranks the partners that the operator declares.

Example:
  fairway compare GB-NG 1000 --partners sim-partner-acacia,sim-partner-birch
  fairway compare GB-NG 1000 --profiles`,
    )
    .action((corridor: string, amount: number | undefined, options: CompareOptions, command: Command) => {
      refuseLoneCurrency(command, amount, options.currency)
      return runUser(cli, options, async ({ screen, keyed, open, call }) => {
        const payment = { corridor, ...definedMembers({ amount, currency: options.currency }) }
        const { partners } = options
        if (partners === undefined) {
          const compared = checked(await call(() => open.demoCompare({ payment })), {
            corridor: 'text',
            results: 'members',
            divergence: 'members',
          })
          show(screen, compared, () => profileLines(screen, compared))
          return 0
        }
        const client = keyed()
        const ranking = checked(await call(() => client.comparePartners({ ...payment, partners })), {
          corridor: 'text',
          ranked_partners: 'list',
        })
        show(screen, ranking, () => rankingLines(screen, ranking))
        return 0
      })
    })
}

export function rankingLines(screen: Screen, ranking: PartnerRankingResponse): string[] {
  const { ranked_partners: ranked, recommended_partner: best } = ranking
  const isLive = ranking.mode === 'live'
  return [
    ...screen.facts([
      [
        'Payment',
        `${amountText(ranking.amount, ranking.currency)} on ${ranking.corridor}, ${ranking.mode} mode`,
      ],
      ['Recommended', { text: best ?? 'none', format: 'bold' }],
    ]),
    '',
    ...screen.table(
      [
        { title: 'RANK', align: 'right' },
        { title: 'PARTNER' },
        { title: 'DECISION' },
        { title: 'SCORE', align: 'right' },
        ...(isLive ? [{ title: 'FEE', align: 'right' } as const] : []),
        { title: 'ACTION' },
      ],
      ranked.map((one) => [
        String(one.rank),
        one.partner,
        one.decision === null ? '-' : decisionCell(one.decision),
        one.score === null ? '-' : one.score.toFixed(2),
        ...(isLive ? [feeText(one.fee, one.fee_currency)] : []),
        one.recommended_action ?? `left out: ${one.unavailable_reason ?? 'not available'}`,
      ]),
    ),
  ]
}

export function profileLines(screen: Screen, compared: DemoCompareResponse): string[] {
  const results = Object.values(compared.results)
  return [
    ...screen.facts([
      ['Payment', `${amountText(compared.amount, compared.currency)} on ${compared.corridor}`],
      ['Summary', compared.divergence.summary],
    ]),
    '',
    ...screen.table(
      [
        { title: 'PROFILE' },
        { title: 'DECISION' },
        { title: 'SCORE', align: 'right' },
        { title: 'GO FROM', align: 'right' },
        { title: 'ACTION' },
      ],
      results.map((one) => [
        one.profile_label,
        profileCell(one),
        one.score.toFixed(2),
        one.go_threshold.toFixed(2),
        one.cap_not_applied ? 'MANUAL_APPROVAL, by the cap' : one.recommended_action,
      ]),
    ),
  ]
}

/** A `GO` that ignores the review cap is not one to act on. */
function profileCell({ decision, cap_not_applied: isCapIgnored }: ProfileResult): Cell {
  return isCapIgnored
    ? { text: 'GO by threshold, cap not applied', format: 'yellow' }
    : decisionCell(decision)
}

type ProfileResult = NonNullable<DemoCompareResponse['results']['balanced']>
