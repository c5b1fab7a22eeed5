/** The names of all settings, as the program itself asks for them. */

import { readConfig } from '../../src/config.ts'

export function settingNames(): Set<string> {
  const names = new Set<string>()
  readConfig(
    new Proxy<Record<string, string | undefined>>(
      {},
      {
        get(_, name) {
          names.add(String(name))
          return undefined
        },
      },
    ),
  )
  return names
}
