/** An admin of the installation at a server of its own process: invited by the command line, signed in as a browser is. */

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { checkedFetch } from './checked-fetch.ts'
import { runInProcess } from './in-process.ts'

// eslint-disable-next-line typescript/no-explicit-any -- tests look into answers freely; checkedFetch checks them
type Body = any

export interface Admin {
  readonly get: (path: string) => Promise<Body>
  readonly post: (path: string, body: object) => Promise<Body>
  /** Starts a job of maintenance, and asks until it has ended. */
  readonly finish: (body: object) => Promise<Body>
}

const asJson = { 'content-type': 'application/json' }

/** The session that an invitation ends in, as a cookie. */
export async function joinAsAdmin(url: string, databaseUrl: string, email: string): Promise<string> {
  const invited = await runInProcess(['people', 'invite', email, '--role', 'admin'], {
    DATABASE_URL: databaseUrl,
  })
  const token = /\/invitation#(\S+)/.exec(invited.stdout)?.[1] ?? assert.fail(invited.stderr)
  const body = JSON.stringify({ token, name: 'Ada Example', password: 'correct horse battery' })
  const headers = { ...asJson, origin: url }
  const joined = await checkedFetch(`${url}/auth/password`, { method: 'POST', headers, body })
  assert.equal(joined.status, 200, await joined.clone().text())
  return (joined.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

export function adminAt(url: string, cookie: string): Admin {
  const headers = { ...asJson, origin: url, cookie }
  const read = async (answer: Response): Promise<Body> => {
    assert.equal(answer.status, 200, await answer.clone().text())
    return answer.json()
  }
  const get = async (path: string): Promise<Body> => read(await checkedFetch(url + path, { headers }))
  const post = async (path: string, body: object): Promise<Body> =>
    read(await checkedFetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }))
  return {
    get,
    post,
    async finish(body) {
      const { job_id: id } = await post('/api/v1/admin/jobs', body)
      for (;;) {
        const job = await get(`/api/v1/admin/jobs/${id}`)
        if (job.status !== 'running') return job
        // Who asks all the time takes the turns of the thread that works.
        await setTimeout(100)
      }
    },
  }
}
