/** `fairway audit move-key`: moves the key that signs the log out of the database. For operators. */

import type { Command } from 'commander'
import { actsBy } from '../../app/operate/acts.ts'
import { CommandFailure, plain, storeWork, type CliDeps } from '../deps.ts'

export function registerMoveKey(audit: Command, deps: CliDeps): void {
  audit
    .command('move-key')
    .description('Move the signing key out of the database into a file')
    .option('--out <file>', 'The file to create; default: where this installation looks for its key')
    .addHelpText(
      'after',
      `
Earlier versions kept the key that signs the log in the database, and so does PostgreSQL without FAIRWAY_SEAL_KEY. The
file is for its owner only and is never overwritten. On SQLite the server finds it by itself. On PostgreSQL, set
FAIRWAY_SEAL_KEY in every instance to what the file holds, before one of them starts again. Docs: docs/operators.md

Example:
  fairway audit move-key --out fairway.key`,
    )
    .action((options: { out?: string }) =>
      storeWork(deps)(async (store) => {
        const { sealKeyFile } = deps.config()
        const path = options.out ?? sealKeyFile
        if (path === null) throw new CommandFailure('name the file to create: --out FILE')
        const seeds = (await store.log.keys()).flatMap(({ seed }) => seed ?? [])
        if (seeds.length === 0) throw new CommandFailure('the signing key is not in the database')
        const isCreated = await deps.openKeyFile(path).create(`${seeds.join('\n')}\n`)
        if (!isCreated) throw new CommandFailure(`${path} already exists: nothing was moved`)
        const { clock, random, operator } = deps
        const describe = actsBy(operator(), { clock, random })
        await store.log.forgetSeeds(describe({ kind: 'seal_key.moved', subject: '', detail: {} }))
        return [
          `The signing key is in ${plain(path)} and no longer in the database. Keep a copy elsewhere.`,
          ...(path === sealKeyFile
            ? []
            : [
                `Set FAIRWAY_SEAL_KEY to its contents, or FAIRWAY_SEAL_KEY_FILE to its path, before a server starts again.`,
              ]),
        ].join('\n')
      }),
    )
}
