/** The methods of people: the caller, sign-in in a browser, sessions and owners. The client inherits them. */

import type { Calls } from './calls.ts'
import { ReviewMethods } from './reviews.ts'
import { pathPart, queryText, type CallOptions } from './request.ts'
import { jsonOf } from './transport.ts'
import type * as wire from './types.ts'

export class PeopleMethods extends ReviewMethods {
  readonly #calls: Calls

  constructor(calls: Calls) {
    super(calls)
    this.#calls = calls
  }

  /** The caller, and its roles and scopes. */
  async me(options: CallOptions = {}): Promise<wire.Me> {
    return this.#calls.get('/api/v1/me', options)
  }

  /** In a browser: the sessions of the person who is signed in. */
  async mySessions(options: CallOptions = {}): Promise<wire.SessionList> {
    return this.#calls.get('/api/v1/me/sessions', options)
  }

  /** In a browser: ends one of the person's sessions. */
  async endMySession(sessionId: string, options: CallOptions = {}): Promise<wire.EndedSession> {
    const path = `/api/v1/me/sessions/${pathPart(sessionId)}`
    return jsonOf(await this.#calls.keyed('DELETE', path, options, { repeatable: 'when_refused' }))
  }

  /** In a browser: one page of the owners that an admin of the installation may choose. Follow `next_cursor`. */
  async owners(query: wire.OwnersQuery = {}, options: CallOptions = {}): Promise<wire.OwnerList> {
    return this.#calls.get(`/api/v1/owners${queryText(query)}`, options)
  }

  /** In a browser: the person who is signed in, and the ways to sign in. */
  async session(options: CallOptions = {}): Promise<wire.SessionState> {
    return jsonOf(await this.#calls.public('GET', '/auth/session', options))
  }

  /** In a browser: signs in with a local account. */
  async loginWithPassword(body: wire.LoginRequest, options: CallOptions = {}): Promise<wire.Me> {
    return this.#send('/auth/login', body, options)
  }

  /** In a browser: the account that an invitation is for. */
  async invitation(body: wire.InvitationRequest, options: CallOptions = {}): Promise<wire.Invitation> {
    return this.#send('/auth/invitation', body, options)
  }

  /** In a browser: accepts an invitation with a name and a password, and signs in. */
  async setPassword(body: wire.PasswordRequest, options: CallOptions = {}): Promise<wire.Me> {
    return this.#send('/auth/password', body, options)
  }

  /** In a browser: ends its session. Open `location`, if there is one, to end it at the identity provider, too. */
  async logout(options: CallOptions = {}): Promise<wire.LogoutResponse> {
    return this.#send('/auth/logout', null, options)
  }

  async #send<Body extends object>(path: string, body: object | null, options: CallOptions): Promise<Body> {
    const sent = { body: body === null ? null : JSON.stringify(body), repeatable: 'when_refused' as const }
    return jsonOf<Body>(await this.#calls.public('POST', path, options, sent))
  }
}
