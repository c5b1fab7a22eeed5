/** Requests to a real process: each answer is held against docs/openapi.json, as those in process are. */

import { readFileSync } from 'node:fs'
import { checkAnswer, pathsOf, type Paths } from '../contract.ts'

const documentFile = new URL('../../../docs/openapi.json', import.meta.url)
let published: Paths | null = null

/** What is checked in is what a process publishes: test/contract/drift.test.ts sees to that. */
export function publishedPaths(): Paths {
  published ??= pathsOf(JSON.parse(readFileSync(documentFile, 'utf8')) as { paths: unknown })
  return published
}

export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const headers = Object.fromEntries(response.headers)
  const text = await response.clone().text()
  checkAnswer(publishedPaths(), {
    method: init.method ?? 'GET',
    path: new URL(url).pathname,
    status: response.status,
    headers,
    body: jsonOf(headers['content-type'], text),
  })
  return response
}

export function jsonOf(type: string | undefined, text: string): unknown {
  return type?.startsWith('application/json') === true && text !== '' ? JSON.parse(text) : undefined
}
