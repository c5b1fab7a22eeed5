/** `fairway audit move-key`: moves the key that signs the log out of the database. For operators. */

import type { Command } from 'commander'
import { readKeyFile } from '../../../app/log/installation-key.ts'
import { actsBy } from '../../../app/operate/acts.ts'
import { CommandFailure, plain, storeWork, type CliDeps } from '../../deps.ts'

export function registerMoveKey(audit: Command, deps: CliDeps): void {
  audit
    .command('move-key')
    .description('Move the signing key out of the database into a file')
    .option('--out <file>', 'The file to create; default: where this installation looks for its key')
    .addHelpText(
      'after',
      `
Earlier versions kept the key that signs the log in the database. The file is for its owner only and is never
overwritten. The server finds it by itself, unless --out names another path. Other instances need it, too: a copy, or
FAIRWAY_SEAL_KEY set to what it holds, before one of them starts again. Docs: docs/running.md

Example:
  fairway audit move-key --out fairway.key`,
    )
    .action((options: { out?: string }) =>
      storeWork(deps)(async (store) => {
        const seeds = (await store.log.keys()).flatMap(({ seed }) => seed ?? [])
        if (seeds.length === 0) throw new CommandFailure('the signing key is not in the database')
        const place = await keep(deps, seeds, options.out)
        const { clock, random, operator } = deps
        const describe = actsBy(operator(), { clock, random })
        await store.log.forgetSeeds(describe({ kind: 'seal_key.moved', subject: '', detail: {} }))
        return `The signing key is no longer in the database, but in ${place}. Keep a copy elsewhere.`
      }),
    )
}

/** Brings the keys to their place, unless they are there: a move may have been interrupted. Returns the place in words. */
async function keep(deps: CliDeps, seeds: readonly string[], out: string | undefined): Promise<string> {
  const { sealKeyFile, sealKeys } = deps.config()
  const areAll = (kept: readonly string[] | null): boolean => seeds.every((seed) => kept?.includes(seed))
  if (areAll(sealKeys)) return 'the settings'
  if (sealKeys.length > 0 && out === undefined) {
    const message =
      'FAIRWAY_SEAL_KEY does not hold the key in the database: name a file with --out, and append what it holds to the setting'
    throw new CommandFailure(message)
  }
  const path = out ?? sealKeyFile
  const file = deps.openKeyFile(path)
  const isKept = areAll(await readKeyFile(file).catch(() => null))
  if (!isKept && !(await file.create(`${seeds.join('\n')}\n`)))
    throw new CommandFailure(`${path} already exists: nothing was moved`)
  const next =
    'set FAIRWAY_SEAL_KEY to what it holds, or FAIRWAY_SEAL_KEY_FILE to its path, before a server starts again'
  return path === sealKeyFile ? plain(path) : `${plain(path)}: ${next}`
}
