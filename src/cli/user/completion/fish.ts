/** The completion script for fish, with what each command and option is for. Pure. */

import {
  argumentValues,
  everyCommand,
  optionValues,
  placeOf,
  type CompletedCommand,
  type CompletedOption,
  type Values,
} from './tree.ts'

export function fishScript(tree: CompletedCommand): string {
  const commands = everyCommand(tree)
  const below = commands.slice(1).map((command) => quote(placeOf(command)))
  const valued = optionValues(tree).map(({ place }) => quote(place))
  return `# Completes fairway in fish. Made by: fairway completion fish
function __fairway_place
    set -l at fairway
    set -l value 0
    set -l count 0
    set -l tokens (commandline -opc)
    for token in $tokens[2..]
        if test $value = 1
            set value 0
            continue
        end
        switch "$at $token"
            case ${below.join(' ')}
                set at "$at $token"
                set count 0
            case ${valued.join(' ')}
                set value 1
            case '* -*'
            case '*'
                set count (math $count + 1)
        end
    end
    echo "$at $count"
end
function __fairway_in
    string match -qr "^$argv[1] \\d+\\$" (__fairway_place)
end
function __fairway_at
    test (__fairway_place) = "$argv[1]"
end
complete -c fairway -f
${[...commands.flatMap(commandLines), ...argumentLines(tree)].join('\n')}
`
}

/** In fish's single quotes a backslash speaks for itself and for the quote alone. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function commandLines(command: CompletedCommand): string[] {
  const place = placeOf(command)
  const words = command.commands.map(({ path, description }) => {
    const at = quote(`__fairway_at "${place} 0"`)
    return `complete -c fairway -n ${at} -a ${quote(path.at(-1) ?? '')} -d ${quote(description)}`
  })
  const options = command.options.map(
    (option) => `complete -c fairway -n ${quote(`__fairway_in "${place}"`)} ${optionWords(option)}`,
  )
  return [...words, ...options]
}

function optionWords({ names, description, values }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return [...flags, ...valueWords(values), `-d ${quote(description)}`].join(' ')
}

function valueWords(values: Values | null): string[] {
  if (values === null) return []
  if (values.kind === 'files') return ['-r -F']
  return values.kind === 'none' ? ['-x'] : [`-x -a ${quote(values.words.join(' '))}`]
}

function argumentLines(tree: CompletedCommand): string[] {
  return argumentValues(tree).flatMap(({ place, values }) => {
    if (values.kind === 'none') return []
    const what = values.kind === 'files' ? '-F' : `-a ${quote(values.words.join(' '))}`
    return [`complete -c fairway -n ${quote(`__fairway_at "${place}"`)} ${what}`]
  })
}
