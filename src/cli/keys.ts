/** `fairway keys`: issue, list, revoke and rotate, for operators. */

import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { issueKey, revokeKey, rotateKey, rotationOverlapMsMax, type IssuedKey } from '../app/keys.ts'
import type { KeyRecord } from '../app/ports.ts'
import { scopes, type Scope } from '../core/api-key.ts'
import { parseRateLimit } from '../config.ts'
import type { RateLimit } from '../core/rolling-window.ts'
import { CommandFailure, type CliParts } from './parts.ts'
import { storeWork, type WithStore } from './store-work.ts'
import { table } from './table.ts'

export function registerKeys(program: Command, parts: CliParts): void {
  const keys = program.command('keys').description('API keys (for operators)')
  const withStore = storeWork(parts)
  registerIssue(keys, parts, withStore)
  registerList(keys, parts, withStore)
  registerRevoke(keys, parts, withStore)
  registerRotate(keys, parts, withStore)
}

function registerIssue(keys: Command, { clock, random }: CliParts, withStore: WithStore): void {
  keys
    .command('issue')
    .description('make a new key with an owner of its own; it is shown once')
    .requiredOption('--type <type>', 'test or live', parseType)
    .requiredOption('--owner <name>', 'a label for people', parseOwner)
    .option('--scopes <list>', `comma-separated, of ${scopes.join(', ')}; none means all`, parseScopes, [])
    .option('--limit-verify <count/seconds>', "this key's own limit on verify, like 100/60", parseLimit)
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys issue --type test --owner "Payments team"')
    .action((options: IssueOptions) =>
      withStore(async (store) => {
        const issued = await issueKey(
          { keys: store.keys, clock, random },
          {
            prefix: options.type === 'live' ? 'pk_live_' : 'pk_test_',
            ownerLabel: options.owner,
            scopes: options.scopes,
            verifyLimit: options.limitVerify ?? null,
          },
        )
        return options.json ? JSON.stringify(issuedJson(issued)) : issuedText(issued)
      }),
    )
}

function registerList(keys: Command, { clock }: CliParts, withStore: WithStore): void {
  keys
    .command('list')
    .description('show all keys, without the keys themselves')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys list')
    .action((options: { json?: true }) =>
      withStore(async (store) => {
        const nowMs = clock.nowMs()
        const rows = (await store.keys.list()).map((key) => listed(key, nowMs))
        if (options.json) return JSON.stringify(rows)
        return rows.length === 0 ? 'No keys yet: fairway keys issue --type test --owner NAME' : listText(rows)
      }),
    )
}

function registerRevoke(keys: Command, { clock }: CliParts, withStore: WithStore): void {
  keys
    .command('revoke <key-id>')
    .description('end a key now; a running server refuses it within a second')
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys revoke key_0123456789abcdef')
    .action((keyId: string, options: { json?: true }) =>
      withStore(async (store) => {
        if (!(await revokeKey({ keys: store.keys, clock }, keyId))) throw unknownKey(keyId)
        const key = await store.keys.find(keyId)
        const revokedAt = iso(key?.revokedAtMs ?? null)
        return options.json ? JSON.stringify({ key_id: keyId, revoked_at: revokedAt }) : `Revoked ${keyId}.`
      }),
    )
}

function registerRotate(keys: Command, { clock, random }: CliParts, withStore: WithStore): void {
  keys
    .command('rotate <key-id>')
    .description('make a new key for the same owner; the old one ends after the overlap')
    .option('--overlap <seconds>', 'how long the old key goes on, at most 86400', parseOverlap)
    .option('--json', 'print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway keys rotate key_0123456789abcdef --overlap 3600')
    .action((keyId: string, options: { overlap?: number; json?: true }) =>
      withStore(async (store) => {
        const overlapMs = options.overlap ?? rotationOverlapMsMax
        const outcome = await rotateKey({ keys: store.keys, clock, random }, keyId, overlapMs)
        if (outcome.kind === 'unknown') throw unknownKey(keyId)
        if (outcome.kind === 'ended') {
          throw new CommandFailure(`the key ${keyId} has ended already: issue a new one instead`)
        }
        if (options.json) return JSON.stringify(issuedJson(outcome.issued))
        return `${issuedText(outcome.issued)}\nThe old key ${keyId} ends at ${iso(outcome.oldEndsAtMs)}.`
      }),
    )
}

interface IssueOptions {
  readonly type: 'test' | 'live'
  readonly owner: string
  readonly scopes: readonly Scope[]
  readonly limitVerify?: RateLimit
  readonly json?: true
}

function unknownKey(keyId: string): CommandFailure {
  return new CommandFailure(`there is no key ${JSON.stringify(keyId)}: fairway keys list shows them`)
}

function parseType(text: string): 'test' | 'live' {
  if (text !== 'test' && text !== 'live') throw new InvalidArgumentError('It is test or live.')
  return text
}

function parseOwner(text: string): string {
  const label = text.trim()
  if (!/^[^\p{Cc}]{1,200}$/u.test(label)) throw new InvalidArgumentError('It has 1 to 200 plain characters.')
  return label
}

function parseScopes(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim())
  const known = scopes.filter((scope) => given.includes(scope))
  if (given.some((scope) => !scopes.some((one) => one === scope))) {
    throw new InvalidArgumentError(`The scopes are ${scopes.join(', ')}.`)
  }
  return known
}

function parseLimit(text: string): RateLimit {
  const limit = parseRateLimit(text)
  if (limit === null) throw new InvalidArgumentError('It is COUNT/SECONDS, like 100/60.')
  return limit
}

function parseOverlap(text: string): number {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 1000 : Number.NaN
  if (!(ms <= rotationOverlapMsMax)) throw new InvalidArgumentError('It is a number of seconds up to 86400.')
  return ms
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

function issuedJson({ record, key }: IssuedKey) {
  return {
    key_id: record.keyId,
    key,
    type: record.type,
    owner: record.ownerLabel,
    scopes: record.scopes,
    created_at: iso(record.createdAtMs),
    expires_at: iso(record.expiresAtMs),
  }
}

function issuedText({ record, key }: IssuedKey): string {
  return [
    `Key      ${key}`,
    `Key id   ${record.keyId}`,
    `Type     ${record.type}`,
    `Owner    ${record.ownerLabel}`,
    `Scopes   ${record.scopes.length === 0 ? 'all' : record.scopes.join(', ')}`,
    `Expires  ${iso(record.expiresAtMs) ?? 'never'}`,
    'Keep the key safe: it is not shown again.',
  ].join('\n')
}

function listed(key: KeyRecord, nowMs: number) {
  const expired = key.expiresAtMs !== null && key.expiresAtMs <= nowMs
  return {
    key_id: key.keyId,
    type: key.type,
    owner: key.ownerLabel,
    scopes: key.scopes,
    limit_verify:
      key.verifyLimit === null ? null : `${key.verifyLimit.count}/${key.verifyLimit.windowMs / 1000}`,
    status: key.revokedAtMs !== null ? 'revoked' : expired ? 'expired' : 'active',
    created_at: iso(key.createdAtMs),
    expires_at: iso(key.expiresAtMs),
    revoked_at: iso(key.revokedAtMs),
  }
}

function listText(rows: readonly ReturnType<typeof listed>[]): string {
  return table(
    ['KEY ID', 'TYPE', 'OWNER', 'STATUS', 'SCOPES', 'CREATED', 'EXPIRES', 'REVOKED'],
    rows.map((row) => [
      row.key_id,
      row.type,
      row.owner,
      row.status,
      row.scopes.length === 0 ? 'all' : row.scopes.join(' '),
      row.created_at ?? '',
      row.expires_at ?? 'never',
      row.revoked_at ?? '-',
    ]),
  )
}
