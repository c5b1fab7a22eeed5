/** The completion script for bash: words alone, for any bash from 3.2 on. Pure. */

import {
  argumentValues,
  everyCommand,
  optionNames,
  optionValues,
  placeOf,
  quote,
  type CompletedCommand,
  type Values,
} from './tree.ts'

export function bashScript(tree: CompletedCommand): string {
  const commands = everyCommand(tree)
  const below = commands.slice(1).map((command) => quote(placeOf(command)))
  const valued = optionValues(tree)
  return `# Completes fairway in bash. Made by: fairway completion bash
_fairway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at=fairway value= word words= files= count=0 i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $value ]]; then
      # Of --option=value the sign is a word of its own.
      [[ $word == '=' ]] || value=
      continue
    fi
    case "$at $word" in
      ${below.join(' | ')}) at="$at $word" count=0 ;;
      ${valued.map(({ place }) => quote(place)).join(' | ')}) value="$word" ;;
      *' -'*) ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ -n $value ]]; then
    [[ $current == '=' ]] && current=
    case "$at $value" in
${cases(valued)}
    esac
  elif [[ $current == -* ]]; then
    case "$at" in
${commands.map((command) => `      ${quote(placeOf(command))}) words=${quote(optionNames(command).join(' '))} ;;`).join('\n')}
    esac
  else
    case "$at $count" in
${cases(argumentValues(tree))}
    esac
    case "$at $count" in
${commands.flatMap(commandCase).join('\n')}
    esac
  fi
  COMPREPLY=()
  # Line by line: what a name has of spaces or stars is its own. (mapfile is not there before bash 4.)
  while IFS= read -r word; do
    COMPREPLY+=("$word")
  done < <(compgen -W "$words" -- "$current"; [[ -z $files ]] || compgen -f -- "$current")
  if [[ -n $files ]]; then
    type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
  fi
}
complete -F _fairway fairway
`
}

function cases(found: readonly { readonly place: string; readonly values: Values }[]): string {
  return found
    .flatMap(({ place, values }) => {
      if (values.kind === 'none') return []
      const set = values.kind === 'files' ? 'files=1' : `words=${quote(values.words.join(' '))}`
      return [`      ${quote(place)}) ${set} ;;`]
    })
    .join('\n')
}

/** What can follow a command, beside its first argument. */
function commandCase(command: CompletedCommand): string[] {
  if (command.commands.length === 0) return []
  const names = command.commands.map(({ path }) => path.at(-1) ?? '').join(' ')
  return [`      ${quote(`${placeOf(command)} 0`)}) words="$words ${names}" ;;`]
}
