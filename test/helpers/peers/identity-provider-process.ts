/** The example's identity provider as a process of its own, well or unwell as the parent orders. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createIdentityProvider, newSigningKey, type Claims } from '../../../examples/oidc/provider.ts'
import { forgeries, type Forgery } from './forgeries.ts'

/** The claims of an account, in the ID token and in the user info. */
export interface AccountClaims {
  readonly idToken: Claims
  readonly userInfo: Claims
}

/** `down` refuses connections; `drop` ends them without an answer, `cut` in the middle of one; `error` answers 500. */
export type Fault = 'none' | 'down' | 'drop' | 'cut' | 'error' | 'hang' | 'endless'

export type Order =
  | { readonly kind: 'account'; readonly email: string; readonly claims: AccountClaims }
  | { readonly kind: 'forge'; readonly how: Forgery }
  /** For requests whose path begins so. */
  | { readonly kind: 'fault'; readonly fault: Fault; readonly path: string }
  /** Restarts with a new signing key: the old one is published no more. */
  | { readonly kind: 'rotate' }
  /** Codes are issued with their time over. */
  | { readonly kind: 'codes'; readonly areExpired: boolean }
  /** Ends all faults. */
  | { readonly kind: 'recover' }

export interface Numbered {
  readonly id: number
  readonly order: Order
}

const [issuer = '', secret = '', ...sites] = process.argv.slice(2)
const accounts = new Map<string, AccountClaims>()
let key = newSigningKey()
let forgery: Forgery | null = null
let trouble: { readonly fault: Fault; readonly path: string } = { fault: 'none', path: '/' }
let areCodesExpired = false
let answer = open()

function open(): ReturnType<Provider['callback']> {
  const provider = createIdentityProvider({
    issuer,
    clientSecret: secret,
    sites,
    accounts: {
      list: () => [],
      claimsOf(email, use) {
        const found = accounts.get(email)
        if (found === undefined) return null
        return use === 'userinfo' ? found.userInfo : found.idToken
      },
    },
    claims: ['roles', 'owner_id', 'realm_access', 'https://fairway.example/roles', 'preferred_username'],
    signingKey: key,
  })
  provider.use(async (context: KoaContextWithOIDC, next) => {
    await next()
    if (context.path === '/token') forge(context)
    if (context.path === '/me') confuse(context)
    if (context.path === '/.well-known/openid-configuration') offerWeak(context)
  })
  provider.on('authorization_code.saved', ({ jti, adapter }) => {
    if (areCodesExpired) void adapter.find(jti).then(expire)
  })
  return provider.callback()
}

/** A client must refuse these algorithms although the provider offers them. */
function offerWeak({ body }: KoaContextWithOIDC): void {
  const document = body as { id_token_signing_alg_values_supported: string[] }
  document.id_token_signing_alg_values_supported.push('none', 'HS256')
}

function forge({ body }: KoaContextWithOIDC): void {
  const tokens = body as { id_token?: string | undefined }
  if (forgery === null || tokens.id_token === undefined) return
  const [, payload = ''] = tokens.id_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  tokens.id_token = forgeries[forgery](claims, { key, secret })
  forgery = null
}

/** User info that states a subject states it whatever the access token says. */
function confuse({ body }: KoaContextWithOIDC): void {
  const info = body as Record<string, unknown>
  const stated = accounts.get(String(info['sub']))?.userInfo['sub']
  if (stated !== undefined) info['sub'] = stated
}

/** The provider's store hands out what it keeps. */
function expire(code: object | undefined | void): void {
  Object.assign(code ?? {}, { exp: Math.floor(Date.now() / 1000) - 60 })
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const { fault, path } = trouble
  const isMeant = request.url?.startsWith(path) === true
  if (!isMeant || fault === 'none') return void answer(request, response)
  if (fault === 'error') return void response.writeHead(500).end('{"error":"server_error"}')
  if (fault === 'hang') return
  if (fault === 'drop') return void request.socket.destroy()
  if (fault === 'endless') return sendForever(response)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"issuer":', () => response.destroy())
}

/** Until the other side hangs up. */
function sendForever(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = (): void => {
    while (!response.destroyed && response.write(spaces));
  }
  response.on('drain', more)
  more()
}

const spaces = Buffer.alloc(65_536, ' ')

const server = createServer({ keepAliveTimeout: 0 }, receive)

async function listen(): Promise<void> {
  if (server.listening) return
  server.listen(Number(new URL(issuer).port), '127.0.0.1')
  await once(server, 'listening')
}

async function hangUp(): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

async function obey(order: Order): Promise<void> {
  if (order.kind === 'account') accounts.set(order.email, order.claims)
  else if (order.kind === 'forge') forgery = order.how
  else if (order.kind === 'codes') ({ areExpired: areCodesExpired } = order)
  else if (order.kind === 'rotate') rotate()
  else if (order.kind === 'recover') await recover()
  else {
    trouble = order
    await (order.fault === 'down' ? hangUp() : listen())
  }
}

function rotate(): void {
  key = newSigningKey()
  answer = open()
}

async function recover(): Promise<void> {
  forgery = null
  areCodesExpired = false
  trouble = { fault: 'none', path: '/' }
  await listen()
}

process.on('message', ({ id, order }: Numbered) => {
  void obey(order).then(() => process.send?.({ id }))
})
process.once('disconnect', () => process.exit(0))
await listen()
process.send?.({ id: 0 })
