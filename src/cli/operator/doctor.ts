/** `fairway doctor`: checks the machine, the database and the services around it. For operators. */

import type { Command } from 'commander'
import { examine, type CheckedFinding, type Report } from '../../app/operate/doctor/examine.ts'
import { states, type State } from '../../app/operate/doctor/findings.ts'
import { counted, joinList } from '../../core/explain/wording.ts'
import type { CliDeps } from '../deps.ts'
import { failureLine } from '../failure-line.ts'
import { clean } from '../redact.ts'
import type { Format } from '../table.ts'
import { wrapped } from '../width.ts'
import { Screen } from '../user/session/screen.ts'
import { withJsonOptions, type SharedOptions, type UserCli } from '../user/session/session.ts'

const exitCodes: Readonly<Record<State, number>> = { skipped: 0, ok: 0, note: 0, warning: 10, fault: 20 }

export function registerDoctor(program: Command, { deps, exitStatus }: UserCli): void {
  withJsonOptions(program.command('doctor').description('Check everything Fairway needs and say what to do'))
    .addHelpText(
      'after',
      `
Reads the settings of the server, and changes nothing. Checks Node.js, settings, port, files, database, clock, seal key,
triggers, feeds, captcha, disk and followers. Feeds are given 10 seconds, the captcha 5, a port 3. The exit code is 0 if
all is well (notes included), 10 if the worst is a warning, and 20 if it is a fault. Docs: docs/maintenance.md

Example:
  fairway doctor`,
    )
    .action(async (options: SharedOptions) => {
      const screen = new Screen(deps.user.terminal, options)
      const report = await examine(await doctorDeps(deps))
      if (screen.isJson) screen.json(report)
      else screen.lines(reportLines(screen, report))
      exitStatus.exitCode = exitCodes[report.state]
    })
}

async function doctorDeps(deps: CliDeps) {
  const settings = deps.settings()
  const passwords = passwordsOf(settings.config?.databaseUrl ?? '')
  return {
    clock: deps.clock,
    random: deps.random,
    after: deps.after,
    machine: await deps.machine(),
    settings,
    user: deps.operator(),
    userSettingsFile: deps.user.settingsFile.path,
    lookAtDatabase: (databaseUrl: string) => deps.lookAtDatabase(databaseUrl),
    openKeyFile: (path: string) => deps.openKeyFile(path),
    openFeeds: (path: string) => deps.openFeeds(path, null),
    checkPackages: (of: 'nats' | 'telemetry') => deps.checkPackages(of),
    openCaptcha: (...given: Parameters<CliDeps['openCaptcha']>) => deps.openCaptcha(...given),
    // A driver's message may repeat a part of the URL.
    explain(error: unknown): string {
      const line = failureLine(error)
      const text = passwords.reduce((masked, one) => masked.replaceAll(`:${one}@`, ':[password]@'), line)
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    },
  }
}

/** As it is written, and as it is meant. Alone it is not looked for: where it is a word, masking the word would tell it. */
function passwordsOf(databaseUrl: string): readonly string[] {
  if (databaseUrl.startsWith('sqlite:') || !URL.canParse(databaseUrl)) return []
  const { password } = new URL(databaseUrl)
  try {
    return password === '' ? [] : [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

const words: Readonly<Record<State, string>> = {
  ok: 'OK',
  note: 'NOTE',
  warning: 'WARNING',
  fault: 'FAULT',
  skipped: 'SKIPPED',
}
const formats: Readonly<Record<State, Format>> = {
  ok: 'green',
  note: 'cyan',
  warning: 'yellow',
  fault: ['bold', 'red'],
  skipped: 'dim',
}
const stateWidth = 'SKIPPED'.length
const checkWidth = 'followers'.length
const indent = ' '.repeat(stateWidth + checkWidth + 4)
function reportLines(screen: Screen, { checks, findings }: Report): string[] {
  const count = Object.values(checks).reduce((sum, one) => sum + one, 0)
  const parts = states
    .toReversed()
    .filter((state) => checks[state] > 0)
    .map((state) => partText(state, checks[state]))
  return [
    ...findings.flatMap((finding) => findingLines(screen, finding)),
    '',
    `${counted(count, 'check')}: ${joinList(parts)}`,
  ]
}

function partText(state: State, count: number): string {
  if (state === 'ok') return `${count} fine`
  return state === 'skipped' ? `${count} not checked` : counted(count, state)
}

function findingLines(screen: Screen, { check, state, found, action }: CheckedFinding): string[] {
  const left = Math.max(20, screen.width - indent.length)
  const [first = '', ...rest] = wrapped(clean(found), left)
  const word = screen.paint(formats[state], words[state].padEnd(stateWidth))
  const lines = [`${word}  ${check.padEnd(checkWidth)}  ${first}`, ...rest.map((line) => indent + line)]
  const todo = action === null ? [] : wrapped(clean(action), left - 2)
  return [...lines, ...todo.map((line, place) => `${indent}${place === 0 ? '→ ' : '  '}${line}`)]
}
