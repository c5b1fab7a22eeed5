/**
 * Consumes the event stream of a server, as a process that can be killed: each event is a line of a file, and the last
 * whole line is the cursor. Arguments: address, key, file.
 */

import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { FairwayClient } from '../../../client/src/index.ts'

const [baseUrl = '', apiKey = '', file = ''] = process.argv.slice(2)
const retryMs = 50

/** A line that a kill cut off is taken back. */
function lastCursor(): string | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  truncateSync(file, Buffer.byteLength(whole))
  return whole.trimEnd().split('\n').at(-1)?.split(' ')[0] || undefined
}

// It is ended by its parent, in the middle of something.
for (;;) {
  const after = lastCursor()
  const client = new FairwayClient({ baseUrl, apiKey, maxRetries: 0 })
  try {
    for await (const { id, subject } of client.events({ limit: 7, ...(after !== undefined && { after }) })) {
      appendFileSync(file, `${id} ${subject}\n`)
    }
  } catch {
    await setTimeout(retryMs)
  }
}
