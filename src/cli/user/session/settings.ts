/** Which server is asked and with which key: from a flag, the environment or the settings file, in this order. */

import { CommandFailure } from '../../deps.ts'
import { commandText, quoted } from './hints.ts'
import type { SettingsText, UserDeps } from './deps.ts'
import { isObject } from '../../../core/reference/json.ts'

const defaultUrl = 'http://127.0.0.1:8080'

/** What the settings file holds. */
export interface KeptSettings {
  readonly url: string | null
  readonly apiKey: string | null
}

export interface Connection {
  readonly url: string
  readonly key: string | null
  /** Where the key came from, as it is told; null where there is none. */
  readonly keySource: string | null
  /** What to do where there is no key. */
  readonly keyless: string
}

/** An address as it is compared and stored; null where it is none that can be asked. */
export function normalUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, username, password, href } = new URL(text)
  const isUsable = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  // Looked for in the text: of an empty question or fragment the parsed address says nothing.
  return isUsable && !/[?#]/.test(text) ? href.replace(/\/+$/, '') : null
}

export function isLoopback(url: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

/** A key that goes over http to another machine can be read on its way. */
export function isExposed(url: string): boolean {
  return url.startsWith('http:') && !isLoopback(url)
}

/** Null where it is no file of ours. What is wrong is not repeated: a key may stand in it. */
export function parseSettings(text: string): KeptSettings | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return null
    const { url = null, api_key: apiKey = null } = value
    const address = typeof url === 'string' ? normalUrl(url) : null
    if (url !== null && address === null) return null
    if (apiKey !== null && (typeof apiKey !== 'string' || !isKeyText(apiKey))) return null
    // Whose key it would be is not known.
    if (apiKey !== null && address === null) return null
    return { url: address, apiKey }
  } catch {
    return null
  }
}

export function settingsText({ url, apiKey }: KeptSettings): string {
  const members = { ...(url === null ? {} : { url }), ...(apiKey === null ? {} : { api_key: apiKey }) }
  return `${JSON.stringify(members, null, 2)}\n`
}

/** What can stand in a header. */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

const urlRule = 'must be a whole address, like https://fairway.example.com, without a user or a question mark'

/** The settings file's values; nothing where there is no file. */
export async function keptSettings({ settingsFile }: UserDeps): Promise<KeptSettings> {
  return readKept(await settingsFile.read(), settingsFile.path)
}

export function readKept(found: SettingsText, path: string): KeptSettings {
  if (found.kind === 'absent') return { url: null, apiKey: null }
  if (found.kind === 'open_to_others') {
    throw new CommandFailure(`others than you may use ${path}, which holds a key: chmod 600 ${quoted(path)}`)
  }
  const kept = parseSettings(found.text)
  if (kept !== null) return kept
  throw new CommandFailure(
    `${path} cannot be understood: it is {"url": "https://…", "api_key": "…"}; mend it, or remove it and run fairway login`,
  )
}

/** The file is read only where flag and environment leave something open: a bad one harms nobody who does not need it. */
export async function connectionOf(user: UserDeps, flagUrl: string | null): Promise<Connection> {
  const { environment, settingsFile } = user
  const given = checkedUrl('--url', flagUrl) ?? checkedUrl('FAIRWAY_URL', environment.url)
  const kept =
    given !== null && environment.apiKey !== null ? { url: null, apiKey: null } : await keptSettings(user)
  const url = given ?? kept.url ?? defaultUrl
  if (environment.apiKey !== null) {
    if (!isKeyText(environment.apiKey)) {
      throw new CommandFailure(
        'FAIRWAY_API_KEY is not a key as it was issued: it has spaces or line ends in it',
      )
    }
    return { url, key: environment.apiKey, keySource: 'FAIRWAY_API_KEY', keyless: '' }
  }
  if (kept.apiKey !== null && kept.url === url) {
    return { url, key: kept.apiKey, keySource: settingsFile.path, keyless: '' }
  }
  return { url, key: null, keySource: null, keyless: whyKeyless(kept, url, settingsFile.path) }
}

function whyKeyless(kept: KeptSettings, url: string, path: string): string {
  if (kept.apiKey === null) {
    return 'no API key: set FAIRWAY_API_KEY or run fairway login; fairway quickstart gets a sandbox key'
  }
  return `the key in ${path} is for ${kept.url} and is not sent to ${url}: set FAIRWAY_API_KEY, or run ${commandText(['login'], url)}`
}

function checkedUrl(name: string, text: string | null): string | null {
  if (text === null) return null
  const url = normalUrl(text)
  if (url === null) throw new CommandFailure(`${name} ${urlRule}`)
  return url
}
