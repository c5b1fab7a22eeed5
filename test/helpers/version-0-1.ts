/** The database that version 0.1 wrote, and what it answered about it. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { checkedFetch } from './process/checked-fetch.ts'

const fixture = (name: string): string => new URL(`../fixtures/version-0.1/${name}`, import.meta.url).pathname

export const backupPath = fixture('backup.gz')
export const exportPath = fixture('export.json')

// eslint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
type Json = any

interface Recorded {
  readonly key: string
  /** As they were sent, with the answers. */
  readonly payments: readonly {
    readonly idempotency_key: string
    readonly body: object
    readonly answer: Json
  }[]
  readonly decisions: Readonly<Record<string, { readonly audit: Json; readonly explanation: Json }>>
  readonly [answer: string]: Json
}

export const recorded = JSON.parse(readFileSync(fixture('recorded.json'), 'utf8')) as Recorded

/** Unpacks the database with its key, and returns its URL. */
export function unpackDatabase(folder: string): string {
  execFileSync('tar', ['--extract', '--gzip', '--file', fixture('data.tar.gz'), '--directory', folder])
  return `sqlite:${folder}/fairway.db`
}

export async function get(url: string, path: string): Promise<Json> {
  const response = await checkedFetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${recorded.key}` },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** The paths of members that are not as they were. New members are no difference. */
export function differences(before: Json, now: Json, path = ''): string[] {
  if (typeof before !== 'object' || before === null || typeof now !== 'object' || now === null)
    return Object.is(before, now) ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(now)}`]
  if (Array.isArray(before) && before.length !== now.length)
    return [`${path}: ${before.length} → ${now.length} items`]
  return Object.entries(before).flatMap(([name, value]) => differences(value, now[name], `${path}/${name}`))
}
