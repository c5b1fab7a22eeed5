/** Reads settings one by one, from the environment or from files, and records what it read: the one list of all settings. */

import { nearestSetting, ownNames } from './setting-names.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a setting, or the fallback if it is unset or empty. */
export type ReadSetting = <Value>(
  name: string,
  fallback: string,
  parse: (text: string) => Value | null,
  rule: string,
) => Value

/** An invalid setting. The message is one line that names it. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
  readonly setting: string

  constructor(setting: string, message: string) {
    super(message)
    this.setting = setting
  }
}

type SettingSource = 'environment' | 'file' | 'default'

export interface SettingRow {
  readonly name: string
  /** Without secrets; null if it is neither set nor has a default. */
  readonly value: string | null
  readonly source: SettingSource
  readonly default: string | null
}

export type ReadFile = (
  path: string,
) => { readonly kind: 'read'; readonly text: string } | { readonly kind: 'fault'; readonly reason: string }

export interface SettingsReader {
  readonly setting: ReadSetting
  /** The settings read so far. */
  readonly rows: () => SettingRow[]
  /** Names of our prefix that no part of Fairway reads. A misspelt setting throws. */
  readonly unknownNames: () => string[]
}

/** The secrets, each with the part of it that may be shown. A secret may be in the file that `NAME_FILE` names. */
const secrets: Readonly<Record<string, (text: string) => string>> = {
  DATABASE_URL: withoutPassword,
  // A user without a password is a token.
  FAIRWAY_NATS_URL: (text) => text.replaceAll(/\/\/[^,]*@/g, `//${hidden}@`),
  FAIRWAY_RECAPTCHA_URL: withoutPassword,
  FAIRWAY_RECAPTCHA_SECRET: () => hidden,
  FAIRWAY_OIDC_CLIENT_SECRET: () => hidden,
  FAIRWAY_SEAL_KEY: () => hidden,
  OTEL_EXPORTER_OTLP_HEADERS: () => hidden,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: () => hidden,
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: () => hidden,
  OTEL_EXPORTER_OTLP_LOGS_HEADERS: () => hidden,
}

const hidden = '[secret]'

/** The file of the key is also written, and has a default place, so it is a setting of its own. */
const keySetting = 'FAIRWAY_SEAL_KEY'

const fileSetting = (name: string): string => `${name}_FILE`

export function createSettingsReader(environment: Environment, readFile: ReadFile): SettingsReader {
  const rows = new Map<string, SettingRow>()
  const given = (name: string): string => environment[name]?.trim() ?? ''

  function lookUp(name: string): { text: string; source: SettingSource } {
    const text = given(name)
    const path = name in secrets ? given(fileSetting(name)) : ''
    if (path !== '' && text !== '')
      throw new BadSetting(
        fileSetting(name),
        `${name} and ${fileSetting(name)} are both set: unset one of them`,
      )
    if (path === '' || name === keySetting) return { text, source: text === '' ? 'default' : 'environment' }
    return { text: secretIn(name, readFile(path)), source: 'file' }
  }

  const setting: ReadSetting = (name, fallback, parse, rule) => {
    const { text, source } = lookUp(name)
    const used = source === 'default' ? fallback : text
    rows.set(name, {
      name,
      value: used === '' ? null : shown(name, used),
      source,
      default: fallback === '' ? null : shown(name, fallback),
    })
    const value = parse(used)
    if (value !== null) return value
    if (source !== 'file') throw new BadSetting(name, `${name} must be ${rule}, not ${quoted(name, used)}`)
    throw new BadSetting(fileSetting(name), `${fileSetting(name)} must name a file with ${rule}`)
  }

  return {
    setting,
    rows: () => [...rows.values()],
    unknownNames() {
      const settings = new Set(
        [...rows.keys()].flatMap((name) => (name in secrets ? [name, fileSetting(name)] : name)),
      )
      const unread = Object.keys(environment).filter(
        (name) =>
          given(name) !== '' && !settings.has(name) && !ownNames.has(name) && !isOtherCase(environment, name),
      )
      for (const name of unread) {
        const nearest = nearestSetting(name, settings)
        if (nearest === null) continue
        throw new BadSetting(name, `${name} is not a setting: correct it to ${nearest}, or unset it`)
      }
      return unread.filter((name) => name.startsWith('FAIRWAY_'))
    },
  }
}

/** Windows finds a variable by its name in any case, and lists it as it was written. */
const isOtherCase = (environment: Environment, name: string): boolean =>
  name !== name.toUpperCase() && environment[name.toUpperCase()] === environment[name]

/** The contents are in no message. An empty file would count as a setting that is unset. */
function secretIn(name: string, file: ReturnType<ReadFile>): string {
  const fault = (reason: string): BadSetting =>
    new BadSetting(fileSetting(name), `${fileSetting(name)}: ${reason}`)
  if (file.kind === 'fault') throw fault(file.reason)
  const text = file.text.trim()
  if (text === '') throw fault(`the file is empty; it must hold the value of ${name}`)
  return text
}

/** A database URL may contain a password. */
function quoted(name: string, text: string): string {
  return isShownInPart(name) ? 'the value provided' : JSON.stringify(text.slice(0, 60))
}

const isShownInPart = (name: string): boolean => name in secrets || name.startsWith('OTEL_EXPORTER_OTLP')

function shown(name: string, text: string): string {
  const show = secrets[name] ?? (isShownInPart(name) ? withoutPassword : null)
  return show === null ? text : show(text)
}

/** An address without its password and the values of its query, which may have one, too. */
function withoutPassword(text: string): string {
  return text
    .replace(/(\/\/[^/?#:@]*):[^/?#]*@/, `$1:${hidden}@`)
    .replaceAll(/([?&](?!sslmode=)[^=&#]*)=[^&#]*/g, `$1=${hidden}`)
}
