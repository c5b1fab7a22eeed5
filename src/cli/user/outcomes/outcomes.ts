/** `fairway outcomes`: reports how payments ended. */

import type { Command } from 'commander'
import { runUser, withSharedOptions, type SharedOptions, type UserCli } from '../session/session.ts'

interface ImportOptions extends SharedOptions {
  readonly check?: true
}

export function registerOutcomes(program: Command, cli: UserCli): void {
  const outcomes = program
    .command('outcomes')
    .description('Report how payments ended')
    .addHelpText('after', '\nExample:\n  fairway outcomes import outcomes.csv')
  withSharedOptions(
    outcomes
      .command('import')
      .description('Report outcomes from a CSV or JSON file')
      .argument('<file>', 'File of outcomes; - reads standard input')
      .option('--check', 'Check every row and record nothing'),
  )
    .addHelpText(
      'after',
      `
A row has outcome, and request_id or correlation_id; partner and occurred_at are optional. JSON is a list of rows, or
{"outcomes": [...]}. Every row is checked before any is recorded, and the exit code is 1 if one has a fault. Running
the command again is safe: a row that was reported before with the same content stays unchanged.

Example:
  fairway outcomes import outcomes.csv --check
  fairway outcomes import outcomes.csv`,
    )
    .action((path: string, options: ImportOptions) =>
      runUser(cli, options, async (session) => {
        // Loaded here: no other command needs the readers of files.
        const { importOutcomes } = await import('./import.ts')
        return importOutcomes(cli.deps, session, path, options.check === true)
      }),
    )
}
