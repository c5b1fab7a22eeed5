/** An owner with two keys, as four eyes need, and plain requests that are not measured. */

import { requestOnce, type Answer, type Server } from '../harness/service.ts'
import { runNode } from '../harness/processes.ts'
import { tenRules } from './rules.ts'

const cliMsMax = 60_000

interface Issued {
  readonly key: string
  readonly owner_id: string
}

async function issue(databaseUrl: string, ...more: readonly string[]): Promise<Issued> {
  const args = [
    'bin/fairway.js',
    'keys',
    'issue',
    '--type',
    'test',
    '--limit-verify',
    '100000000/1',
    '--json',
  ]
  const issued = await runNode([...args, ...more], { DATABASE_URL: databaseUrl }, { timeoutMs: cliMsMax })
  return JSON.parse(issued) as Issued
}

/** Issues the author's and the approver's key of a new owner. */
export async function issueTwoKeys(databaseUrl: string): Promise<{ author: string; approver: string }> {
  const { key: author, owner_id: ownerId } = await issue(databaseUrl, '--owner', 'bench')
  const { key: approver } = await issue(databaseUrl, '--for-owner', ownerId)
  return { author, approver }
}

export async function send(server: Server, key: string, path: string, body: object | null): Promise<Answer> {
  const answer = await requestOnce(server, {
    path: `/api/v1/policies${path}`,
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: body === null ? null : JSON.stringify(body),
    idempotencyKey: null,
  })
  return JSON.parse(answer) as Answer
}

export async function createTenRules(server: Server, key: string): Promise<string> {
  const { policy_id: id } = await send(server, key, '', tenRules)
  return String(id)
}
