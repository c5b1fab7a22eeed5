/** `fairway config`: prints every setting as the server would read it. For operators. */

import type { Command } from 'commander'
import type { CliDeps } from '../deps.ts'
import { Screen } from '../user/session/screen.ts'
import { withJsonOptions, type SharedOptions } from '../user/session/session.ts'

export function registerConfig(program: Command, deps: CliDeps): void {
  withJsonOptions(program.command('config').description('Print every setting, its source and its default'))
    .addHelpText(
      'after',
      `
Reads the settings as a server would start with them; a bad one ends the command. Secrets and passwords are masked. A
setting comes from the environment, from the file that its _FILE setting names, or is the default. Docs: docs/settings.md

Example:
  fairway config`,
    )
    .action((options: SharedOptions) => {
      const { settings, unknownSettings } = deps.config()
      const screen = new Screen(deps.user.terminal, options)
      if (screen.isJson) screen.json({ settings })
      else {
        const columns = [
          { title: 'Setting', fixed: true },
          { title: 'Value' },
          { title: 'Source' },
          { title: 'Default', optional: true },
        ] as const
        const rows = settings.map(({ name, value, source, default: standard }) => [
          name,
          value ?? '-',
          source,
          standard ?? '-',
        ])
        screen.lines(screen.table(columns, rows))
      }
      if (unknownSettings.length > 0)
        screen.warn(`ignored, because they are not settings: ${unknownSettings.join(', ')}`)
    })
}
