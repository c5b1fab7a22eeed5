/** `fairway access`: lists access requests, and approves or rejects them. For operators. */

import type { Command } from 'commander'
import { approveAccess, rejectAccess, type ApproveOutcome } from '../../../app/access/access.ts'
import { actsBy } from '../../../app/operate/acts.ts'
import { rotationOverlapMsMax } from '../../../app/access/keys.ts'
import type { AccessRequest } from '../../../app/ports/identity/access.ts'
import { accessStatuses, type AccessStatus } from '../../../core/identity/access.ts'
import type { Scope } from '../../../core/identity/api-key.ts'
import type { RateLimit } from '../../../core/time/rolling-window.ts'
import { iso } from '../../../core/time/durations.ts'
import { oneOf, plainText } from '../../arguments.ts'
import { accessRequestView, issuedView } from '../../../app/access/views.ts'
import { requestListText, requestText, shownJson } from './access-output.ts'
import { issuedText, parseLimit, parseOverlapMs, parseScopes, scopesHelp, unknownKey } from './key-output.ts'
import { otherKeysText } from './key-list.ts'
import { CommandFailure, storeWork, type CliDeps, type WithStore } from '../../deps.ts'

export function registerAccess(program: Command, deps: CliDeps): void {
  const access = program
    .command('access')
    .description('List, approve and reject access requests')
    .addHelpText('after', '\nExample:\n  fairway access list --status received')
  const withStore = storeWork(deps)
  registerList(access, withStore)
  registerShow(access, deps, withStore)
  registerApprove(access, deps, withStore)
  registerReject(access, deps, withStore)
}

function registerList(access: Command, withStore: WithStore): void {
  access
    .command('list')
    .description('List access requests, newest first')
    .option(
      '--status <status>',
      `Only requests with this status: ${accessStatuses.join(', ')}`,
      oneOf(accessStatuses),
    )
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway access list --status received')
    .action((options: { status?: AccessStatus; json?: true }) =>
      withStore(async (store) => {
        const requests = await store.access.list(options.status ?? null)
        if (options.json) return JSON.stringify(requests.map(accessRequestView))
        return requests.length === 0 ? 'No matching requests.' : requestListText(requests)
      }),
    )
}

function registerShow(access: Command, { clock }: CliDeps, withStore: WithStore): void {
  access
    .command('show <access-request-id>')
    .description('Show one request with its keys and decision')
    .option('--json', 'Print one JSON value')
    .addHelpText('after', '\nExample:\n  fairway access show acr_01ka2b3c4d5e6f7g8h9j0k1m2n')
    .action((id: string, options: { json?: true }) =>
      withStore(async (store) => {
        const request = await store.access.find(id)
        if (request === null) throw unknownRequest(id)
        const shown = { request, keys: await store.keys.list(), nowMs: clock.nowMs() }
        return options.json ? JSON.stringify(shownJson(shown)) : requestText(shown)
      }),
    )
}

interface DecideOptions {
  readonly by?: string
  readonly note?: string
  readonly json?: true
}

interface ApproveOptions extends DecideOptions {
  readonly replaces?: string
  readonly overlap?: number
  readonly scopes?: readonly Scope[]
  readonly limitVerify?: RateLimit
}

const byHelp = 'Name recorded with the decision; default: your login name'

function registerApprove(access: Command, deps: CliDeps, withStore: WithStore): void {
  access
    .command('approve <access-request-id>')
    .description('Approve a request and issue a live key')
    .option('--replaces <key-id>', 'Replace this key and keep its owner and records')
    .option(
      '--overlap <seconds>',
      'Seconds until the replaced key expires, 0 to 86400 (default: 86400)',
      parseOverlapMs,
    )
    .option('--scopes <list>', `${scopesHelp}, or those of the replaced key`, parseScopes)
    .option('--limit-verify <count/seconds>', 'Rate limit of this key on verify, such as 100/60', parseLimit)
    .option('--by <name>', byHelp, plainText(500))
    .option('--note <text>', 'Note recorded with the decision', plainText(500))
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      `
The key is shown once. Without --replaces it belongs to a new owner, whose records the sandbox key of the request cannot
read. Use --replaces only if you know that the request comes from the holder of that key. Docs: docs/access.md

Example:
  fairway access approve acr_01ka2b3c4d5e6f7g8h9j0k1m2n --note "Contract signed"`,
    )
    .action((id: string, options: ApproveOptions) => {
      if (options.overlap !== undefined && options.replaces === undefined) {
        throw new CommandFailure('--overlap requires --replaces: without it no key expires')
      }
      return withStore(async ({ access: requests, keys }) => {
        const { clock, random } = deps
        const describe = (by: string) => actsBy(by, deps)
        const outcome = await approveAccess(
          { access: requests, keys, clock, random, describe },
          {
            accessRequestId: id,
            replaces: options.replaces ?? null,
            overlapMs: options.overlap ?? rotationOverlapMsMax,
            scopes: options.scopes ?? null,
            verifyLimit: options.limitVerify ?? null,
            decidedBy: options.by ?? deps.operator(),
            note: options.note ?? null,
          },
        )
        if (outcome.kind === 'unknown_request') throw unknownRequest(id)
        if (outcome.kind === 'unknown_key') throw unknownKey(options.replaces ?? '')
        if (outcome.kind === 'decided') throw decidedAlready(outcome.request)
        return options.json
          ? JSON.stringify(approvedJson(id, outcome))
          : [
              approvedText(id, outcome, clock.nowMs()),
              ...otherKeysText(await keys.list(), {
                ownerId: outcome.issued.record.ownerId,
                except: [outcome.issued.record.keyId, outcome.replaced?.keyId ?? ''],
                nowMs: clock.nowMs(),
              }),
            ].join('\n')
      })
    })
}

type Approved = Extract<ApproveOutcome, { kind: 'approved' }>

function approvedJson(id: string, { issued, replaced }: Approved) {
  const ended =
    replaced === null ? {} : { replaces: replaced.keyId, replaced_key_ends_at: iso(replaced.endsAtMs) }
  return { access_request_id: id, ...issuedView(issued), ...ended }
}

function approvedText(id: string, { issued, replaced }: Approved, nowMs: number): string {
  const lines = [`Approved ${id}.`, issuedText(issued)]
  if (replaced !== null) {
    const verb = replaced.endsAtMs > nowMs ? 'expires' : 'expired'
    lines.push(`It has the same owner as ${replaced.keyId}, which ${verb} at ${iso(replaced.endsAtMs)}.`)
  }
  return lines.join('\n')
}

interface RejectOptions extends DecideOptions {
  readonly revokeSandbox?: true
}

function registerReject(access: Command, deps: CliDeps, withStore: WithStore): void {
  access
    .command('reject <access-request-id>')
    .description('Reject a request, optionally revoking its sandbox key')
    .option('--revoke-sandbox', 'Also revoke the sandbox key of the request')
    .option('--by <name>', byHelp, plainText(500))
    .option('--note <text>', 'Note recorded with the decision', plainText(500))
    .option('--json', 'Print one JSON value')
    .addHelpText(
      'after',
      '\nExample:\n  fairway access reject acr_01ka2b3c4d5e6f7g8h9j0k1m2n --revoke-sandbox',
    )
    .action((id: string, options: RejectOptions) =>
      withStore(async ({ access: requests }) => {
        const revokesSandbox = options.revokeSandbox === true
        const outcome = await rejectAccess(
          { access: requests, clock: deps.clock, describe: (by) => actsBy(by, deps) },
          {
            accessRequestId: id,
            decidedBy: options.by ?? deps.operator(),
            note: options.note ?? null,
            revokesSandbox,
          },
        )
        if (outcome.kind === 'unknown_request') throw unknownRequest(id)
        if (outcome.kind === 'decided') throw decidedAlready(outcome.request)
        const { sandboxKeyId } = outcome.request
        if (options.json) {
          const decided = await requests.find(id)
          return JSON.stringify({
            ...accessRequestView(decided ?? outcome.request),
            sandbox_key_revoked: revokesSandbox,
          })
        }
        return revokesSandbox
          ? `Rejected ${id}. Servers refuse its sandbox key ${sandboxKeyId} within one second.`
          : `Rejected ${id}. Its sandbox key stays active; to revoke it, run: fairway keys revoke ${sandboxKeyId}`
      }),
    )
}

function unknownRequest(id: string): CommandFailure {
  return new CommandFailure(`unknown request ${JSON.stringify(id)}: run fairway access list for all requests`)
}

function decidedAlready({ accessRequestId, status, decision }: AccessRequest): CommandFailure {
  const detail = decision === null ? '' : ` at ${iso(decision.decidedAtMs)} by ${decision.decidedBy}`
  return new CommandFailure(`request ${accessRequestId} was already ${status}${detail}; a decision is final`)
}
