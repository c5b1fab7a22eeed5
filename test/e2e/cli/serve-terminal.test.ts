/** `fairway serve` for a person at a terminal: one banner, calm lines, no secret; and `fairway` alone, which helps. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { releaseVersion } from '../../../src/core/operate/release.ts'
import { freshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { runInProcess, type Finished } from '../../helpers/process/in-process.ts'
import { issueByCli, serve } from '../../helpers/process/process.ts'
import { homeIn, onTerminal } from '../../helpers/process/user.ts'

const lastWords = 'Ctrl-C stops the server.'
const ctrlC = '\u0003'

/** Serves on a real terminal until the banner is complete, then presses Ctrl-C. */
async function servedOnTerminal(settings: Readonly<Record<string, string>>) {
  let served: Finished | null = null
  await withFolder(async (folder) => {
    const environment = { ...homeIn(folder), PORT: '0', ...settings }
    served = await onTerminal(['serve'], environment, { answers: [[lastWords, ctrlC]] })
  })
  const { code, stdout } = served ?? assert.fail('it was not served')
  return { code, text: stripVTControlCharacters(stdout) }
}

test('fairway alone prints the help on standard output and exits with 0', async () => {
  const alone = await runInProcess([])
  const asked = await runInProcess(['--help'])
  assert.deepEqual(alone, asked)
  assert.deepEqual([alone.code, alone.stderr], [0, ''])
  assert.match(alone.stdout, /^Usage: fairway [\s\S]*\n {2}serve +Run the service\n/)
})

test('a first start on a terminal shows the address and how to make a key; a later one has no first steps', async () => {
  const database = await freshDatabase('sqlite')
  const first = await servedOnTerminal({ DATABASE_URL: database.url })
  assert.equal(first.code, 0)
  assert.match(
    first.text,
    /^Fairway \d+\.\d+\.\d+\r\n\r\nConsole +(http:\/\/127\.0\.0\.1:\d+\/)\r\nAPI reference +\1docs\/\r\n/m,
  )
  assert.ok(first.text.includes(`Fairway ${releaseVersion}\r\n`))
  assert.match(first.text, new RegExp(`^Database +SQLite, ${database.url.slice('sqlite:'.length)}\r$`, 'm'))
  assert.match(first.text, /^Live mode +on hold, because FAIRWAY_LIVE_FEEDS is not set/m)
  assert.match(first.text, /^Next: open the console and press Verify\./m)
  assert.match(first.text, /^ {2}fairway keys issue --type test/m)
  assert.match(first.text, /Stopping: running requests finish first\.\r\n$/)
  assert.doesNotMatch(first.text, /[{}]/)
  const { key } = await issueByCli(database.url)
  const later = await servedOnTerminal({ DATABASE_URL: database.url, npm_lifecycle_event: 'start' })
  assert.match(later.text, /^Ready\.\r$/m)
  assert.doesNotMatch(later.text, /Next:/)
  assert.ok(!later.text.includes(key))
  await database.drop()
})

test('started by npm, the banner names the command that works without npm link', async () => {
  const database = await freshDatabase('sqlite')
  const { text } = await servedOnTerminal({ DATABASE_URL: database.url, npm_lifecycle_event: 'start' })
  assert.match(text, /^ {2}npm run -s fairway -- keys issue --type test/m)
  await database.drop()
})

test('several processes print one banner, without the password of the database', async () => {
  const database = await freshDatabase('postgres')
  const url = new URL(database.url)
  url.password = url.password === '' ? 'hunter2' : url.password
  const { code, text } = await servedOnTerminal({ DATABASE_URL: url.href, FAIRWAY_WORKERS: '2' })
  assert.equal(code, 0)
  assert.equal(text.match(/^Fairway \d/gm)?.length, 1)
  assert.match(text, /^Processes +2\r$/m)
  assert.match(text, /^Database +PostgreSQL, 127\.0\.0\.1:\d+\/\w+\r$/m)
  assert.ok(!text.includes(url.password))
  await database.drop()
})

test('the log is JSON in a pipe, and on a terminal if it is asked for; text in a pipe if that is asked for', async () => {
  const database = await freshDatabase('sqlite')
  const piped = await serve({ DATABASE_URL: database.url })
  assert.equal(await piped.stop(), 0)
  for (const line of piped.output().trim().split('\n')) JSON.parse(line)
  await withFolder(async (folder) => {
    const environment = {
      ...homeIn(folder),
      PORT: '0',
      DATABASE_URL: database.url,
      FAIRWAY_LOG_FORMAT: 'json',
    }
    const { stdout } = await onTerminal(['serve'], environment, {
      answers: [['server: listening', ctrlC]],
    })
    assert.match(stdout, /"msg":"server: stopped"\}\r\n$/)
    assert.doesNotMatch(stdout, /Console/)
  })
  const refused = await runInProcess(['serve'], { FAIRWAY_LOG_FORMAT: 'xml' })
  assert.equal(refused.code, 78)
  assert.match(refused.stderr, /^fairway: FAIRWAY_LOG_FORMAT must be one of json, text, not "xml"\n$/)
  await database.drop()
})
