/** `fairway completion`: prints a static script for a shell. Starting fairway on every TAB would be too slow. */

import { Argument, type Command } from 'commander'
import type { UserCli } from '../session/session.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { programTree } from './tree.ts'
import { zshScript } from './zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

type Shell = keyof typeof scripts

const shells = Object.keys(scripts) as Shell[]

export function registerCompletion(program: Command, { deps }: UserCli): void {
  program
    .command('completion')
    .description('Print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'Name of the shell').choices(shells))
    .addHelpText(
      'after',
      `
To install:
  bash  fairway completion bash > ~/.local/share/bash-completion/completions/fairway
  zsh   fairway completion zsh > "\${fpath[1]}/_fairway"    (before compinit runs)
  fish  fairway completion fish > ~/.config/fish/completions/fairway.fish

Example:
  source <(fairway completion bash)`,
    )
    .action((shell: Shell) => void deps.process.stdout.write(scripts[shell](programTree(program))))
}
