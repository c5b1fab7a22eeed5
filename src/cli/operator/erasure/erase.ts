/** `fairway erase`: erases the personal text of the payments with a correlation id. For operators. */

import type { Command } from 'commander'
import {
  erasePayments,
  hasWord,
  isEmpty,
  planErasure,
  type ErasurePlan,
} from '../../../app/erasure/erase-payment.ts'
import { clean, isClean, type Cleaning } from '../../../app/erasure/erase-texts.ts'
import { planView } from '../../../app/erasure/views.ts'
import type { Store } from '../../../app/ports/store.ts'
import { counted } from '../../../core/explain/wording.ts'
import { parseChangeId, parseNotEmpty } from '../../arguments.ts'
import { CommandFailure, plain, type CliDeps } from '../../deps.ts'
import { countBar } from '../../progress.ts'
import { refuseUncleaned } from './clean.ts'

interface Options {
  readonly owner: string
  readonly correlationId: string
  readonly reference: string
  readonly dryRun?: true
  readonly cleanLater?: true
  readonly yes?: true
  readonly json?: true
}

/** `EX_NOINPUT` of sysexits.h. */
const nothingFoundExitCode = 66
/** Everything but texts of the old form was erased. */
const incompleteExitCode = 3
const listedMax = 20

export function registerErase(program: Command, deps: CliDeps): void {
  program
    .command('erase')
    .description('Erase the personal text of a customer’s payments')
    .requiredOption('--owner <id>', 'The owner of the payments, such as own_…')
    .requiredOption('--correlation-id <id>', 'The correlation id of the payments, exactly', parseNotEmpty)
    .requiredOption('--reference <ticket>', 'The request for erasure; recorded in the log', parseChangeId)
    .option('--dry-run', 'Only show what would be erased')
    .option('--clean-later', 'Leave the rewrite of the database to a later run')
    .option('--yes', 'Skip the confirmation; required without a terminal')
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
Erases the correlation id, justifications of overrides and texts of reviews, and deletes kept batch reports that name the
correlation id. Proofs, exports and the log stay valid and show that it was erased. A server may be running. The exit code
is 0 if all was erased, 66 if nothing was found, 3 if some of it cannot be erased, and 4 if traces of it could not be
cleaned from the files of the database: then run the same command again. Docs: docs/erasure.md

Example:
  fairway erase --owner own_… --correlation-id order-7 --reference GDPR-12`,
    )
    .action(async (options: Options) => {
      if (hasWord(options.reference, options.correlationId))
        throw new CommandFailure(
          'the reference contains the correlation id, and is recorded permanently: use another one. Nothing was erased',
        )
      const store = await deps.openStore(deps.config())
      try {
        await erase(store, deps, options)
      } finally {
        await store.close()
      }
    })
}

async function erase(store: Store, deps: CliDeps, options: Options): Promise<void> {
  const { owner: ownerId, correlationId, json } = options
  const { clock, random } = deps
  const plan = await planErasure({ store, clock, random }, { ownerId, correlationId })
  if (isEmpty(plan)) return endEmpty(store, deps, options, plan)
  const write = (text: string): void => void deps.process.stdout.write(`${text}\n`)
  // Also beside JSON: what cannot be erased is said before anything is done.
  if (options.dryRun !== true || json !== true)
    (json ? deps.process.stderr : deps.process.stdout).write(`${planText(plan)}\n`)
  if (options.dryRun === true) {
    write(json ? planJson(plan, null, 'left') : 'Dry run: nothing was erased.')
    return
  }
  if (options.yes !== true) await confirm(deps)
  const bar = countBar('payments', deps.process.stderr)
  try {
    const { reference } = options
    const texts = await erasePayments(
      { store, clock, random },
      plan,
      { reference, by: deps.operator() },
      (done, all) => bar.update(done, all),
    )
    bar.stop()
    const cleaning = options.cleanLater === true ? 'left' : await clean({ store })
    write(json ? planJson(plan, texts, cleaning) : erasedText(plan, texts, { reference, cleaning }))
    refuseUncleaned(cleaning, sealedNote(plan))
  } finally {
    bar.stop()
  }
  refuseSealed(plan)
}

/** Nothing can be erased, now or any more. */
async function endEmpty(
  store: Store,
  deps: CliDeps,
  { json, dryRun, cleanLater }: Options,
  plan: ErasurePlan,
): Promise<void> {
  const cleaning = dryRun === true || cleanLater === true ? 'left' : await clean({ store })
  if (cleaning === 'done')
    deps.process.stderr.write('The database was cleaned of what an earlier erasure left.\n')
  if (json === true) deps.process.stdout.write(`${planJson(plan, 0, cleaning)}\n`)
  refuseUncleaned(cleaning, sealedNote(plan))
  refuseSealed(plan)
  throw new CommandFailure(
    'no personal text was found: no payment of this owner has this correlation id, or it was erased',
    nothingFoundExitCode,
    detachedNote(plan),
  )
}

function refuseSealed({ sealed }: ErasurePlan): void {
  if (sealed.length === 0) return
  throw new CommandFailure(
    `${counted(sealed.length, 'text')} of the old form cannot be erased: each is part of a sealed record`,
    incompleteExitCode,
    listed(sealed),
  )
}

const sealedNote = ({ sealed }: ErasurePlan): string[] =>
  sealed.length === 0 ? [] : [`${counted(sealed.length, 'text')} of the old form cannot be erased`]

async function confirm({ user: { terminal } }: CliDeps): Promise<void> {
  if (!terminal.isInputTerminal || !terminal.isErrorTerminal)
    throw new CommandFailure('there is no terminal to confirm it: use --yes. Nothing was erased')
  const answer = await terminal.promptLine('Erase these texts? This cannot be undone. [y/N] ')
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw new CommandFailure('nothing was erased')
}

function planText(plan: ErasurePlan): string {
  const { counts, requestIds, keys, reportIds, sealed } = plan
  const deleted = keys.filter(({ holdsText }) => holdsText).length
  return [
    'To be erased:',
    `  ${counted(counts.correlation_id, 'correlation id')}`,
    `  ${counted(counts.justification, 'justification')} of overrides`,
    `  ${counted(counts.review_text, 'text')} of reviews`,
    `  ${counted(keys.length - deleted, 'fingerprint')} of idempotency keys, which then refuse every request`,
    `  ${counted(deleted, 'idempotency key')} that contain the correlation id, which then are free`,
    `  ${counted(reportIds.length, 'kept batch report')} that name the correlation id, as a whole`,
    ...listed(reportIds).map((line) => `    ${line}`),
    `Payments: ${requestIds.length}`,
    ...listed(requestIds).map((line) => `  ${line}`),
    ...(sealed.length === 0
      ? []
      : [
          `Cannot be erased, because the text is part of a sealed record of the old form: ${sealed.length}`,
          ...listed(sealed).map((line) => `  ${line}`),
        ]),
    ...detachedNote(plan),
  ].join('\n')
}

function listed(ids: readonly string[]): string[] {
  const more = ids.length - listedMax
  return [...ids.slice(0, listedMax).map(plain), ...(more > 0 ? [`and ${more} more`] : [])]
}

function detachedNote({ detachedMonths: months }: ErasurePlan): string[] {
  return months.length === 0
    ? []
    : [`Not searched for texts of the old form, because they are detached or dropped: ${months.join(', ')}`]
}

function erasedText(
  { requestIds }: ErasurePlan,
  texts: number,
  { reference, cleaning }: { readonly reference: string; readonly cleaning: Cleaning },
): string {
  const left =
    cleaning === 'left'
      ? 'The files of the database may still hold them: run the same command again without --clean-later.\n'
      : ''
  return `${left}Erased ${counted(texts, 'text')} of ${counted(requestIds.length, 'payment')}, reference ${reference}. Earlier backups and archives still have them.`
}

function planJson(plan: ErasurePlan, erased: number | null, cleaning: Cleaning): string {
  return JSON.stringify({
    dry_run: erased === null,
    erased: erased ?? 0,
    cleaned: isClean(cleaning),
    ...planView(plan),
  })
}
