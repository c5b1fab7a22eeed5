/** `fairway logout`: forgets the key that was stored. */

import type { Command } from 'commander'
import { Screen } from './session/screen.ts'
import { show } from './session/answer-checks.ts'
import { reporting, withJsonOptions, type SharedOptions, type UserCli } from './session/session.ts'
import { parseSettings, settingsText } from './session/settings.ts'

export function registerLogout(program: Command, { parts }: UserCli): void {
  const { settingsFile, environment, terminal } = parts.user
  withJsonOptions(program.command('logout').description('forget the stored key; the address stays'))
    .addHelpText(
      'after',
      '\nThe key itself goes on working: an operator ends it.\n\nExample:\n  fairway logout',
    )
    .action((options: SharedOptions) => {
      const screen = new Screen(terminal, options)
      return reporting(screen, async () => {
        const found = await settingsFile.read()
        const kept = found.kind === 'read' ? parseSettings(found.text) : null
        // One that cannot be used, or not be understood, may hold a key all the same.
        if (kept !== null) await settingsFile.write(settingsText({ ...kept, apiKey: null }))
        else await settingsFile.remove()
        const hadKey = kept === null ? found.kind !== 'absent' : kept.apiKey !== null
        show(screen, { file: settingsFile.path, removed: hadKey }, () => [
          hadKey ? `The key in ${screen.cell(settingsFile.path)} is gone.` : 'No key was stored.',
        ])
        if (environment.apiKey !== null) screen.warn('FAIRWAY_API_KEY is set, and goes on being used')
      })
    })
}
