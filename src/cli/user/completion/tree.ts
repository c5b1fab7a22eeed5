/** The command tree for completion, with the values of arguments and options. Pure. */

import type { Argument, Command, Option } from 'commander'
import { cipStages } from '../../../core/live/cip.ts'
import { supportedCorridors } from '../../../core/reference/corridor.ts'
import { overrideActions } from '../../../core/events/override.ts'
import { reviewStatuses } from '../../../core/review/life.ts'

/** A fixed set of words, file names, or free text. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'none' }

export interface CompletedOption {
  /** The long name and, if any, the short name: `--help`, `-h`. */
  readonly names: readonly string[]
  readonly description: string
  /** Null for an option without a value. */
  readonly values: Values | null
}

export interface CompletedCommand {
  /** Names from the root: `['fairway', 'audit', 'verify']`. */
  readonly path: readonly string[]
  readonly description: string
  readonly commands: readonly CompletedCommand[]
  readonly options: readonly CompletedOption[]
  readonly arguments: readonly Values[]
}

/** Values by the placeholder in angle brackets. */
const valuesByName: Readonly<Record<string, Values>> = {
  corridor: { kind: 'words', words: supportedCorridors },
  currency: { kind: 'words', words: ['GBP', 'NGN'] },
  action: { kind: 'words', words: overrideActions },
  decision: { kind: 'words', words: ['GO', 'DEGRADED', 'NO-GO'] },
  mode: { kind: 'words', words: ['shadow', 'live'] },
  type: { kind: 'words', words: ['test', 'live'] },
  stage: { kind: 'words', words: cipStages },
  statuses: { kind: 'words', words: [...reviewStatuses, 'all'] },
  file: { kind: 'files' },
  path: { kind: 'files' },
  dir: { kind: 'files' },
}

const noValues: Values = { kind: 'none' }

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  return choices === undefined ? (valuesByName[name] ?? noValues) : { kind: 'words', words: choices }
}

function optionOf(option: Option): CompletedOption {
  const [, name = ''] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? []
  const names = [option.long, option.short].filter((one) => one !== undefined && one !== null)
  const takesValue = option.required || option.optional
  return {
    names,
    description: option.description,
    values: takesValue ? valuesOf(name, option.argChoices) : null,
  }
}

const help: CompletedOption = { names: ['--help', '-h'], description: 'Show help', values: null }

function treeOf(command: Command, above: readonly string[] = []): CompletedCommand {
  const path = [...above, command.name()]
  return {
    path,
    description: command.description(),
    commands: command.commands.map((one) => treeOf(one, path)),
    options: [...command.options.filter(({ hidden }) => !hidden).map(optionOf), help],
    arguments: command.registeredArguments.map((argument: Argument) =>
      valuesOf(argument.name(), argument.argChoices),
    ),
  }
}

/** The complete tree, including `help`, which commander does not list among the commands. */
export function programTree(program: Command): CompletedCommand {
  const tree = treeOf(program)
  const helpCommand: CompletedCommand = {
    path: [...tree.path, 'help'],
    description: 'Show help for a command',
    commands: [],
    options: [help],
    arguments: [{ kind: 'words', words: tree.commands.map(({ path }) => path.at(-1) ?? '') }],
  }
  return { ...tree, commands: [...tree.commands, helpCommand] }
}

/** The command and all its descendants. */
export function everyCommand(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

/** Quotes a word for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** `fairway audit verify`: identifies a command in the scripts. */
export const placeOf = ({ path }: CompletedCommand): string => path.join(' ')

export const optionNames = ({ options }: CompletedCommand): string[] => options.flatMap(({ names }) => names)

/** The values of each option that takes one, by the place of its command. */
export function optionValues(tree: CompletedCommand): { readonly place: string; readonly values: Values }[] {
  return everyCommand(tree).flatMap((command) =>
    command.options.flatMap(({ names, values }) =>
      values === null ? [] : names.map((name) => ({ place: `${placeOf(command)} ${name}`, values })),
    ),
  )
}

/** The values of each positional argument, by the place of its command. */
export function argumentValues(
  tree: CompletedCommand,
): { readonly place: string; readonly values: Values }[] {
  return everyCommand(tree).flatMap((command) =>
    command.arguments.map((values, index) => ({ place: `${placeOf(command)} ${index}`, values })),
  )
}
