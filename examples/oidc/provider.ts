/**
 * A real OpenID Connect provider with made-up accounts, to try the sign-in of people on one machine.
 *
 *   npm run -s identity-provider -- [--owner OWNER_ID] [--port PORT]
 *
 * Any password is accepted, and everything is forgotten at the end: never let people outside of this machine reach it.
 */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { Provider, type ErrorOut, type JWK, type KoaContextWithOIDC } from 'oidc-provider'
import { messagePage, signInPage, signOutPage, type ListedAccount } from './pages.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface Accounts {
  /** For the sign-in page. */
  list(): readonly ListedAccount[]
  /** Null for an unknown email address. `use` is id_token or userinfo. */
  claimsOf(email: string, use: string): Claims | null
}

export interface ProviderOptions {
  readonly issuer: string
  readonly clientSecret: string
  /** The origins at which browsers reach Fairway. */
  readonly sites: readonly string[]
  readonly accounts: Accounts
  /** Names of claims beyond those of the standard. */
  readonly claims?: readonly string[]
  readonly signingKey?: JWK
}

export const clientId = 'fairway'

const hourSeconds = 3_600

export function newSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const kid = randomBytes(8).toString('hex')
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, use: 'sig', alg: 'RS256' }
}

export function createIdentityProvider(options: ProviderOptions): Provider {
  const { issuer, accounts, signingKey = newSigningKey() } = options
  const provider = new Provider(issuer, {
    clients: [clientOf(options)],
    jwks: { keys: [signingKey] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    claims: {
      openid: ['sub', ...(options.claims ?? ['roles', 'owner_id'])],
      email: ['email'],
      profile: ['name'],
    },
    // The ID token has all claims, as most providers can be set up to do; the standard leaves most to the user info.
    conformIdTokenClaims: false,
    findAccount: (_context, email) => {
      if (accounts.claimsOf(email, 'id_token') === null) return undefined
      return { accountId: email, claims: (use) => ({ ...accounts.claimsOf(email, use), sub: email }) }
    },
    loadExistingGrant: grantAll,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { logoutSource, postLogoutSuccessSource: signedOut },
    },
    renderError: showError,
    ttl: {
      Session: 12 * hourSeconds,
      Grant: 12 * hourSeconds,
      Interaction: hourSeconds,
      IdToken: hourSeconds,
      AccessToken: hourSeconds,
    },
  })
  addSignIn(provider, accounts)
  return provider
}

const clientOf = ({ clientSecret, sites }: ProviderOptions) => ({
  client_id: clientId,
  client_secret: clientSecret,
  redirect_uris: sites.map((site) => `${site}/auth/callback`),
  post_logout_redirect_uris: sites.map((site) => `${site}/sign-in`),
})

/** Nobody is asked whether Fairway may know the name and the email address. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { Grant } = oidc.provider
  const before = oidc.session?.grantIdFor(clientId)
  const known = before === undefined ? undefined : await Grant.find(before)
  if (known !== undefined) return known
  const accountId = oidc.session?.accountId
  const grant = new Grant({ clientId, ...(accountId === undefined ? {} : { accountId }) })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

/** An ID token proves that the person wants to leave; without one the page asks. */
function logoutSource(context: KoaContextWithOIDC, form: string): void {
  context.body = signOutPage(form, context.oidc.entities.IdTokenHint !== undefined)
}

function signedOut(context: KoaContextWithOIDC): void {
  context.type = 'html'
  context.body = messagePage('Signed out', 'You are signed out of the example identity provider.')
}

function showError(context: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  context.type = 'html'
  context.body = messagePage('The request was refused', `${error}: ${description ?? ''}`)
}

function addSignIn(provider: Provider, accounts: Accounts): void {
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    // Throws for a browser that has not come from Fairway.
    await provider.interactionDetails(context.req, context.res)
    const email = context.method === 'POST' ? await emailIn(context.req) : null
    if (email !== null && accounts.claimsOf(email, 'id_token') !== null) {
      const result = { login: { accountId: email } }
      context.redirect(await provider.interactionResult(context.req, context.res, result))
      context.status = 303
      return
    }
    context.set('cache-control', 'no-store')
    context.type = 'html'
    context.body = signInPage(context.path, accounts.list(), email)
  })
}

const formBytesMax = 4_096

async function emailIn(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += String(piece)
    if (text.length > formBytesMax) throw new Error('the form is too long')
  }
  return new URLSearchParams(text).get('email')?.trim().toLowerCase() ?? ''
}

interface ExampleAccount extends ListedAccount {
  readonly role: string
  readonly hasOwner: boolean
}

const everyone: readonly ExampleAccount[] = [
  { email: 'viewer@example.com', name: 'Vera Viewer', role: 'viewer', about: 'viewer', hasOwner: true },
  {
    email: 'reviewer@example.com',
    name: 'Rafi Reviewer',
    role: 'reviewer',
    about: 'reviewer',
    hasOwner: true,
  },
  {
    email: 'approver@example.com',
    name: 'Abena Approver',
    role: 'approver',
    about: 'approver',
    hasOwner: true,
  },
  {
    email: 'author@example.com',
    name: 'Ana Author',
    role: 'policy_author',
    about: 'policy_author',
    hasOwner: true,
  },
  {
    email: 'admin@example.com',
    name: 'Adil Admin',
    role: 'admin',
    about: 'admin of the installation',
    hasOwner: false,
  },
]

/** The accounts of the example; all but the admin belong to this owner. */
export function exampleAccounts(ownerId: string | null): Accounts {
  return {
    list: () => everyone,
    claimsOf(wanted) {
      const found = everyone.find(({ email }) => email === wanted)
      if (found === undefined) return null
      const { email, name, role, hasOwner } = found
      return { email, name, roles: [role], ...(hasOwner && ownerId !== null ? { owner_id: ownerId } : {}) }
    },
  }
}

/** `localhost` has two spellings in the address bar. */
const spellings = (site: string): string[] => [
  ...new Set([site, site.replace('//localhost:', '//127.0.0.1:')]),
]

function run(): void {
  const { values } = parseArgs({ options: { owner: { type: 'string' }, port: { type: 'string' } } })
  const port = Number(values.port ?? 9090)
  const issuer = `http://localhost:${port}`
  const clientSecret = 'example-secret'
  const provider = createIdentityProvider({
    issuer,
    clientSecret,
    sites: spellings(process.env['FAIRWAY_PUBLIC_URL'] ?? 'http://localhost:8080'),
    accounts: exampleAccounts(values.owner ?? null),
  })
  const answer = provider.callback()
  createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1', () => {
    const lines = [
      `Example identity provider listening at ${issuer}`,
      '',
      'Settings for Fairway:',
      `FAIRWAY_OIDC_ISSUER=${issuer}`,
      `FAIRWAY_OIDC_CLIENT_ID=${clientId}`,
      `FAIRWAY_OIDC_CLIENT_SECRET=${clientSecret}`,
      '',
      `Accounts, with any password: ${everyone.map(({ email }) => email).join(', ')}`,
      values.owner === undefined
        ? 'Without --owner OWNER_ID only admin@example.com belongs somewhere, and can sign in.'
        : `All but the admin belong to the owner ${values.owner}.`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  })
}

if (import.meta.main) run()
