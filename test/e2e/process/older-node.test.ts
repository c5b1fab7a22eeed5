/** The door of the program under a Node.js that is too old: what the newer one says with its exit code is passed on. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { finished, issueByCli, serve, type Finished } from '../../helpers/process/process.ts'
import { homeIn, nowhere } from '../../helpers/process/user.ts'

const door = new URL('../../../bin/fairway.js', import.meta.url).pathname
const own = new URL('../../../node_modules/.bin/node', import.meta.url).pathname
const isCi = process.env['CI'] === 'true'

/** Makes this Node.js say that it is an old one. */
const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.0.0'}})`

function through(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { PATH = '' } = process.env
  return spawn(process.execPath, ['--import', older, door, ...args], { env: { PATH, ...environment } })
}

const skip = existsSync(own) || isCi ? false : 'npm ci brings no Node.js of its own here'

test('exit codes pass through, and so do signals', { skip }, () =>
  withFolder(async (folder) => {
    const database = await freshDatabase('sqlite')
    const server = await serve({ DATABASE_URL: database.url })
    try {
      const { key } = await issueByCli(database.url)
      const environment = { ...homeIn(folder), FAIRWAY_URL: server.url, FAIRWAY_API_KEY: key }
      const verify = (amount: string): Promise<Finished> =>
        finished(through(['verify', 'GB-NG', amount], environment))
      for (const [amount, code] of [
        ['1', 0],
        ['1.01', 10],
        ['1.09', 75],
        ['1.08', 20],
      ] as const) {
        assert.equal((await verify(amount)).code, code, amount)
      }
      const gone = through(['health'], { ...environment, FAIRWAY_URL: await nowhere() })
      assert.equal((await finished(gone)).code, 75)

      const serving = through(['serve'], {
        ...homeIn(folder),
        PORT: '0',
        DATABASE_URL: `${database.url}-other`,
      })
      serving.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('server: listening')) serving.kill('SIGTERM')
      })
      const { code, stdout } = await finished(serving)
      assert.equal(code, 0)
      assert.match(stdout, /stopping: no new requests/)
    } finally {
      await server.stop()
      await database.drop()
    }
  }),
)
