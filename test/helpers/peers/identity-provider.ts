/** Starts the example's identity provider as a real process, and orders its faults. */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before } from 'node:test'
import type { Claims } from '../../../examples/oidc/provider.ts'
import { withHarness, type Harness, type HarnessOptions } from '../harness.ts'
import { freePort } from '../process/free-port.ts'
import { inherited } from '../process/in-process.ts'
import type { Forgery } from './forgeries.ts'
import type { AccountClaims, Fault, Order } from './identity-provider-process.ts'

export interface TestIdentityProvider {
  readonly issuer: string
  readonly clientSecret: string
  /** Those of a service that uses it. */
  readonly settings: Readonly<Record<string, string>>
  /** Adds or changes an account. One set of claims is for the ID token and the user info. */
  account(email: string, claims: Claims | AccountClaims): Promise<void>
  /** The next ID token has this fault. */
  forge(how: Forgery): Promise<void>
  /** From now on, for requests whose path begins so. */
  fault(fault: Fault, path?: string): Promise<void>
  /** Restarts with a new signing key; the old one is published no more. */
  rotate(): Promise<void>
  /** Whether codes are issued with their time over. */
  expireCodes(areExpired: boolean): Promise<void>
  close(): Promise<void>
}

/** The site as requests in process see it, and one with https. */
const usualSites = ['http://localhost', 'https://fairway.example']
const clientSecret = 'a-secret-of-the-client'

export async function openIdentityProvider(
  sites: readonly string[] = usualSites,
): Promise<TestIdentityProvider> {
  const issuer = `http://localhost:${await freePort()}`
  const script = new URL('./identity-provider-process.ts', import.meta.url).pathname
  const child = fork(script, [issuer, clientSecret, ...sites], {
    env: inherited(),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const order = await ordersTo(child)
  return {
    issuer,
    clientSecret,
    settings: {
      FAIRWAY_OIDC_ISSUER: issuer,
      FAIRWAY_OIDC_CLIENT_ID: 'fairway',
      FAIRWAY_OIDC_CLIENT_SECRET: clientSecret,
    },
    account: (email, claims) => order({ kind: 'account', email, claims: apart(claims) }),
    forge: (how) => order({ kind: 'forge', how }),
    fault: (fault, path = '/') => order({ kind: 'fault', fault, path }),
    rotate: () => order({ kind: 'rotate' }),
    expireCodes: (areExpired) => order({ kind: 'codes', areExpired }),
    async close() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

const apart = (claims: Claims | AccountClaims): AccountClaims =>
  'idToken' in claims ? (claims as AccountClaims) : { idToken: claims, userInfo: claims }

/** Resolves when the process is ready; each order when it is carried out. */
async function ordersTo(child: ChildProcess): Promise<(order: Order) => Promise<void>> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let ordered = 0
  const answerTo = (id: number): Promise<void> => {
    const answer = Promise.withResolvers<void>()
    waiting.set(id, answer)
    return answer.promise
  }
  child.on('message', ({ id }: { id: number }) => waiting.get(id)?.resolve())
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`the identity provider ended: ${said}`))
  })
  await answerTo(ordered)
  return (order) => {
    ordered += 1
    const answered = answerTo(ordered)
    child.send({ id: ordered, order })
    return answered
  }
}

/** One process serves the tests of a suite, and is well again after each. */
export function identityProviderOfSuite(): () => TestIdentityProvider {
  let opened: TestIdentityProvider | null = null
  const provider = (): TestIdentityProvider => {
    if (opened === null) throw new Error('the identity provider is not running')
    return opened
  }
  before(async () => {
    opened = await openIdentityProvider()
  })
  afterEach(async () => {
    await provider().fault('none')
    await provider().expireCodes(false)
  })
  after(() => provider().close())
  return provider
}

export interface Site {
  readonly harness: Harness
  readonly ownerId: string
  /** A key of the owner. */
  readonly key: string
}

/** Runs a test on a service of its own that uses the provider, with an owner. */
export function withSite(
  { settings }: TestIdentityProvider,
  work: (site: Site) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  const whole = { ...options, settings: { ...settings, ...options.settings } }
  return withHarness(whole, async (harness) => {
    const { key, record } = await harness.issue({ ownerLabel: 'Payments team' })
    await work({ harness, key, ownerId: record.ownerId })
  })
}
