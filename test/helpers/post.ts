/** Requests of the endpoints that keep nothing, and a look at what is kept. */

import { DatabaseSync } from 'node:sqlite'
import type { Answer, Harness } from './harness.ts'

export interface PostOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string
}

/** POST of JSON, or of a text that is sent as it is. */
export function post(
  harness: Harness,
  url: string,
  body: unknown,
  options: PostOptions = {},
): Promise<Answer> {
  const { key, headers, remoteAddress } = options
  return harness.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  })
}

export function postCsv(
  harness: Harness,
  url: string,
  text: string | Buffer,
  options: PostOptions = {},
): Promise<Answer> {
  return post(harness, url, text, { ...options, headers: { 'content-type': 'text/csv', ...options.headers } })
}

/** The path and the message of every error, in order. */
export function errorsOf({ body }: Answer): [path: string, message: string][] {
  return (body.errors as { path: string; message: string }[]).map(({ path, message }) => [path, message])
}

/** How many rows each table of a SQLite database holds. */
export function rowCounts({ databaseUrl }: Harness): Record<string, number> {
  const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length))
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    const counts = tables.map(({ name }) => {
      const [row] = database.prepare(`SELECT count(*) AS count FROM "${String(name)}"`).all()
      return [String(name), Number(row?.['count'])]
    })
    return Object.fromEntries(counts) as Record<string, number>
  } finally {
    database.close()
  }
}
