/** `fairway cip`: where the Corridor Intelligence Platform stands, and formal changes of that, for operators. */

import { InvalidArgumentError, type Command } from 'commander'
import { cipStatus, makeTransition, standingOf } from '../../app/cip/status.ts'
import type { CipState, CipTransition } from '../../app/ports/cip.ts'
import { cipStages, corpusOf, gateDays, gateFault, stageRules, type CipStage } from '../../core/live/cip.ts'
import { oneOf, plainText } from '../arguments.ts'
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

export function registerCip(program: Command, parts: CliDeps): void {
  const cip = program
    .command('cip')
    .description('the Corridor Intelligence Platform (for operators)')
    .addHelpText('after', '\nExample:\n  fairway cip status')
  const withStore = storeWork(parts)
  cip
    .command('status')
    .description('where the platform stands, what the gate says, and every change so far')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway cip status')
    .action((options: { json?: true }) =>
      withStore(async ({ cip: platform }) => {
        const state = await platform.state()
        const isProbing = parts.config().probeEveryMs > 0
        const nowMs = parts.clock.nowMs()
        return options.json ? statusJson(state, isProbing, nowMs) : statusText(state, nowMs)
      }),
    )
  registerTransition(cip, parts, withStore)
}

function registerTransition(cip: Command, parts: CliDeps, withStore: WithStore): void {
  cip
    .command('transition')
    .description('change the stage formally: checked against the quality gate, recorded once and for ever')
    .requiredOption('--to <stage>', `one of ${cipStages.join(', ')}`, oneOf(cipStages))
    .requiredOption('--reference <change-id>', 'the change that governs it', parseReference)
    .option(
      '--blend-weight <share>',
      'share of a live score; the least of the stage unless given',
      parseWeight,
    )
    .option('--by <name>', 'who makes the change; the name of your login unless given', plainText(500))
    .option('--reason <text>', 'why, in words', plainText(500))
    .option('--json', 'print one JSON value')
    .addHelpText(
      'after',
      `
Stages: telemetry_only and scoring_passive have no influence; provisional (0.05 to 0.10) needs ${gateDays} days of corpus;
validated (0.15 to 0.50) comes after ${gateDays} days of provisional. A step back is always open. Docs: docs/cip.md

Example:
  fairway cip transition --to provisional --blend-weight 0.05 --reference CHANGE-1042`,
    )
    .action((options: TransitionOptions) =>
      withStore(async (store) => {
        const outcome = await makeTransition(
          { cip: store.cip, clock: parts.clock },
          {
            to: options.to,
            blendPercent: options.blendWeight ?? null,
            reference: options.reference,
            madeBy: options.by ?? parts.operator(),
            reason: options.reason ?? null,
          },
        )
        if (outcome.kind === 'refused') throw new CommandFailure(`refused: ${outcome.reason}`)
        return options.json ? JSON.stringify(wire(outcome.transition)) : madeText(outcome.transition)
      }),
    )
}

function wire(made: CipTransition) {
  return {
    number: made.number,
    to: made.stage,
    state: stageRules[made.stage].state,
    confidence: stageRules[made.stage].confidence,
    blend_weight: made.blendPercent / 100,
    reference: made.reference,
    made_by: made.madeBy,
    reason: made.reason,
    made_at: new Date(made.madeAtMs).toISOString(),
    corpus_days: made.corpusDays,
  }
}

function madeText(made: CipTransition): string {
  return `The platform is ${made.stage} now, with a blend weight of ${(made.blendPercent / 100).toFixed(2)} (change ${plain(made.reference)}, by ${plain(made.madeBy)}). Running instances follow within a second.`
}

function statusJson(state: CipState, isProbing: boolean, nowMs: number): string {
  const corpus = corpusOf(state.days, nowMs)
  const fault = gateFault(corpus, nowMs)
  return JSON.stringify({
    ...cipStatus(state, isProbing, nowMs),
    quality_gate: { passed: fault === null, corpus_days: corpus.days, fault },
    transitions: state.transitions.map(wire),
  })
}

function statusText(state: CipState, nowMs: number): string {
  const { transitions } = state
  const standing = standingOf(state)
  const corpus = corpusOf(state.days, nowMs)
  const fault = gateFault(corpus, nowMs)
  const lines = [
    `Stage         ${standing.stage} since ${new Date(standing.sinceMs).toISOString()}`,
    `Blend weight  ${(standing.blendPercent / 100).toFixed(2)}`,
    `Observations  ${corpus.observations}; complete days on which all corridors were observed: ${corpus.days}`,
    `Quality gate  ${fault === null ? 'passed' : `not passed: ${fault}`}`,
  ]
  if (transitions.length === 0) return [...lines, '', 'No formal change so far.'].join('\n')
  const rows = transitions.map((made) => [
    String(made.number),
    new Date(made.madeAtMs).toISOString(),
    made.stage,
    (made.blendPercent / 100).toFixed(2),
    made.reference,
    made.madeBy,
    made.reason ?? '',
  ])
  return [...lines, '', ...table(['NO', 'AT', 'STAGE', 'WEIGHT', 'REFERENCE', 'BY', 'REASON'], rows)].join(
    '\n',
  )
}

function parseReference(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,99}$/.test(text)) {
    throw new InvalidArgumentError(
      'It has 1 to 100 letters, digits and . _ : / # - and begins with one of the first two.',
    )
  }
  return text
}

/** In percent: a weight has two decimals at most. */
function parseWeight(text: string): number {
  if (!/^(?:0(?:\.\d{1,2})?|1(?:\.0{1,2})?)$/.test(text)) {
    throw new InvalidArgumentError('It is a share from 0 to 1 with two decimals at most, like 0.05.')
  }
  return Math.round(Number(text) * 100)
}
