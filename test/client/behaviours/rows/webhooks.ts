/** A receiver's check: a webhook of Fairway passes by either signature, and nothing else does. */

import { Webhook as StandardWebhook } from 'standardwebhooks'
import { signatureHeaders } from '../../../../src/app/events/delivery/signature.ts'
import type { Row, Step, Webhook } from '../row.ts'

type Headers = Readonly<Record<string, string | readonly string[]>>
type Options = NonNullable<Webhook['webhook']['options']>

const nowSeconds = Date.UTC(2026, 2, 1, 12) / 1000
const secretOf = (bytes: number, letter: string): string =>
  `whsec_${Buffer.alloc(bytes, letter).toString('base64')}`
const secret = secretOf(32, 'a')
const other = secretOf(32, 'b')
const event = {
  event: 'webhook.test',
  event_id: 'evt_1',
  created_at: '2026-03-01T12:00:00.000Z',
  attempt: 1,
  data: { webhook_id: 'wh_1', message: 'Grüße' },
}
const body = JSON.stringify(event)

function signed(secrets: readonly string[], bytes: string | Uint8Array = body): Record<string, string> {
  const valid = secrets.map((one) => ({ secret: one, endsAtMs: null }))
  return signatureHeaders(valid, event.event_id, nowSeconds * 1000, Buffer.from(bytes))
}
const headers = signed([secret])

const standardOnly = ({ 'x-svc-signature': _contract, ...rest }: Headers): Headers => rest
const contractOnly = ({ 'x-svc-signature': contract = '' }: Headers): Headers => ({
  'x-svc-signature': contract,
})

interface Given {
  readonly headers?: Headers
  readonly bytes?: Webhook['webhook']['body']
  readonly by?: string | readonly string[]
  readonly options?: Options
}

/** By a receiver that also takes requests without a signed time, unless a row says otherwise. */
function check(expect: Step['expect'], given: Given = {}): Step {
  const { bytes = { text: body }, by = secret, options = {} } = given
  return {
    webhook: {
      body: bytes,
      headers: given.headers ?? headers,
      secret: by,
      options: { nowSeconds, requireTimestamp: false, ...options },
    },
    expect,
  }
}
const passes = (given: Given = {}): Step => check({ answer: event }, given)
const fails = (fault: string, given: Given = {}): Step => check({ fault, answer: undefined }, given)
const row = (name: string, ...steps: Step[]): Row => ({ name, script: [], steps })

const forms = {
  'both signatures': (all: Headers) => all,
  'webhook-signature alone': standardOnly,
  'X-SVC-Signature alone': contractOnly,
}

const authentic: readonly Row[] = [
  ...Object.entries(forms).map(([name, form]) =>
    row(`a webhook with ${name} passes`, passes({ headers: form(headers) })),
  ),
  row(
    'a webhook that the library of Standard Webhooks signed passes',
    passes({
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(nowSeconds),
        'webhook-signature': new StandardWebhook(secret).sign('msg_1', new Date(nowSeconds * 1000), body),
      },
    }),
  ),
  row(
    'headers may be of any case and in lists of one, the body text or bytes',
    passes({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
    }),
    passes({ headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) }),
    passes({ bytes: { base64: Buffer.from(body).toString('base64') } }),
  ),
  row(
    'while a secret is replaced, a receiver with either passes it, and one with both',
    ...[secret, other, [secret, other], [other, secret]].map((by) =>
      passes({ headers: signed([other, secret]), by }),
    ),
    passes({ headers: signed([secret]), by: [other, secret] }),
    fails('wrong_signature', { headers: signed([secret]), by: [other] }),
  ),
]

const bent = ['', 'v1,', 'v1,AAAA', 'zz', 'v2,abc', 'v1,*', '00', 'v1a,x v1', 'é', '٠٠']

const forged: readonly Row[] = Object.entries(forms).flatMap(([name, form]) => [
  row(
    `of another secret a webhook with ${name} is refused`,
    fails('wrong_signature', { headers: form(signed([other])) }),
  ),
  row(
    `of another body a webhook with ${name} is refused`,
    fails('wrong_signature', { headers: form(headers), bytes: { text: `${body} ` } }),
  ),
  row(
    `with bent signatures a webhook with ${name} is refused`,
    ...bent.map((text) =>
      fails('wrong_signature', {
        headers: form({ ...headers, 'x-svc-signature': text, 'webhook-signature': text }),
      }),
    ),
  ),
])

const times = ['soon', '', '-1', '1e9', '1_000', ` ${nowSeconds}`, `${nowSeconds}.0`, '9'.repeat(13), '²']

const incomplete: readonly Row[] = [
  row('a webhook without any signature is refused', fails('missing_signature', { headers: {} })),
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const { [name]: value = '', ...rest } = headers
    return row(
      `without ${name}, or with two, all is refused, X-SVC-Signature or not`,
      fails('missing_signature', { headers: rest }),
      fails('missing_signature', { headers: { ...rest, [name]: [value, value] } }),
      fails('missing_signature', { headers: { ...headers, [name.toUpperCase()]: value } }),
      fails('missing_signature', { headers: standardOnly(rest) }),
    )
  }),
  row(
    'an X-SVC-Signature that came twice is none',
    ...['x-svc-signature', 'X-SVC-Signature'].map((name) => {
      const { 'x-svc-signature': value = '' } = headers
      const twice =
        name === 'x-svc-signature' ? { [name]: [value, value] } : { 'x-svc-signature': value, [name]: value }
      return fails('missing_signature', { headers: twice })
    }),
  ),
  row(
    'without a signed time of sending all is refused, unless the receiver says otherwise',
    fails('missing_signature', { headers: contractOnly(headers), options: { requireTimestamp: true } }),
    passes({ options: { requireTimestamp: true } }),
    passes({ headers: contractOnly(headers) }),
    {
      webhook: { body: { text: body }, headers: contractOnly(headers), secret, options: { nowSeconds } },
      expect: { fault: 'missing_signature' },
    },
  ),
  row(
    'another id or another time than those that were signed is refused',
    fails('wrong_signature', { headers: { ...headers, 'webhook-id': 'evt_2' } }),
    ...[String(nowSeconds + 1), ...times].map((time) =>
      fails('wrong_signature', { headers: { ...headers, 'webhook-timestamp': time } }),
    ),
  ),
]

const { 'webhook-signature': good = '' } = headers
const preceded = (count: number): Headers => ({
  ...headers,
  'webhook-signature': `${'v1, '.repeat(count)}${good}`,
})

const unreadable: readonly Row[] = [
  row(
    'many signatures are not all tried: beyond ten nothing is looked at',
    passes({ headers: preceded(9) }),
    fails('wrong_signature', { headers: preceded(10) }),
  ),
  row(
    'an authentic body that is no event is unreadable',
    ...['[]', '"x"', 'no', '{}', 'null', '1', '', '['.repeat(100_000), '{"event":NaN}'].map((text) =>
      fails('unreadable', { headers: signed([secret], text), bytes: { text } }),
    ),
  ),
  row(
    'an authentic body that is no UTF-8 is unreadable',
    ...[Buffer.from('{"event":"\xff"}', 'latin1'), Buffer.from(body, 'utf16le')].map((bytes) =>
      fails('unreadable', { headers: signed([secret], bytes), bytes: { base64: bytes.toString('base64') } }),
    ),
  ),
]

const at = (seconds: number): Given['options'] & object => ({ nowSeconds: nowSeconds + seconds })
const alone = contractOnly(headers)
const timeless = JSON.stringify({ event: 'webhook.test' })
const oddTime = JSON.stringify({ ...event, created_at: 'soon' })

const ages: readonly Row[] = [
  row(
    'five minutes from the signed time of sending are taken, both ways',
    ...[-300, 0, 300].map((seconds) => passes({ options: at(seconds) })),
    ...[-301, 301, 86_400].map((seconds) => fails('too_old', { options: at(seconds) })),
  ),
  row(
    'a receiver may demand less, or more',
    fails('too_old', { options: { ...at(11), toleranceSeconds: 10 } }),
    passes({ options: { ...at(10), toleranceSeconds: 10 } }),
    passes({ options: { ...at(3_600), toleranceSeconds: 3_600 } }),
  ),
  row(
    'with X-SVC-Signature alone the age of the event counts: the last retry passes, a replay of hours ago does not',
    ...[-300, 0, 51 * 60, 56 * 60].map((seconds) => passes({ headers: alone, options: at(seconds) })),
    ...[-301, 56 * 60 + 1, 7_200].map((seconds) =>
      fails('too_old', { headers: alone, options: at(seconds) }),
    ),
    fails('too_old', { headers: alone, options: { ...at(61), eventAgeSecondsMax: 60 } }),
    passes({ headers: alone, options: { ...at(60), eventAgeSecondsMax: 60 } }),
  ),
  row(
    'an event without a time is not let in by X-SVC-Signature alone',
    ...[timeless, oddTime].map((text) =>
      fails('too_old', { headers: contractOnly(signed([secret], text)), bytes: { text } }),
    ),
  ),
]

const mistakes: readonly Row[] = [
  row(
    'a secret of fewer than 24 bytes is refused, however well it signs',
    ...[1, 16, 23].map((bytes) =>
      check({ misuse: /24 bytes/ }, { headers: signed([secretOf(bytes, 'k')]), by: secretOf(bytes, 'k') }),
    ),
    passes({ headers: signed([secretOf(24, 'k')]), by: secretOf(24, 'k') }),
  ),
  row(
    'a secret that is none is refused, and never repeated',
    ...['', 'topsecret', 'whsec_', 'whsec_*topsecret*', `${secret} topsecret`, `whsec_${'ü'.repeat(40)}`].map(
      (by) => check({ misuse: /secret/ }, { by }),
    ),
    check({ misuse: /secret/ }, { by: [] }),
    check({ misuse: /secret/ }, { by: [secret, 'topsecret'] }),
  ),
  row('a parsed body is refused as a mistake', check({ misuse: /parsed/ }, { bytes: { parsed: event } })),
]

export const webhooks: readonly Row[] = [
  ...authentic,
  ...forged,
  ...incomplete,
  ...unreadable,
  ...ages,
  ...mistakes,
]
