/** A browser without a window: it keeps cookies, and goes from Fairway to the identity provider and back. */

import assert from 'node:assert/strict'
import type { Answer, Harness } from '../harness.ts'

export interface Seen {
  readonly url: URL
  readonly status: number
  /** Where it leads; null if it is no redirect. */
  readonly location: URL | null
  readonly text: string
  /** As they were sent. */
  readonly cookies: readonly string[]
}

export interface Arrival {
  /** The path on Fairway that the sign-in leads to, with its query. */
  readonly path: string
  /** The problem that the sign-in page is told; null after a sign-in. */
  readonly problem: string | null
}

export class Visitor {
  readonly #send: Harness['send']
  /** By the name of the host, as browsers do, whatever the port. */
  readonly #jar = new Map<string, Map<string, string>>()
  readonly origin: string

  constructor({ send }: Pick<Harness, 'send'>, origin = 'http://localhost') {
    this.#send = send
    this.origin = origin
  }

  /** One request, whose redirect is not followed. */
  async open(address: string | URL, form: URLSearchParams | null = null): Promise<Seen> {
    const url = new URL(address, this.origin)
    const jar = this.#jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = cookie === '' ? {} : { cookie }
    const isOwn = url.origin === this.origin
    const answer = isOwn ? await this.#visit(url, headers) : await fetched(url, headers, form)
    for (const text of answer.cookies) keep(jar, text)
    return { ...answer, url, location: answer.leadsTo === null ? null : new URL(answer.leadsTo, url) }
  }

  /** Asks Fairway to sign in; returns the address that it sends the browser to. */
  async start(from?: string): Promise<URL> {
    const query = from === undefined ? '' : `?from=${encodeURIComponent(from)}`
    const { location, status } = await this.open(`/auth/login${query}`)
    assert.equal(status, 303)
    return location ?? assert.fail('no redirect')
  }

  /** Signs in at the provider; returns the address of Fairway that the provider sends the browser to. */
  async authorise(address: URL, email: string): Promise<URL> {
    let seen = await this.open(address)
    for (let requests = 1; requests < 10; requests += 1) {
      const { location } = seen
      if (location?.origin === this.origin) return location
      seen = await (location === null ? this.submit(seen, { email, password: 'any' }) : this.open(location))
    }
    return assert.fail(`the provider does not send the browser back: ${seen.text}`)
  }

  /** Submits the form of a page, with its hidden fields. */
  submit({ url, text }: Seen, fields: Readonly<Record<string, string>>): Promise<Seen> {
    const [, action] = /<form\b[^>]*\baction="([^"]+)"/.exec(text) ?? []
    if (action === undefined) return assert.fail(`there is no form: ${text}`)
    const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const form = new URLSearchParams(
      hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
    )
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return this.open(new URL(action, url), form)
  }

  async finish(callback: URL): Promise<Arrival> {
    const { status, location } = await this.open(callback)
    assert.equal(status, 303)
    return arrivalAt(location ?? assert.fail('no redirect'), this.origin)
  }

  /** The whole way, from Fairway back to Fairway. */
  async signIn(email: string, from?: string): Promise<Arrival> {
    const address = await this.start(from)
    if (address.origin === this.origin) return arrivalAt(address, this.origin)
    return this.finish(await this.authorise(address, email))
  }

  /** Another browser with the same cookies. */
  copy(): Visitor {
    const other = new Visitor({ send: this.#send }, this.origin)
    for (const [host, jar] of this.#jar) other.#jar.set(host, new Map(jar))
    return other
  }

  /** A cookie of Fairway. */
  setCookie(name: string, value: string): void {
    this.#jarOf(new URL(this.origin)).set(name, value)
  }

  /** GET of Fairway, as its pages do it. */
  read(path: string): Promise<Answer> {
    return this.#send({
      method: 'GET',
      url: path,
      headers: { host: new URL(this.origin).host, cookie: this.cookie },
    })
  }

  /** POST of Fairway, as its pages do it. */
  post(path: string): Promise<Answer> {
    const headers = { host: new URL(this.origin).host, origin: this.origin, cookie: this.cookie }
    return this.#send({ method: 'POST', url: path, headers })
  }

  /** The cookies of Fairway, by their names. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#jarOf(new URL(this.origin))
  }

  /** As the header of a request to Fairway. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #jarOf({ hostname }: URL): Map<string, string> {
    const jar = this.#jar.get(hostname) ?? new Map<string, string>()
    this.#jar.set(hostname, jar)
    return jar
  }

  async #visit({ pathname, search, host }: URL, headers: Readonly<Record<string, string>>) {
    const { status, text, ...answer } = await this.#send({
      method: 'GET',
      url: pathname + search,
      headers: { host, ...headers },
    })
    const { 'set-cookie': cookies = [], location = null } = answer.headers
    return { status, text, cookies: [cookies].flat(), leadsTo: location }
  }
}

async function fetched(url: URL, headers: Readonly<Record<string, string>>, form: URLSearchParams | null) {
  const sent = form === null ? {} : { method: 'POST', body: form }
  const answer = await fetch(url, { ...sent, headers, redirect: 'manual' })
  const cookies = answer.headers.getSetCookie()
  return {
    status: answer.status,
    text: await answer.text(),
    cookies,
    leadsTo: answer.headers.get('location'),
  }
}

function keep(jar: Map<string, string>, text: string): void {
  const [pair = '', ...attributes] = text.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  const isOver = attributes.some((part) => /^ ?(?:max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(part))
  if (isOver) jar.delete(name)
  else jar.set(name, pair.slice(at + 1))
}

function arrivalAt(url: URL, origin: string): Arrival {
  assert.equal(url.origin, origin, 'the sign-in leads to another site')
  return { path: url.pathname + url.search, problem: url.searchParams.get('problem') }
}
