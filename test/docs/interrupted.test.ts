/** A run of a document that is interrupted leaves nothing behind: no process and no folder. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { withFolder } from '../helpers/folder.ts'

const runner = new URL('../helpers/docs/document.ts', import.meta.url).href

/** Two processes that hold a line to us: one of a block that keeps running, and one that has left its group, as a server in the background does. */
const page = (port: number): string => `
\`\`\`sh background
exec 3<> /dev/tcp/127.0.0.1/${port}
echo "Listening at http://127.0.0.1:9000"
setsid bash -c 'exec 3<> /dev/tcp/127.0.0.1/${port}; exec sleep 600' &
exec sleep 600 # In the place of npm start.
\`\`\`

\`\`\`ts
import { allows } from '@fairway/client'
console.log(allows('GO'))
\`\`\`
`

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} leaves no process and no folder behind`, async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const lines: Promise<Socket>[] = [accepted(server, 1), accepted(server, 2)]
    await withFolder(async (folder) => {
      const program = `
        import { OpenDocument } from ${JSON.stringify(runner)}
        const document = await OpenDocument.open('page.md', ${JSON.stringify(page((server.address() as AddressInfo).port))})
        for (const block of document.blocks) await document.step(block)
        console.log('all blocks have run')
        setInterval(() => {}, 60_000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      const early = ended.then(([code]) => assert.fail(`it ended before its time with ${code}`))
      await Promise.race([once(child.stdout, 'data'), early])
      const held = await Promise.all(lines)
      assert.deepEqual(
        readdirSync(folder).map((name) => name.replace(/[^-]*$/, '')),
        ['fairway-client-', 'fairway-docs-'],
      )
      const closed = held.map((socket) => once(socket, 'close'))
      child.kill(signal)
      assert.deepEqual(await ended, [null, signal])
      await Promise.all(closed)
      assert.deepEqual(readdirSync(folder), [])
    })
    server.close()
  })
}

/** The connection with this number, counted from 1; what it says does not matter. */
function accepted(server: ReturnType<typeof createServer>, number: number): Promise<Socket> {
  let count = 0
  return new Promise((resolve) => {
    server.on('connection', (socket) => {
      count += 1
      // A process that is killed may end its line with a reset.
      socket.on('error', () => null).resume()
      if (count === number) resolve(socket)
    })
  })
}
