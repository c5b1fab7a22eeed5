/** Determines the server and the key: from --url, the environment or the settings file, in this order. */

import { CommandFailure } from '../../deps.ts'
import { commandText, quoted } from './hints.ts'
import type { SettingsText, UserDeps } from './deps.ts'
import { isObject } from '../../../core/reference/json.ts'

const defaultUrl = 'http://127.0.0.1:8080'

/** The content of the settings file. */
export interface StoredSettings {
  readonly url: string | null
  readonly apiKey: string | null
}

export interface Connection {
  readonly url: string
  readonly key: string | null
  /** The source of the key for messages; null without a key. */
  readonly keySource: string | null
  /** The error message if there is no key. */
  readonly missingKey: string
}

/** The canonical form of an address; null if it is unusable. */
export function normalUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, username, password, href } = new URL(text)
  const isUsable = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  // Checked in the text: the parsed URL does not show an empty query or fragment.
  return isUsable && !/[?#]/.test(text) ? href.replace(/\/+$/, '') : null
}

export function isLoopback(url: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

/** Over http to another machine a key is sent unencrypted. */
export function isExposed(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(url)
}

/** Null if the text is not a valid settings file. The text is never shown, since it may contain a key. */
export function parseSettings(text: string): StoredSettings | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return null
    const { url = null, api_key: apiKey = null } = value
    const address = typeof url === 'string' ? normalUrl(url) : null
    if (url !== null && address === null) return null
    if (apiKey !== null && (typeof apiKey !== 'string' || !isKeyText(apiKey))) return null
    // A key without an address belongs to no server.
    if (apiKey !== null && address === null) return null
    return { url: address, apiKey }
  } catch {
    return null
  }
}

export function settingsText({ url, apiKey }: StoredSettings): string {
  const members = { ...(url === null ? {} : { url }), ...(apiKey === null ? {} : { api_key: apiKey }) }
  return `${JSON.stringify(members, null, 2)}\n`
}

/** Whether the key can be sent in a header. */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

const urlRule = 'must be a complete URL, such as https://fairway.example.com, without a user name or query'

/** The stored settings; all null without a file. */
export async function storedSettings({ settingsFile }: UserDeps): Promise<StoredSettings> {
  return settingsIn(await settingsFile.read(), settingsFile.path)
}

export function settingsIn(file: SettingsText, path: string): StoredSettings {
  if (file.kind === 'absent') return { url: null, apiKey: null }
  if (file.kind === 'open_to_others') {
    throw new CommandFailure(
      `other users can access ${path}, which contains a key: run chmod 600 ${quoted(path)}`,
    )
  }
  const settings = parseSettings(file.text)
  if (settings !== null) return settings
  throw new CommandFailure(
    `${path} is invalid: expected {"url": "https://…", "api_key": "…"}; correct it, or remove it and run fairway login`,
  )
}

/** Reads the file only if --url and the environment do not suffice, so that an invalid file does no harm otherwise. */
export async function connectionOf(user: UserDeps, flagUrl: string | null): Promise<Connection> {
  const { environment, settingsFile } = user
  const explicitUrl = checkedUrl('--url', flagUrl) ?? checkedUrl('FAIRWAY_URL', environment.url)
  const stored =
    explicitUrl !== null && environment.apiKey !== null
      ? { url: null, apiKey: null }
      : await storedSettings(user)
  const url = explicitUrl ?? stored.url ?? defaultUrl
  if (environment.apiKey !== null) {
    if (!isKeyText(environment.apiKey)) {
      throw new CommandFailure('FAIRWAY_API_KEY is not a valid key: it contains spaces or line breaks')
    }
    return { url, key: environment.apiKey, keySource: 'FAIRWAY_API_KEY', missingKey: '' }
  }
  if (stored.apiKey !== null && stored.url === url) {
    return { url, key: stored.apiKey, keySource: settingsFile.path, missingKey: '' }
  }
  return { url, key: null, keySource: null, missingKey: missingKeyText(stored, url, settingsFile.path) }
}

function missingKeyText(stored: StoredSettings, url: string, path: string): string {
  if (stored.apiKey === null) {
    return 'no API key: set FAIRWAY_API_KEY, run fairway login, or get a sandbox key with fairway quickstart'
  }
  return `the key in ${path} is for ${stored.url} and is not sent to ${url}: set FAIRWAY_API_KEY, or run ${commandText(['login'], url)}`
}

function checkedUrl(name: string, text: string | null): string | null {
  if (text === null) return null
  const url = normalUrl(text)
  if (url === null) throw new CommandFailure(`${name} ${urlRule}`)
  return url
}
