/** Reads the settings to the end, where a start stops at the first fault. */

import { BadSetting, type Environment, type ReadFile } from '../core/operate/settings.ts'
import { readConfig, type Config } from '../config.ts'

/** The settings as far as they are valid, and every fault in them. An invalid setting is read as if it were not set. */
export interface ReadSettings {
  /** Null if a setting is invalid by not being set. */
  readonly config: Config | null
  readonly faults: readonly BadSetting[]
}

export function readSettings(environment: Environment, readFile: ReadFile): ReadSettings {
  const faults: BadSetting[] = []
  const isFaulty = (name: string): boolean => faults.some(({ setting }) => setting === name)
  for (let valid = environment; ;) {
    try {
      return { config: readConfig(valid, { readFile }), faults }
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      if (isFaulty(error.setting)) return { config: null, faults }
      // The most processes depend on the database, which is not known then.
      const follows =
        error.setting === 'FAIRWAY_WORKERS' && (isFaulty('DATABASE_URL') || isFaulty('DATABASE_URL_FILE'))
      if (!follows) faults.push(error)
      valid = { ...valid, [error.setting]: undefined }
    }
  }
}
