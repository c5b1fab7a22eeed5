/** Starts the example's identity provider as a real process, and orders its faults. */

import { fork, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
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
  /** Ends all faults. */
  recover(): Promise<void>
}

/** The site as requests in process see it, and one with https. */
const sites = ['http://localhost', 'https://fairway.example']
const clientSecret = 'a-secret-of-the-client'

async function openIdentityProvider(): Promise<TestIdentityProvider> {
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
    recover: () => order({ kind: 'recover' }),
  }
}

const apart = (claims: Claims | AccountClaims): AccountClaims =>
  'idToken' in claims ? (claims as AccountClaims) : { idToken: claims, userInfo: claims }

/** Resolves when the process is ready; each order when it is carried out. Only an order keeps this process alive. */
async function ordersTo(child: ChildProcess): Promise<(order: Order) => Promise<void>> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let ordered = 0
  const answerTo = async (id: number): Promise<void> => {
    const answer = Promise.withResolvers<void>()
    waiting.set(id, answer)
    child.channel?.ref()
    await answer.promise
    waiting.delete(id)
    if (waiting.size === 0) child.channel?.unref()
  }
  child.on('message', ({ id }: { id: number }) => waiting.get(id)?.resolve())
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`the identity provider ended: ${said}`))
  })
  child.unref()
  if (child.stderr instanceof Socket) child.stderr.unref()
  await answerTo(ordered)
  return (order) => {
    ordered += 1
    const answered = answerTo(ordered)
    child.send({ id: ordered, order })
    return answered
  }
}

let opened: Promise<TestIdentityProvider> | null = null

export interface Site {
  /** One process serves all tests of this one, in turn, and ends with it. */
  readonly provider: TestIdentityProvider
  readonly harness: Harness
  readonly ownerId: string
  /** A key of the owner. */
  readonly key: string
}

/** Runs a test on a service of its own, with an owner, that uses the provider. */
export async function withSite(
  work: (site: Site) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  opened ??= openIdentityProvider()
  const provider = await opened
  const whole = { ...options, settings: { ...provider.settings, ...options.settings } }
  try {
    await withHarness(whole, async (harness) => {
      const { key, record } = await harness.issue({ ownerLabel: 'Payments team' })
      await work({ provider, harness, key, ownerId: record.ownerId })
    })
  } finally {
    await provider.recover()
  }
}
