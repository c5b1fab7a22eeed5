/** Checks of the database: schema, durability, clocks and triggers. */

import { counted, withThousands } from '../../../core/explain/wording.ts'
import { iso } from '../../../core/time/durations.ts'
import { clockSkewMsMax } from '../../../core/time/cooldown.ts'
import type { DatabaseLook } from '../../ports/operate/doctor.ts'
import { notDurable, notWriteOnce, otherSchema } from '../store-faults.ts'
import type { DoctorDeps } from './deps.ts'
import { fault, ok, warning, type Finding } from './findings.ts'

/** The database as it was found when the checks began. */
export type Opened =
  | { readonly kind: 'open'; readonly look: DatabaseLook }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Why a check that reads tables cannot do so; null if it can. */
export function obstacle(opened: Opened): string | null {
  if (opened.kind === 'absent') return 'there is no database yet'
  if (opened.kind === 'failed') return 'the database cannot be opened'
  const { schema, schemaKnown } = opened.look
  if (schema === 0) return 'the database has no tables yet'
  return schema < schemaKnown ? 'the schema of the database is of an earlier version' : null
}

const startOnce = 'Run fairway serve once, which makes it, or correct DATABASE_URL'

export async function databaseFindings({ clock }: DoctorDeps, opened: Opened): Promise<Finding[]> {
  if (opened.kind === 'absent') return [warning('There is no file at DATABASE_URL yet', startOnce)]
  if (opened.kind === 'failed')
    return [fault(opened.reason, 'Correct DATABASE_URL, or see that the database runs and lets this user in')]
  const { look } = opened
  const product = `${look.engine} ${look.version}`
  const findings: Finding[] = []
  if (!look.isPrimary)
    findings.push(
      fault(`${product} is a standby, which takes no decisions`, 'Let DATABASE_URL name the primary'),
    )
  if (look.schema === 0) return [...findings, warning(`${product} has no tables of Fairway yet`, startOnce)]
  const isNewer = look.schema > look.schemaKnown
  if (look.schema !== look.schemaKnown) {
    const { found, action } = otherSchema(look)
    findings.push(isNewer ? fault(found, action) : warning(found, action))
  }
  if (obstacle(opened) === null) {
    const { isDurable } = await look.store.selfCheck(clock.nowMs())
    if (!isDurable) findings.push(fault(notDurable.found, notDurable.action))
  }
  if (findings.length > 0) return findings
  const decisions = counted(await look.store.countVerifications(), 'decision')
  return [ok(`${product}, schema ${look.schema}, which is current; ${decisions}; commits wait for the disk`)]
}

export async function triggerFindings({ clock }: DoctorDeps, { store }: DatabaseLook): Promise<Finding[]> {
  const { isWriteOnce } = await store.selfCheck(clock.nowMs())
  return [
    isWriteOnce
      ? ok('Every trigger that keeps records from being changed is there')
      : fault(notWriteOnce.found, notWriteOnce.action),
  ]
}

interface Clocks {
  readonly nowMs: number
  /** The clock of the database server, read in the middle of so much time; null without a server. */
  readonly server: { readonly nowMs: number; readonly roundTripMs: number } | null
  /** When the newest decision was recorded; null without one. */
  readonly newestAtMs: number | null
}

export async function readClocks({ clock }: DoctorDeps, look: DatabaseLook): Promise<Clocks> {
  const newestAtMs = await look.newestRecordAtMs()
  const startedMs = clock.monotonicMs()
  const serverMs = await look.serverNowMs()
  const roundTripMs = clock.monotonicMs() - startedMs
  const nowMs = clock.nowMs()
  return { nowMs, newestAtMs, server: serverMs === null ? null : { nowMs: serverMs, roundTripMs } }
}

export function clockFindings({ nowMs, server, newestAtMs }: Clocks): Finding[] {
  const findings: Finding[] = []
  if (newestAtMs !== null && newestAtMs - nowMs > clockSkewMsMax) {
    findings.push(
      fault(
        `The newest decision is ${secondsText(newestAtMs - nowMs)} ahead of this clock (${iso(nowMs)})`,
        'Set the clock and keep it set (NTP): until then a cooldown of that time does not hold, and new ids sort before old ones',
      ),
    )
  }
  if (server !== null) {
    const apartMs = Math.abs(nowMs - server.roundTripMs / 2 - server.nowMs)
    // The answer was on its way for an unknown part of the round trip.
    if (apartMs - server.roundTripMs / 2 > clockSkewMsMax) {
      const side = nowMs > server.nowMs ? 'ahead of' : 'behind'
      findings.push(
        warning(
          `This clock is ${secondsText(apartMs)} ${side} that of the database server; instances tolerate ${secondsText(clockSkewMsMax)}`,
          'Set both clocks and keep them set (NTP): instances share cooldowns by the time of each',
        ),
      )
    }
  }
  if (findings.length > 0) return findings
  const newest = newestAtMs === null ? 'no decision yet' : `newest decision ${iso(newestAtMs)}`
  const beside =
    server === null
      ? ''
      : `, within ${secondsText(Math.max(clockSkewMsMax, server.roundTripMs))} of the database server`
  return [ok(`${iso(nowMs)}${beside}; ${newest}`)]
}

const secondsText = (ms: number): string => `${withThousands(Math.round(ms / 100) / 10)} s`
