/** ID tokens with one fault each, which a client must refuse. */

import { createHmac, createPrivateKey, sign, type JsonWebKeyInput } from 'node:crypto'
import type { JWK } from 'oidc-provider'
import { newSigningKey } from '../../../examples/oidc/provider.ts'

type Payload = Record<string, unknown>
type Forge = (payload: Payload, context: { readonly key: JWK; readonly secret: string }) => string | undefined

const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const headed = (header: object, payload: Payload): string => `${encoded(header)}.${encoded(payload)}`

function signedBy(key: JWK, payload: Payload, kid = key.kid): string {
  const text = headed({ alg: 'RS256', typ: 'JWT', kid }, payload)
  const privateKey = createPrivateKey({ key, format: 'jwk' } as JsonWebKeyInput)
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

/** One fault each: but for it, the ID token is the one that the provider made. */
export const forgeries = {
  'another issuer': (payload, { key }) => signedBy(key, { ...payload, iss: 'https://other.example' }),
  'another audience': (payload, { key }) => signedBy(key, { ...payload, aud: 'another-client' }),
  'another nonce': (payload, { key }) => signedBy(key, { ...payload, nonce: 'another-nonce' }),
  'no nonce': (payload, { key }) => signedBy(key, { ...payload, nonce: undefined }),
  'the algorithm none': (payload) => `${headed({ alg: 'none' }, payload)}.`,
  'the algorithm HS256': (payload, { secret }) => {
    const text = headed({ alg: 'HS256' }, payload)
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  },
  'the signature of another key': (payload, { key }) => signedBy(newSigningKey(), payload, key.kid),
  'a key that is not published': (payload) => signedBy(newSigningKey(), payload),
  'claims that were changed after the signature': (payload, { key }) => {
    const [header, , signature] = signedBy(key, payload).split('.')
    return [header, encoded({ ...payload, roles: ['admin'] }), signature].join('.')
  },
  'a time that is over': (payload, { key }) =>
    signedBy(key, { ...payload, iat: nowSeconds() - 7_200, exp: nowSeconds() - 3_600 }),
  'no ID token': () => undefined,
  // Well: it shows that a forged token is refused for its fault alone.
  'no fault': (payload, { key }) => signedBy(key, payload),
} as const satisfies Readonly<Record<string, Forge>>

export type Forgery = keyof typeof forgeries
