/** `fairway explain`: shows the reasons for a decision, and changes that would have altered it. */

import type { Command } from 'commander'
import type { Explanation } from '../../../client/src/index.ts'
import { checked, show } from './session/answer-checks.ts'
import { decisionCell, labelCell, type Screen, riskText } from './session/screen.ts'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from './session/session.ts'
import { withThousands } from '../../core/explain/wording.ts'

export function registerExplain(program: Command, cli: UserCli): void {
  withSharedOptions(
    program
      .command('explain')
      .description('Explain a decision and what would have changed it')
      .argument('<request-id>', 'Id of the decision, SVC-…'),
  )
    .addHelpText('after', '\nExample:\n  fairway explain SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N')
    .action((requestId: string, options: SharedOptions) =>
      runUser(cli, options, async ({ screen, keyed, call }) => {
        const client = keyed()
        const explanation = checked(await call(() => client.explainDecision(requestId)), {
          request_id: 'text',
          decision: 'text',
          score: 'number',
          factors: 'list',
          counterfactuals: 'list',
        })
        show(screen, explanation, () => explanationLines(screen, explanation))
        return 0
      }),
    )
}

export function explanationLines(screen: Screen, explanation: Explanation): string[] {
  const { decision, score, request_id: id, factors, counterfactuals, policy_gate: gate } = explanation
  return [
    `${screen.cell(decisionCell(decision))}  score ${score.toFixed(2)}  ${screen.cell(id)}`,
    '',
    ...screen.prose(explanation.summary),
    '',
    ...screen.table(
      [
        { title: 'SIGNAL' },
        { title: 'STATUS' },
        { title: 'WEIGHT', align: 'right' },
        { title: 'HEALTH', align: 'right' },
        { title: 'ADDS', align: 'right' },
        { title: 'FLAGGED' },
      ],
      factors.map((factor) => [
        factor.signal,
        labelCell(factor.status),
        factor.weight.toFixed(2),
        riskText(factor.risk_value),
        factor.contribution.toFixed(5),
        factor.flagged ? { text: factor.reason_code ?? 'yes', format: 'red' } : '',
      ]),
    ),
    '',
    ...screen.facts([
      ['Score', sumText(explanation)],
      ['Policy', gate.message],
      ...(explanation.cooldown === undefined
        ? []
        : [['Cooldown', `repeats ${explanation.cooldown.source_request_id}`] as const]),
      ['Largest GO', largestText(explanation)],
    ]),
    '',
    screen.paint('bold', 'Counterfactuals'),
    ...screen.facts(
      counterfactuals.map(({ decision: other, score: at, change }) => [
        `${other} at ${at.toFixed(2)}`,
        change,
      ]),
    ),
  ]
}

/** With rules of policies the largest amount is not searched: a rule may be about any amount. */
function largestText({ largest_go_amount: largest, policies }: Explanation): string {
  if (largest !== null) return withThousands(largest)
  return policies === undefined ? 'no amount would have been GO' : 'not searched under the rules of a policy'
}

/** `0.7626 composite − 0.1 penalty − 0.0026 rounding = 0.66`: the score is the sum of its evidence. */
export function sumText({ composite, telemetry, penalty, rounding, score }: Explanation): string {
  const part = (amount: number, name: string): string =>
    `${amount < 0 ? '−' : '+'} ${String(Math.abs(amount))} ${name}`
  return [
    `${composite} composite`,
    ...(telemetry === null ? [] : [part(telemetry.amount, 'telemetry')]),
    ...(penalty.applied
      ? [part(penalty.amount, `penalty for ${penalty.flagged_count} flagged signals`)]
      : ['+ 0 penalty']),
    part(rounding, 'rounding'),
    `= ${score.toFixed(2)}`,
  ].join(' ')
}
