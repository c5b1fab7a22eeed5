/** `fairway policy check`: checks a document here or, to try it on a decision, on a server. */

import type { Command } from 'commander'
import type { PolicyCheck, PolicyDocument } from '../../../../client/src/index.ts'
import { counted } from '../../../core/explain/wording.ts'
import { isObject } from '../../../core/reference/json.ts'
import { checked, show } from '../session/answer-checks.ts'
import { faultExitCode } from '../session/exit-codes.ts'
import { decisionCell, Screen } from '../session/screen.ts'
import {
  reporting,
  runUser,
  withSharedOptions,
  type SharedOptions,
  type UserCli,
} from '../session/session.ts'
import { faultLines, readDocumentFile, type DocumentFile } from './faults.ts'

interface CheckOptions extends SharedOptions {
  readonly on?: string
}

export function registerCheck(policy: Command, cli: UserCli): void {
  withSharedOptions(
    policy
      .command('check')
      .description('Check a document, or try it on a decision')
      .argument('<file>', 'JSON document of the policy; - reads standard input')
      .option('--on <request-id>', 'Try it on this decision, on the server'),
  )
    .addHelpText(
      'after',
      `
Without --on no server and no key are needed. Nothing is stored. The exit code is 1 if the document has faults.

Example:
  fairway policy check policy.json
  fairway policy check policy.json --on SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N`,
    )
    .action((path: string, options: CheckOptions) =>
      options.on === undefined ? checkHere(cli, path, options) : tryOn(cli, path, options.on, options),
    )
}

async function checkHere(cli: UserCli, path: string, options: CheckOptions): Promise<void> {
  const screen = new Screen(cli.deps.user.terminal, options)
  await reporting(screen, async () => {
    const file = await readDocumentFile(cli.deps, path)
    // Loaded here: the library of expressions is large, and no other command needs it.
    const { compilePolicy } = await import('../../../app/policy/compile.ts')
    const compiled = compilePolicy(file.document)
    const errors = compiled.kind === 'faulty' ? compiled.faults : []
    const result = { valid: errors.length === 0, errors: [...errors], tried: null }
    cli.exitStatus.exitCode = showResult(screen, file, result)
  })
}

async function tryOn(cli: UserCli, path: string, requestId: string, options: CheckOptions): Promise<void> {
  await runUser(cli, options, async ({ screen, keyed, call }) => {
    const client = keyed()
    const file = await readDocumentFile(cli.deps, path)
    const document = file.document as PolicyDocument
    const result = await call(() => client.checkPolicy(document, { request_id: requestId }))
    return showResult(screen, file, checked(result, { errors: 'list' }))
  })
}

function showResult(screen: Screen, file: DocumentFile, result: PolicyCheck): number {
  show(screen, result, () => (result.valid ? validLines(screen, file, result) : faultyLines(file, result)))
  return result.valid ? 0 : faultExitCode
}

function validLines(screen: Screen, { name, document }: DocumentFile, { tried }: PolicyCheck): string[] {
  const rules = isObject(document) && Array.isArray(document['rules']) ? document['rules'].length : 0
  const line = `${screen.cell(name)} is valid: ${counted(rules, 'rule')}.`
  if (tried === null) return [line]
  const { request_id: id, from, to, fired, decided } = tried
  const [before, after] = [from, to].map((decision) => screen.cell(decisionCell(decision)))
  return [
    line,
    `On ${screen.cell(id)}: ${from === to ? `${before}, unchanged` : `${before} would be ${after}`}.`,
    `Rules that fired: ${screen.cell(fired.join(', ') || 'none')}; that decided: ${screen.cell(decided.join(', ') || 'none')}.`,
  ]
}

function faultyLines({ name, document }: DocumentFile, { errors }: PolicyCheck): string[] {
  return [
    `${name} has ${counted(errors.length, 'fault')}:`,
    ...errors.flatMap((error) => faultLines(error, document)),
  ]
}
