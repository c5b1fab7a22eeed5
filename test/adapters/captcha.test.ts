/** The captcha adapter against a real HTTP server: only a clear yes is one, and whatever else the service does holds. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock, test } from 'node:test'
import { openCaptcha } from '../../src/adapters/captcha.ts'
import type { CaptchaVerdict } from '../../src/app/ports/identity/access.ts'
import { accepted, withCaptchaService } from '../helpers/peers/captcha.ts'
import type { Reaction } from '../helpers/peers/receiver.ts'

const secret = 'the-secret-of-the-site'
const token = 'the-token-of-a-visitor'

interface Checked {
  readonly verdict: CaptchaVerdict
  /** All that was logged, as text. */
  readonly log: string
}

/** Asks the service once. A test that looks at those who hang gives them little time, all others more than enough. */
async function checkAt(
  url: string,
  { address = '192.0.2.7', timeoutMs = 30_000, scoreMin = 0.5 } = {},
): Promise<Checked> {
  const lines: unknown[][] = []
  const captcha = openCaptcha({
    settings: { secret, url, scoreMin },
    log: { warn: (...line) => void lines.push(line) },
    timeoutMs,
  })
  try {
    const verdict = await captcha.check(token, address)
    return { verdict, log: JSON.stringify(lines) }
  } finally {
    await captcha.close()
  }
}

async function verdictFor(reaction: Reaction, scoreMin = 0.5): Promise<Checked> {
  let checked: Checked | null = null
  await withCaptchaService(
    () => reaction,
    async ({ url }) => {
      checked = await checkAt(url, { scoreMin })
    },
  )
  return checked ?? assert.fail('nothing was checked')
}

const answering = (value: unknown): Reaction => ({ status: 200, body: JSON.stringify(value) })

test('the service is sent a form with the secret, the token and the address, and its yes is believed', async () => {
  await withCaptchaService(
    () => accepted,
    async ({ url, requests, forms }) => {
      assert.deepEqual(await checkAt(url), { verdict: 'verified', log: '[]' })
      assert.deepEqual(await checkAt(url, { address: '' }), { verdict: 'verified', log: '[]' })
      assert.deepEqual(forms(), [
        { secret, response: token, remoteip: '192.0.2.7' },
        { secret, response: token },
      ])
      const [request] = requests
      assert.equal(request?.method, 'POST')
      assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded')
      assert.ok(!request?.path.includes(secret), 'the secret is not in the address')
    },
  )
})

test('what would end a form field is sent as part of it', async () => {
  await withCaptchaService(
    () => accepted,
    async ({ url, forms }) => {
      const captcha = openCaptcha({
        settings: { secret: 'a&response=b', url, scoreMin: 0.5 },
        log: { warn: () => {} },
      })
      assert.equal(await captcha.check('ü=&secret=x\n+%20', '::1'), 'verified')
      await captcha.close()
      assert.deepEqual(forms(), [{ secret: 'a&response=b', response: 'ü=&secret=x\n+%20', remoteip: '::1' }])
    },
  )
})

test('a no, and a score that is too low, refuse the token', async () => {
  const rows: readonly (readonly [unknown, CaptchaVerdict])[] = [
    [{ success: false }, 'refused'],
    [{ success: false, 'error-codes': ['invalid-input-response'] }, 'refused'],
    [{ success: false, 'error-codes': ['timeout-or-duplicate'] }, 'refused'],
    [{ success: false, 'error-codes': 'bad-request' }, 'refused'],
    [{ success: false, score: 0.9 }, 'refused'],
    [{ success: true, score: 0.49 }, 'refused'],
    [{ success: true, score: 0 }, 'refused'],
    [{ success: true, score: 0.5 }, 'verified'],
    [{ success: true, score: 1 }, 'verified'],
    [{ success: true, score: null }, 'verified'],
    [{ success: true, 'error-codes': [] }, 'verified'],
  ]
  for (const [answer, verdict] of rows) {
    assert.deepEqual(await verdictFor(answering(answer)), { verdict, log: '[]' }, JSON.stringify(answer))
  }
  assert.equal((await verdictFor(answering({ success: true, score: 0 }), 0)).verdict, 'verified')
})

test('whatever is neither yes nor no is an outage, and the log says which without the secret or the token', async () => {
  const repeated = `{"success": tru ${secret} ${token}`
  const rows: readonly (readonly [string, Reaction, RegExp])[] = [
    ['a fault', 500, /unexpected status 500/],
    ['a refusal', { status: 403, body: '{"success":true}' }, /unexpected status 403/],
    ['another success', { status: 201, body: '{"success":true}' }, /unexpected status 201/],
    ['nothing', 204, /unexpected status 204/],
    ['not JSON', { status: 200, body: repeated }, /not JSON/],
    ['an empty body', { status: 200, body: '' }, /not JSON/],
    ['no object', answering(true), /not an object/],
    ['null', answering(null), /not an object/],
    ['a list', answering([true]), /not a boolean/],
    ['no word', answering({}), /not a boolean/],
    ['a text', answering({ success: 'true' }), /not a boolean/],
    ['a number', answering({ success: 1 }), /not a boolean/],
    ['a score in words', answering({ success: true, score: '0.9' }), /score.*is not a number/],
    [
      'no secret',
      answering({ success: false, 'error-codes': ['missing-input-secret'] }),
      /missing-input-secret/,
    ],
    [
      'a wrong secret',
      answering({ success: false, 'error-codes': ['invalid-input-response', 'invalid-input-secret'] }),
      /invalid-input-secret/,
    ],
    ['a bad request', answering({ success: false, 'error-codes': ['bad-request'] }), /bad-request/],
    ['too much', answering({ success: true, more: 'x'.repeat(65_536) }), /UND_ERR_RES_EXCEEDED_MAX_SIZE/],
  ]
  for (const [what, reaction, cause] of rows) {
    const { verdict, log } = await verdictFor(reaction)
    assert.equal(verdict, 'unavailable', what)
    assert.match(log, cause, what)
    assert.ok(!log.includes(secret) && !log.includes(token), what)
  }
})

test('an answer of 64 KiB is read', async () => {
  const most = JSON.stringify({ success: true, more: '' })
  const body = JSON.stringify({ success: true, more: 'x'.repeat(65_536 - most.length) })
  assert.equal(body.length, 65_536)
  assert.equal((await verdictFor({ status: 200, body })).verdict, 'verified')
})

test('a redirect is not followed: the secret goes nowhere else', async () => {
  await withCaptchaService(
    () => accepted,
    async (other) => {
      for (const status of [301, 302, 307, 308]) {
        const { verdict, log } = await verdictFor({ status, headers: { location: other.url } })
        assert.equal(verdict, 'unavailable')
        assert.match(log, new RegExp(`unexpected status ${status}`))
      }
      assert.equal(other.requests.length, 0)
    },
  )
})

/** A server that does with a request what it likes, on a port of its own. */
async function withServer(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`)
  } finally {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

test('a service that hangs, before its headers or in its body, is given up after the time that it has', async () => {
  const hangs: Readonly<Record<string, RequestListener>> = {
    'no headers': () => {},
    'no body': (_request, response) => response.writeHead(200).flushHeaders(),
    'half a body': (_request, response) => void response.writeHead(200).write('{"success":'),
    // Each byte comes soon after the last: the time counts for all of it.
    dripping: (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    },
  }
  for (const [what, listener] of Object.entries(hangs)) {
    await withServer(listener, async (url) => {
      const { verdict, log } = await checkAt(url, { timeoutMs: 100 })
      assert.equal(verdict, 'unavailable', what)
      assert.match(log, /timeout/, what)
    })
  }
})

test('an answer without end and without a length is cut off', async () => {
  const endless: RequestListener = (_request, response) => {
    response.writeHead(200)
    const pour = (): void => {
      while (!response.destroyed && response.write('{"success":true}'.padEnd(4_096)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  }
  await withServer(endless, async (url) => {
    const { verdict, log } = await checkAt(url)
    assert.equal(verdict, 'unavailable')
    assert.match(log, /UND_ERR_RES_EXCEEDED_MAX_SIZE/)
  })
})

test('a service that breaks off, speaks no HTTP or is not there is unavailable', async () => {
  await withServer(
    (request) => void request.socket.destroy(),
    async (url) => assert.equal((await checkAt(url)).verdict, 'unavailable'),
  )
  await withServer(
    (request) => void request.socket.end('welcome\r\n'),
    async (url) => assert.equal((await checkAt(url)).verdict, 'unavailable'),
  )
  let gone = ''
  await withServer(
    () => {},
    async (url) => void (gone = url),
  )
  const { verdict, log } = await checkAt(gone)
  assert.equal(verdict, 'unavailable')
  assert.match(log, /ECONNREFUSED/)
})

test('one that was down is asked again for the next request', async () => {
  let isDown = true
  await withCaptchaService(
    () => (isDown ? 500 : accepted),
    async ({ url }) => {
      const captcha = openCaptcha({ settings: { secret, url, scoreMin: 0.5 }, log: { warn: () => {} } })
      assert.equal(await captcha.check(token, ''), 'unavailable')
      isDown = false
      assert.equal(await captcha.check(token, ''), 'verified')
      await captcha.close()
    },
  )
})

test('without a secret nobody is asked, and every check says so', async () => {
  const captcha = openCaptcha({ settings: null, log: { warn: () => assert.fail('nothing to warn of') } })
  assert.equal(await captcha.check('anything', '192.0.2.7'), 'not_checked')
  await captcha.close()
})

test('by default the service has five seconds, to the millisecond', async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const server = createServer(() => resolve()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  mock.timers.enable({ apis: ['setTimeout'] })
  const captcha = openCaptcha({ settings: { secret, url, scoreMin: 0.5 }, log: { warn: () => undefined } })
  try {
    let verdict: CaptchaVerdict | null = null
    const checked = captcha.check(token, '').then((found) => (verdict = found))
    await reached
    mock.timers.tick(4_999)
    await new Promise((next) => setImmediate(next))
    assert.equal(verdict, null)
    mock.timers.tick(1)
    assert.equal(await checked, 'unavailable')
  } finally {
    mock.timers.reset()
    await captcha.close()
    server.close()
    server.closeAllConnections()
  }
})
