/** Files from memory: compressed ahead, one buffer for everybody, with a validator; and nobody need be waited for. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSend } from '../../../src/http/static-files.ts'
import { withHarness } from '../../helpers/harness.ts'

/** The largest file. */
const reference = '/docs/'

test('the reference is sent compressed, and not again to whoever has it', async () => {
  await withHarness({ console: true }, async ({ send }) => {
    const ask = (headers: Record<string, string>, url = reference) => send({ method: 'GET', url, headers })
    for (const url of [reference, '/openapi.json']) {
      const plain = await ask({}, url)
      const forms = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const [encoding, unpack] of Object.entries(forms)) {
        const packed = await ask({ 'accept-encoding': `deflate, ${encoding};q=0.5` }, url)
        assert.equal(packed.headers['content-encoding'], encoding)
        assert.equal(packed.headers['vary'], 'accept-encoding')
        assert.ok(unpack(packed.bytes).equals(plain.bytes), url)
        assert.ok(packed.bytes.length < plain.bytes.length / 2 || plain.bytes.length < 2_000)
        const tag = String(packed.headers['etag'])
        assert.notEqual(tag, plain.headers['etag'])
        for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
          const again = await ask({ 'accept-encoding': encoding, 'if-none-match': known }, url)
          assert.deepEqual([again.status, again.bytes.length], [304, 0], known)
        }
        const other = await ask({ 'accept-encoding': encoding, 'if-none-match': '"x"' }, url)
        assert.equal(other.status, 200)
      }
      assert.equal(
        (await ask({ 'accept-encoding': 'br;q=0, gzip' }, url)).headers['content-encoding'],
        'gzip',
      )
      const head = await send({ method: 'HEAD', url })
      assert.equal(Number(head.headers['content-length']), plain.bytes.length)
    }
  })
})

test('a file is read once for each encoding, and everybody is sent the same buffer', async () => {
  let reads = 0
  const bytes = Buffer.from('file')
  const send = createSend({ headers: {}, forms: { identity: async () => ((reads += 1), bytes) } })
  const sent: unknown[] = []
  const reply = { headers: () => reply, send: (body: unknown) => sent.push(body) }
  for (let reader = 0; reader < 3; reader += 1) {
    await send({ headers: {} } as FastifyRequest, reply as unknown as FastifyReply)
  }
  assert.equal(reads, 1)
  assert.ok(sent.length === 3 && sent.every((one) => one === bytes))
})

test('a file that could not be read is read again', async () => {
  let reads = 0
  const identity = async (): Promise<Buffer> => {
    reads += 1
    if (reads === 1) throw new Error('no more files can be opened')
    return Buffer.from('file')
  }
  const send = createSend({ headers: {}, forms: { identity } })
  const reply = { headers: () => reply, send: (body: Buffer) => String(body) }
  const ask = () => send({ headers: {} } as FastifyRequest, reply as unknown as FastifyReply)
  await assert.rejects(ask(), /no more files/)
  assert.equal(await ask(), 'file')
})

test('a client that does not read what it asked for is disconnected after a minute, on any route', async () => {
  await withHarness({ console: true }, async ({ app, clock, log }) => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    const [served] = (await once(app.server, 'connection')) as [Socket]
    // Many in a row: more than the buffers of the operating system take.
    client.write(`GET ${reference} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(32))
    while (served.writableLength === 0) await new Promise(setImmediate)
    clock.advance(60_000)
    await once(served, 'close')
    assert.match(log.join(''), /the response was not read in time/)
    client.destroy()
  })
})
