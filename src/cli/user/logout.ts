/** `fairway logout`: removes the stored key. */

import type { Command } from 'commander'
import { Screen } from './session/screen.ts'
import { show } from './session/answer-checks.ts'
import { reporting, withJsonOptions, type SharedOptions, type UserCli } from './session/session.ts'
import { parseSettings, settingsText } from './session/settings.ts'

export function registerLogout(program: Command, { deps }: UserCli): void {
  const { settingsFile, environment, terminal } = deps.user
  withJsonOptions(program.command('logout').description('Remove the stored key and keep the address'))
    .addHelpText(
      'after',
      '\nThe key itself stays valid until it expires or an operator revokes it.\n\nExample:\n  fairway logout',
    )
    .action((options: SharedOptions) => {
      const screen = new Screen(terminal, options)
      return reporting(screen, async () => {
        const file = await settingsFile.read()
        const stored = file.kind === 'read' ? parseSettings(file.text) : null
        // A file that is invalid, or accessible to others, may still contain a key.
        if (stored !== null) await settingsFile.write(settingsText({ ...stored, apiKey: null }))
        else await settingsFile.remove()
        const hadKey = stored === null ? file.kind !== 'absent' : stored.apiKey !== null
        show(screen, { file: settingsFile.path, removed: hadKey }, () => [
          hadKey ? `Removed the key from ${screen.cell(settingsFile.path)}.` : 'No key was stored.',
        ])
        if (environment.apiKey !== null) screen.warn('FAIRWAY_API_KEY is set and still used')
      })
    })
}
