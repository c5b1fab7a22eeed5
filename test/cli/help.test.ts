/** The help of the whole command tree: an example everywhere, commands of users and of operators in two lists, no option for a key. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import type { CliDeps } from '../../src/cli/deps.ts'
import { programOf } from '../../src/cli/run.ts'
import { userOf } from '../helpers/process/user.ts'

const program = programOf({ user: userOf({}), process } as unknown as CliDeps, { exitCode: 0 })

/** As it is shown, with what stands after the options. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece) })
  command.outputHelp()
  return text
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`

const commands = everyCommand(program)

test('every command shows an example of itself', () => {
  const without = commands.filter((command) => {
    const [, example = ''] = /\nExample:\n([\s\S]+)$/.exec(helpOf(command)) ?? []
    return !example.includes(nameOf(command))
  })
  assert.deepEqual(without.map(nameOf), [])
  assert.ok(commands.length > 25, 'the commands were not found')
})

test('help tells the commands of users from those of operators', () => {
  const help = helpOf(program)
  const [, users = '', operators = ''] =
    /\nUser commands[^\n]*\n([\s\S]*?)\nOperator commands[^\n]*\n([\s\S]*?)\n\n/.exec(help) ?? []
  const names = (text: string): string[] =>
    text.split('\n').flatMap((line) => /^ {2}([a-z]+)/.exec(line)?.[1] ?? [])
  assert.deepEqual(
    names(users),
    'quickstart verify explain audit events history compare corridors override reviews outcomes calibration policy mcp health login logout completion'.split(
      ' ',
    ),
  )
  assert.deepEqual(
    names(operators),
    'serve config doctor keys access people assess backup restore export archive cip feeds partitions stream erase retention webhooks'.split(
      ' ',
    ),
  )
})

test('no command takes a key as an option, where others could see it among the processes', () => {
  const flags = commands.flatMap((command) => command.options.map(({ long }) => `${nameOf(command)} ${long}`))
  // Which key's feeds to check is said by its id, which is no secret.
  const keys = flags.filter(
    (flag) => /(?:^| )--(?:api-?)?key$/.test(flag) && flag !== 'fairway feeds check --key',
  )
  assert.deepEqual(keys, [])
})

test('every user command that answers can answer in JSON', () => {
  // A host of tools reads the protocol.
  const silent = new Set(['completion', 'mcp'])
  const users = program.commands.slice(0, 18).filter((command) => !silent.has(command.name()))
  // A group has no answer of its own.
  const answering = users.flatMap((command) =>
    command.commands.length > 0 && command.name() !== 'audit' ? command.commands : [command],
  )
  assert.equal(answering.length, 31)
  for (const command of answering) {
    const longs = new Set(command.options.map(({ long }) => long))
    assert.deepEqual(
      ['--json', '--no-json', '--no-color'].filter((flag) => !longs.has(flag)),
      [],
      nameOf(command),
    )
  }
})
