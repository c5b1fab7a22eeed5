/** Reads the addresses and the credentials of NATS servers from a setting. */

export interface NatsSettings {
  readonly servers: NatsServers
  /** Copies of a stream that Fairway creates. */
  readonly replicas: number
}

export interface NatsServers {
  /** `HOST:PORT` of each. */
  readonly hosts: readonly string[]
  readonly isTls: boolean
  /** Of the first address that has some; null: the servers ask for none. */
  readonly credentials: NatsCredentials | null
}

type NatsCredentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string }

const shape =
  /^(nats|tls):\/\/(?:([^@:/?#\s]+)(?::([^@:/?#\s]+))?@)?([\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?\/?$/

/** The default port of NATS servers. */
const standardPort = '4222'

export const natsServersRule =
  'nats://HOST:PORT or tls://HOST:PORT, comma-separated, all of one kind, without a path'

/** Null for text that is not a list of addresses of one kind; an empty one names none. */
export function parseNatsServers(text: string): NatsServers | 'none' | null {
  if (text === '') return 'none'
  const matches = text.split(',').map((part) => shape.exec(part.trim()))
  const kinds = new Set(matches.map((match) => match?.[1]))
  const credentials = matches.map((match) => credentialsOf(match?.[2], match?.[3]))
  if (kinds.size !== 1 || matches.includes(null) || credentials.includes('malformed')) return null
  return {
    hosts: matches.map((match) => `${match?.[4]}:${match?.[5] ?? standardPort}`),
    isTls: kinds.has('tls'),
    credentials: credentials.find((one) => one !== null && one !== 'malformed') ?? null,
  }
}

/** `user:password@` or `token@`; special characters are percent-encoded. */
function credentialsOf(
  user: string | undefined,
  password: string | undefined,
): NatsCredentials | 'malformed' | null {
  if (user === undefined) return null
  try {
    return password === undefined
      ? { kind: 'token', token: decodeURIComponent(user) }
      : { kind: 'password', user: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    return 'malformed'
  }
}
