/** `fairway keys`: issues, lists, revokes and rotates API keys. For operators. */

import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { actsBy } from '../../../app/operate/acts.ts'
import { issueKey, revokeKey, rotateKey, rotationOverlapMsMax } from '../../../app/access/keys.ts'
import type { KeyStore } from '../../../app/ports/identity/keys.ts'
import type { Scope } from '../../../core/identity/api-key.ts'
import type { RateLimit } from '../../../core/time/rolling-window.ts'
import { iso } from '../../../core/time/durations.ts'
import { plainText } from '../../arguments.ts'
import { issuedText, parseLimit, parseOverlapMs, parseScopes, scopesHelp, unknownKey } from './key-output.ts'
import { issuedView, keyView } from '../../../app/access/views.ts'
import { keyListText, otherKeysText } from './key-list.ts'
import { CommandFailure, storeWork, type CliDeps, type WithStore } from '../../deps.ts'

export function registerKeys(program: Command, deps: CliDeps): void {
  const keys = program
    .command('keys')
    .description('Issue, list, revoke and rotate API keys')
    .addHelpText('after', '\nExample:\n  fairway keys issue --type test --owner "Payments team"')
  const withStore = storeWork(deps)
  registerIssue(keys, deps, storeWork(deps, { mayCreate: true }))
  registerList(keys, deps, withStore)
  registerRevoke(keys, deps, withStore)
  registerRotate(keys, deps, withStore)
}

function registerIssue(keys: Command, { clock, random, operator }: CliDeps, withStore: WithStore): void {
  keys
    .command('issue')
    .description('Issue a key for a new owner, or a further key for an existing one')
    .requiredOption('--type <type>', 'Type of the key: test or live', parseType)
    .option('--owner <name>', 'Display name; default with --for-owner: the existing one', plainText(200))
    .option('--for-owner <owner-id>', 'Id of an existing owner, from keys list --json')
    .option('--scopes <list>', scopesHelp, parseScopes)
    .option('--limit-verify <count/seconds>', 'Rate limit of this key on verify, such as 100/60', parseLimit)
    .option('--json', 'Print one JSON value')
    .option('--quiet', 'Print the key alone')
    .addHelpText(
      'after',
      '\nExample:\n  fairway keys issue --type test --owner "Payments team"\n  export FAIRWAY_API_KEY=$(fairway keys issue --type test --owner "Payments team" --quiet)',
    )
    .action((options: IssueOptions) =>
      withStore(async (store) => {
        const owner = await ownerOf(options, store.keys)
        const issued = await issueKey(
          { keys: store.keys, clock, random, describe: actsBy(operator(), { clock, random }) },
          {
            prefix: options.type === 'live' ? 'pk_live_' : 'pk_test_',
            ...owner,
            scopes: options.scopes ?? [],
            verifyLimit: options.limitVerify ?? null,
          },
        )
        if (options.quiet) return issued.key
        return options.json ? JSON.stringify(issuedView(issued)) : issuedText(issued)
      }),
    )
}

function registerList(command: Command, { clock }: CliDeps, withStore: WithStore): void {
  command
    .command('list')
    .description('List all keys with status, expiry and last use')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys list')
    .action((options: { json?: true }) =>
      withStore(async (store) => {
        const nowMs = clock.nowMs()
        const keys = await store.keys.list()
        if (options.json) return JSON.stringify(keys.map((key) => keyView(key, nowMs)))
        return keys.length === 0
          ? 'No keys yet: fairway keys issue --type test --owner NAME'
          : keyListText(keys, nowMs)
      }),
    )
}

function registerRevoke(keys: Command, { clock, random, operator }: CliDeps, withStore: WithStore): void {
  keys
    .command('revoke <key-id>')
    .description('Revoke a key; running servers refuse it within one second')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys revoke key_0123456789abcdef')
    .action((keyId: string, options: { json?: true }) =>
      withStore(async (store) => {
        const describe = actsBy(operator(), { clock, random })
        if (!(await revokeKey({ keys: store.keys, clock, describe }, keyId))) throw unknownKey(keyId)
        const key = await store.keys.find(keyId)
        const revokedAt = iso(key?.revokedAtMs ?? null)
        return options.json ? JSON.stringify({ key_id: keyId, revoked_at: revokedAt }) : `Revoked ${keyId}.`
      }),
    )
}

function registerRotate(keys: Command, { clock, random, operator }: CliDeps, withStore: WithStore): void {
  keys
    .command('rotate <key-id>')
    .description('Replace a key with a new one for its owner')
    .option(
      '--overlap <seconds>',
      'Seconds until the old key expires, 0 to 86400 (default: 86400)',
      parseOverlapMs,
    )
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys rotate key_0123456789abcdef --overlap 3600')
    .action((keyId: string, options: { overlap?: number; json?: true }) =>
      withStore(async (store) => {
        const overlapMs = options.overlap ?? rotationOverlapMsMax
        const describe = actsBy(operator(), { clock, random })
        const outcome = await rotateKey({ keys: store.keys, clock, random, describe }, keyId, overlapMs)
        if (outcome.kind === 'unknown') throw unknownKey(keyId)
        if (outcome.kind === 'ended') {
          throw new CommandFailure(
            `key ${keyId} has expired or was revoked: issue a new key, or approve a request with --replaces ${keyId}`,
          )
        }
        if (options.json) return JSON.stringify(issuedView(outcome.issued))
        const { ownerId, keyId: newKeyId } = outcome.issued.record
        return [
          issuedText(outcome.issued),
          `The old key ${keyId} expires at ${iso(outcome.oldEndsAtMs)}.`,
          ...otherKeysText(await store.keys.list(), {
            ownerId,
            except: [keyId, newKeyId],
            nowMs: clock.nowMs(),
          }),
        ].join('\n')
      }),
    )
}

/** A further key reads and writes the records of its owner, as a principal of its own. */
async function ownerOf(
  { owner, forOwner }: IssueOptions,
  keys: KeyStore,
): Promise<{ ownerLabel: string; ownerId?: string }> {
  if (forOwner === undefined) {
    if (owner === undefined) throw new CommandFailure('name the owner: --owner NAME, or --for-owner OWNER_ID')
    return { ownerLabel: owner }
  }
  const existing = (await keys.list()).find(({ ownerId }) => ownerId === forOwner)
  if (existing === undefined) {
    throw new CommandFailure(`there is no owner ${forOwner}: fairway keys list --json shows every owner_id`)
  }
  return { ownerLabel: owner ?? existing.ownerLabel, ownerId: forOwner }
}

interface IssueOptions {
  readonly type: 'test' | 'live'
  readonly owner?: string
  readonly forOwner?: string
  readonly scopes?: readonly Scope[]
  readonly limitVerify?: RateLimit
  readonly json?: true
  readonly quiet?: true
}

function parseType(text: string): 'test' | 'live' {
  if (text !== 'test' && text !== 'live') throw new InvalidArgumentError('Expected test or live.')
  return text
}
