/** `fairway audit new-key`: makes another key the log's last, so that a server starts with it. For operators. */

import type { Command } from 'commander'
import { counted } from '../../../core/explain/wording.ts'
import { findLost } from '../../../app/events/stored-secrets.ts'
import { acceptNewKey } from '../../../app/log/installation-key.ts'
import type { Store } from '../../../app/ports/store.ts'
import { parseChangeId } from '../../arguments.ts'
import { CommandFailure, plain, storeWork, type CliDeps } from '../../deps.ts'

export function registerNewKey(audit: Command, deps: CliDeps): void {
  audit
    .command('new-key')
    .description('Let another key sign the log from now on')
    .requiredOption('--reference <change-id>', 'Id of the approved change', parseChangeId)
    .addHelpText(
      'after',
      `
A server refuses to start with another key than the last of its log. This records the newest key of FAIRWAY_SEAL_KEY or
of the key file as the last one, permanently. Where there is neither, it creates the file. Keep the earlier key behind
the new one (NEW,OLD): webhook secrets are encrypted under it. Docs: docs/running.md

Example:
  fairway audit new-key --reference CHANGE-1042`,
    )
    .action(({ reference }: { reference: string }) =>
      storeWork(deps)((store) => newKey(deps, store, reference)),
    )
}

async function newKey(deps: CliDeps, store: Store, reference: string): Promise<string> {
  const { clock, random, operator } = deps
  const { sealKeys: keys, sealKeyFile } = deps.config()
  const file = deps.openKeyFile(sealKeyFile)
  const result = await acceptNewKey({ store, clock, random, keys, file }, { by: operator(), reference })
  if (result.kind === 'no_log')
    throw new CommandFailure(
      'the log has no key yet: the first start takes the one of the settings, or makes one',
    )
  if (result.kind === 'unchanged')
    throw new CommandFailure(`the newest key here already is the last of the log: ${result.key}`)
  const { to, madeIn, box } = result
  const lost = await findLost(store.endpoints, box)
  return [
    ...(madeIn === null ? [] : [`Created ${plain(madeIn)}. Keep a copy elsewhere: every instance needs it.`]),
    `The key that signs from the next start on is ${to}. Give it to auditors.`,
    ...(lost.length === 0
      ? []
      : [
          `No key here opens the secrets of ${counted(lost.length, 'webhook endpoint')}: unless the earlier key is added, their owners must rotate them.`,
        ]),
  ].join('\n')
}
