/**
 * Signs people in at an OpenID Connect provider: authorisation code with PKCE, state and nonce. Nothing of the provider
 * is kept between two sign-ins, so that its new keys and addresses count at once, and so does an outage.
 */

import type * as oidc from 'openid-client'
import { ProviderRefused, ProviderUnavailable, type IdentityProvider } from '../app/ports/identity/people.ts'
import { claimOf } from '../core/identity/person.ts'

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a client without one. */
  readonly clientSecret: string | null
  /** Claims that are read from the user info if the ID token lacks them. */
  readonly claims: { readonly roles: string; readonly owner: string }
}

const timeoutSeconds = 5
/** Of each answer, unpacked. Documents and keys of providers have some ten kilobytes. */
const answerBytesMax = 1_048_576
const scope = 'openid profile email'

/** Null without a provider. */
export function openIdentityProvider(settings: ProviderSettings | null): IdentityProvider | null {
  if (settings === null) return null
  const server = new URL(settings.issuer)
  return {
    host: server.host,
    async start(redirectUri) {
      const { client, config } = await discover(settings)
      const codeVerifier = client.randomPKCECodeVerifier()
      const state = client.randomState()
      const nonce = client.randomNonce()
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks: { state, nonce, codeVerifier } }
    },
    async finish(callback, { state, nonce, codeVerifier }) {
      const { client, config } = await discover(settings)
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined) throw new ProviderRefused('no ID token')
        // Some providers give metadata whose issuer is a pattern, which would admit the people of other organisations.
        if (new URL(claims.iss).href !== server.href) throw new ProviderRefused('another issuer')
        return {
          account: { issuer: claims.iss, subject: claims.sub },
          claims: await withUserInfo(claims, Object.values(settings.claims), {
            has: config.serverMetadata().userinfo_endpoint !== undefined,
            read: () => client.fetchUserInfo(config, tokens.access_token, claims.sub),
          }),
          idToken: tokens.id_token,
        }
      } catch (error) {
        throw failureOf(error)
      }
    },
    async logoutUrl(idToken, returnTo) {
      try {
        const { client, config } = await discover(settings)
        if (config.serverMetadata().end_session_endpoint === undefined) return null
        const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo }
        return client.buildEndSessionUrl(config, parameters).href
      } catch (error) {
        if (error instanceof ProviderUnavailable) return null
        throw error
      }
    },
  }
}

type Claims = Readonly<Record<string, unknown>>

interface UserInfo {
  readonly has: boolean
  read(): Promise<Claims>
}

/** The claims of the ID token, and those of the user info that it lacks. */
async function withUserInfo(claims: Claims, needed: readonly string[], info: UserInfo): Promise<Claims> {
  const lacking = [...needed, 'name', 'email'].filter((name) => claimOf(claims, name) === undefined)
  if (lacking.length === 0 || !info.has) return claims
  const isNeeded = needed.some((name) => lacking.includes(name))
  // A name alone is worth no failure.
  const more = isNeeded ? await info.read() : await info.read().catch((): Claims => ({}))
  // By their whole names: of a path, the ID token may have a part.
  const found = lacking.map((name) => [name, claimOf(more, name)] as const)
  return { ...more, ...claims, ...Object.fromEntries(found) }
}

/** Loaded at the first sign-in: a service without a provider never needs it. */
async function discover({ issuer, clientId, clientSecret }: ProviderSettings) {
  const client = await import('openid-client')
  const server = new URL(issuer)
  // The signature is checked although the token comes from the provider itself: a proxy in between may be another's.
  const execute = [client.enableNonRepudiationChecks]
  if (server.protocol === 'http:') execute.push(client.allowInsecureRequests)
  const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetchBounded }
  try {
    const config = await client.discovery(server, clientId, undefined, authOf(client, clientSecret), options)
    if (config.serverMetadata().authorization_endpoint === undefined)
      throw new Error('the provider names no authorization_endpoint')
    return { client, config }
  } catch (error) {
    throw new ProviderUnavailable(reasonOf(error), { cause: error })
  }
}

/** Breaks off an answer that is too large, whatever its length is said to be. */
const fetchBounded: oidc.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit)
  if (response.body === null) return response
  let bytes = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > answerBytesMax) throw new AnswerTooLarge()
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(bounded), response)
}

class AnswerTooLarge extends Error {
  override readonly message = `an answer of more than ${answerBytesMax} bytes`
}

/** In the way that the provider supports; the standard's default is the header. */
function authOf(client: typeof oidc, secret: string | null): oidc.ClientAuth {
  if (secret === null) return client.None()
  const inHeader = client.ClientSecretBasic(secret)
  const inBody = client.ClientSecretPost(secret)
  return (server, ...more) => {
    const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server
    return (supported.includes('client_secret_basic') ? inHeader : inBody)(server, ...more)
  }
}

/**
 * Failures of the connection, of the provider itself, or of our settings there; all else is an answer that does not confirm
 * the person.
 */
const outages = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  // From the provider, by way of the browser.
  'server_error',
  'temporarily_unavailable',
  // The client's id, secret or registration is wrong, which no person can mend.
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
])

function failureOf(error: unknown): Error {
  if (error instanceof ProviderRefused) return error
  const { code = '' } = error as { code?: string }
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed'
  const isOutage = isUnreachable || outages.has(code) || outages.has(codeOfStandard(error as Fault) ?? '')
  const reason = reasonOf(error)
  return isOutage
    ? new ProviderUnavailable(reason, { cause: error })
    : new ProviderRefused(reason, { cause: error })
}

interface Fault {
  readonly message: string
  /** The code of the standard, in an answer of the provider. */
  readonly error?: string
  readonly cause?: Cause | readonly { readonly parameters?: { readonly error?: string } }[]
}

interface Cause {
  /** A number in an exception of the platform. */
  readonly code?: unknown
  readonly message?: string
  readonly cause?: unknown
}

const detailLengthMax = 200

/** For the log. The library's messages name claims and addresses, but never values: a token may be among these. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Fault
  const detail =
    codeOfStandard(error as Fault) ?? (Array.isArray(cause) ? undefined : detailOf(cause as Cause))
  return detail === undefined ? message : `${message} (${detail.slice(0, detailLengthMax)})`
}

/** In the body of an answer, or in the header of one that asks the client for other credentials. */
function codeOfStandard({ error, cause }: Fault): string | undefined {
  return error ?? (Array.isArray(cause) ? cause[0]?.parameters?.error : undefined)
}

function detailOf({ code, message, cause }: Cause = {}): string | undefined {
  if (cause instanceof AnswerTooLarge) return cause.message
  if (typeof code !== 'string') return undefined
  return code.startsWith('OAUTH_') ? message : code
}
