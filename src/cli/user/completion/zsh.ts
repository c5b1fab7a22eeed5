/** The completion script for zsh, with what each command and option is for. Pure. */

import {
  argumentValues,
  everyCommand,
  optionValues,
  placeOf,
  quote,
  type CompletedCommand,
  type Values,
} from './tree.ts'

export function zshScript(tree: CompletedCommand): string {
  const commands = everyCommand(tree)
  const below = commands.slice(1).map((command) => quote(placeOf(command)))
  const valued = optionValues(tree)
  return `#compdef fairway
# Completes fairway in zsh. Made by: fairway completion zsh
_fairway() {
  local at=fairway value= word count=0 i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    if [[ -n $value ]]; then value=; continue; fi
    case "$at $word" in
      ${below.join(' | ')}) at="$at $word" count=0 ;;
      ${valued.map(({ place }) => quote(place)).join(' | ')}) value="$word" ;;
      *' -'*) ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ -z $value && $PREFIX == --*=* ]]; then
    value="\${PREFIX%%=*}"
    compset -P '*='
  fi
  if [[ -n $value ]]; then
    case "$at $value" in
${cases(valued)}
      *) _message 'a value' ;;
    esac
    return
  fi
  if [[ $PREFIX == -* ]]; then
    case "$at" in
${commands.map((command) => `      ${quote(placeOf(command))}) found=(${described(optionsOf(command))}) ;;`).join('\n')}
    esac
    _describe -o option found
    return
  fi
  case "$at $count" in
${commands.flatMap(commandCase).join('\n')}
  esac
  (( \${#found} )) && _describe command found
  case "$at $count" in
${cases(argumentValues(tree))}
  esac
}
# Read from a folder of functions it is the function itself; read by source it only says that there is one.
if [[ "\${funcstack[1]}" == _fairway ]]; then
  _fairway "$@"
else
  compdef _fairway fairway
fi
`
}

function cases(found: readonly { readonly place: string; readonly values: Values }[]): string {
  return found
    .flatMap(({ place, values }) => {
      if (values.kind === 'none') return []
      const add = values.kind === 'files' ? '_files' : `compadd -- ${values.words.map(quote).join(' ')}`
      return [`      ${quote(place)}) ${add} ;;`]
    })
    .join('\n')
}

function optionsOf({ options }: CompletedCommand): [string, string][] {
  return options.flatMap(({ names, description }) =>
    names.map((name): [string, string] => [name, description]),
  )
}

function described(words: readonly (readonly [string, string])[]): string {
  return words.map(([word, description]) => quote(`${word}:${description}`)).join(' ')
}

function commandCase(command: CompletedCommand): string[] {
  if (command.commands.length === 0) return []
  const words = command.commands.map(({ path, description }) => [path.at(-1) ?? '', description] as const)
  return [`      ${quote(`${placeOf(command)} 0`)}) found=(${described(words)}) ;;`]
}
