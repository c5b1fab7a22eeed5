/** Formats access requests. Text from unauthenticated callers is always sanitized for the terminal. */

import type { AccessRequest } from '../../../app/ports/identity/access.ts'
import type { ListedKey } from '../../../app/ports/identity/keys.ts'
import { accessRequestView, keyStatus, keyView } from '../../../app/access/views.ts'
import { scopesText } from './key-output.ts'
import { plain } from '../../deps.ts'
import { table } from '../../table.ts'
import { iso } from '../../../core/time/durations.ts'

export function requestListText(requests: readonly AccessRequest[]): string {
  return table(
    [
      'ACCESS REQUEST ID',
      'STATUS',
      'CREATED',
      { title: 'NAME', widthMax: 30 },
      { title: 'EMAIL', widthMax: 40 },
      'CAPTCHA',
      { title: 'REASON', widthMax: 60 },
    ],
    requests.map((request) => [
      request.accessRequestId,
      request.status,
      iso(request.createdAtMs),
      request.name,
      request.email,
      captchaText[request.captcha],
      request.reason,
    ]),
  ).join('\n')
}

const captchaText = { verified: 'verified', not_checked: 'not checked' } as const

interface Shown {
  readonly request: AccessRequest
  /** All keys in the store. */
  readonly keys: readonly ListedKey[]
  readonly nowMs: number
}

export function shownJson(shown: Shown) {
  return { ...accessRequestView(shown.request), keys: keysOf(shown).map((key) => keyView(key, shown.nowMs)) }
}

/** Keys of the request's owner, including successors of its sandbox key, and keys that the decision names. */
function keysOf({ request, keys }: Pick<Shown, 'request' | 'keys'>): ListedKey[] {
  const { ownerId, decision } = request
  return keys.filter(
    (key) =>
      key.ownerId === ownerId || key.keyId === decision?.liveKeyId || key.keyId === decision?.replacedKeyId,
  )
}

export function requestText(shown: Shown): string {
  const { request, nowMs } = shown
  const { decision } = request
  const lines = [
    `Request   ${request.accessRequestId}`,
    `Status    ${request.status}`,
    `Created   ${iso(request.createdAtMs)}`,
    `Name      ${plain(request.name)}`,
    `Email     ${plain(request.email)}`,
    `Captcha   ${captchaText[request.captcha]}`,
    ...reasonLines(request.reason),
  ]
  if (decision !== null) {
    lines.push(`Decided   ${iso(decision.decidedAtMs)} by ${plain(decision.decidedBy)}`)
    if (decision.note !== null) lines.push(`Note      ${plain(decision.note)}`)
    if (decision.replacedKeyId !== null) lines.push(`Replaces  ${decision.replacedKeyId}`)
  }
  const rows = keysOf(shown).map((key) => [
    key.keyId,
    key.type,
    keyStatus(key, nowMs),
    scopesText(key.scopes),
    iso(key.expiresAtMs) ?? 'never',
    iso(key.lastUsedAtMs) ?? 'never',
  ])
  return [...lines, '', ...table(['KEY ID', 'TYPE', 'STATUS', 'SCOPES', 'EXPIRES', 'LAST USED'], rows)].join(
    '\n',
  )
}

/** Keeps the line breaks of the reason and sanitizes each line. */
function reasonLines(reason: string): string[] {
  return reason
    .split(/\r\n|\r|\n/)
    .map((line, index) => `${index === 0 ? 'Reason    ' : '          '}${plain(line)}`.trimEnd())
}
