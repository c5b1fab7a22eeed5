/** `fairway cip`: shows and changes the stage of the Corridor Intelligence Platform. For operators. */

import { InvalidArgumentError, type Command } from 'commander'
import { actsBy } from '../../app/operate/acts.ts'
import { recordTransition, standingOf } from '../../app/cip/status.ts'
import { platformView, transitionView } from '../../app/cip/views.ts'
import type { CipState, CipTransition } from '../../app/ports/cip.ts'
import {
  cipStages,
  corpusOf,
  effectiveBlendPercent,
  gateDays,
  gateFault,
  feedsAdapter,
  simulationAdapter,
  simulationFault,
  type CipStage,
  type CipStageState,
  type Corpus,
  type TelemetryScope,
} from '../../core/live/cip.ts'
import { supportedCorridors } from '../../core/reference/corridor.ts'
import { oneOf, parseChangeId, plainText } from '../arguments.ts'
import { CommandFailure, plain, storeWork, type CliDeps, type WithStore } from '../deps.ts'
import { table } from '../table.ts'

interface TransitionOptions {
  readonly to: CipStage
  readonly reference: string
  readonly blendWeight?: number
  readonly by?: string
  readonly reason?: string
  readonly json?: true
}

export function registerCip(program: Command, deps: CliDeps): void {
  const cip = program
    .command('cip')
    .description('Manage the Corridor Intelligence Platform')
    .addHelpText('after', '\nExample:\n  fairway cip status')
  const withStore = storeWork(deps)
  cip
    .command('status')
    .description('Show the stage, the quality gate and all transitions')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway cip status')
    .action((options: { json?: true }) =>
      withStore(async ({ cip: platform }) => {
        const scope = await scopeOf(deps)
        const state = await platform.state(scope)
        const isProbing = deps.config().probeEveryMs > 0
        const nowMs = deps.clock.nowMs()
        return options.json
          ? JSON.stringify(platformView(state, scope, isProbing, nowMs))
          : statusText(state, scope, nowMs)
      }),
    )
  registerTransition(cip, deps, withStore)
}

function registerTransition(cip: Command, deps: CliDeps, withStore: WithStore): void {
  cip
    .command('transition')
    .description('Change the stage, subject to the quality gate')
    .requiredOption('--to <stage>', `New stage: ${cipStages.join(', ')}`, oneOf(cipStages))
    .requiredOption('--reference <change-id>', 'Id of the approved change', parseChangeId)
    .option('--blend-weight <share>', 'Share of a live score; default: the minimum of the stage', parseWeight)
    .option('--by <name>', 'Name recorded with the transition; default: your login name', plainText(500))
    .option('--reason <text>', 'Reason recorded with the transition', plainText(500))
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
A transition is recorded permanently. telemetry_only and scoring_passive do not affect scores; provisional
(0.05 to 0.10) requires ${gateDays} days of corpus; validated (0.15 to 0.50) requires ${gateDays} days of provisional.
A step back is always allowed. Docs: docs/cip.md

Example:
  fairway cip transition --to provisional --blend-weight 0.05 --reference CHANGE-1042`,
    )
    .action((options: TransitionOptions) =>
      withStore(async (store) => {
        const madeBy = options.by ?? deps.operator()
        const outcome = await recordTransition(
          { cip: store.cip, clock: deps.clock, describe: actsBy(madeBy, deps) },
          {
            scope: await scopeOf(deps),
            to: options.to,
            blendPercent: options.blendWeight ?? null,
            reference: options.reference,
            madeBy,
            reason: options.reason ?? null,
          },
        )
        if (outcome.kind === 'refused') throw new CommandFailure(`refused: ${outcome.reason}`)
        return options.json
          ? JSON.stringify(transitionView(outcome.transition))
          : transitionText(outcome.transition)
      }),
    )
}

/** With live feeds the observations of their corridors count, otherwise those of the simulation. */
async function scopeOf(deps: CliDeps): Promise<TelemetryScope> {
  const { liveFeedsFile } = deps.config()
  if (liveFeedsFile === null) return { adapter: simulationAdapter, corridors: supportedCorridors }
  return { adapter: feedsAdapter, corridors: await deps.observedCorridors(liveFeedsFile) }
}

function transitionText(transition: CipTransition): string {
  return `The platform is now ${transition.stage} with a blend weight of ${(transition.blendPercent / 100).toFixed(2)} (change ${plain(transition.reference)} by ${plain(transition.madeBy)}). Running instances apply it within one second.`
}

/** The weight in effect, and why it is not the one that was set. */
function blendText(standing: CipStageState, corpus: Corpus): string {
  const percent = effectiveBlendPercent(standing, corpus)
  const weight = (percent / 100).toFixed(2)
  if (percent === standing.blendPercent) return weight
  const set = (standing.blendPercent / 100).toFixed(2)
  return `${weight} (${set} was set and is suspended: ${simulationFault(corpus) ?? ''})`
}

function statusText(state: CipState, scope: TelemetryScope, nowMs: number): string {
  const { transitions } = state
  const standing = standingOf(state)
  const corpus = corpusOf(state.days, scope, nowMs)
  const fault = gateFault(corpus, nowMs)
  const lines = [
    `Stage         ${standing.stage} since ${new Date(standing.sinceMs).toISOString()}`,
    `Blend weight  ${blendText(standing, corpus)}`,
    `Observations  ${corpus.observations} by adapter ${scope.adapter}; complete days with every corridor observed: ${corpus.days}`,
    `Quality gate  ${fault === null ? 'passed' : `not passed: ${fault}`}`,
  ]
  if (transitions.length === 0) return [...lines, '', 'No transitions yet.'].join('\n')
  const rows = transitions.map((transition) => [
    String(transition.number),
    new Date(transition.madeAtMs).toISOString(),
    transition.stage,
    (transition.blendPercent / 100).toFixed(2),
    transition.reference,
    transition.madeBy,
    transition.reason ?? '',
  ])
  return [...lines, '', ...table(['NO', 'AT', 'STAGE', 'WEIGHT', 'REFERENCE', 'BY', 'REASON'], rows)].join(
    '\n',
  )
}

/** In percent: a weight has at most two decimals. */
function parseWeight(text: string): number {
  if (!/^(?:0(?:\.\d{1,2})?|1(?:\.0{1,2})?)$/.test(text)) {
    throw new InvalidArgumentError('Expected a share from 0 to 1 with at most two decimals, such as 0.05.')
  }
  return Math.round(Number(text) * 100)
}
