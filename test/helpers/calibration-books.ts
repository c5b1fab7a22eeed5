/** Books of decisions and their payments, kept by a test, and the figures that follow from them. */

import assert from 'node:assert/strict'
import type { ActualOutcome } from '../../src/core/live/outcome.ts'
import { dayMs, floorTo, iso } from '../../src/core/time/durations.ts'
import { assertFigures, expectedFigures, expectedRate, type EndedPayment } from './calibration.ts'
import { rowsOf } from './database/sql.ts'
import type { Answer, Harness } from './harness.ts'

export interface BookedPayment extends EndedPayment {
  readonly requestId: string
  readonly key: string
  readonly atMs: number
}

export const calibrationUrl = '/api/v1/calibration'

export async function calibrationOf(harness: Harness, key: string, query = ''): Promise<Answer['body']> {
  const { status, body, text } = await harness.get(key, `${calibrationUrl}${query}`)
  assert.equal(status, 200, text)
  return body
}

/** The final outcomes by decision, as they are stored. */
async function finalOutcomes(databaseUrl: string): Promise<Map<string, ActualOutcome>> {
  const rows = await rowsOf(databaseUrl, 'SELECT request_id, outcome FROM outcomes WHERE is_final = 1')
  return new Map(rows.map((row) => [String(row['request_id']), row['outcome'] as ActualOutcome]))
}

export class CalibrationBooks {
  readonly #decisions: BookedPayment[] = []

  /** An instance whose decisions are booked, by what it answers. */
  watch(harness: Harness): Harness {
    return {
      ...harness,
      verify: async (key, body, more) => {
        const answer = await harness.verify(key, body, more)
        assert.equal(answer.status, 200, answer.text)
        const { request_id: requestId, decision, score, mode, corridor, reason_codes: codes } = answer.body
        this.#decisions.push({
          requestId,
          key,
          mode,
          corridor,
          verdict: decision,
          scoreHundredths: Math.round(Number(score) * 100),
          reasonCodes: codes,
          outcome: null,
          atMs: harness.clock.nowMs(),
        })
        return answer
      },
    }
  }

  /** With the outcomes that are stored by now. */
  async payments({ databaseUrl }: Harness): Promise<BookedPayment[]> {
    const outcomes = await finalOutcomes(databaseUrl)
    return this.#decisions.map((decision) => ({
      ...decision,
      outcome: outcomes.get(decision.requestId) ?? null,
    }))
  }
}

/** By day; only for outcomes within 62 days, of which longer series have other steps. */
export function expectedSeries(payments: readonly BookedPayment[]) {
  const isEnded = ({ mode, reasonCodes, outcome }: BookedPayment): boolean =>
    outcome !== null &&
    outcome !== 'PENDING' &&
    !(mode === 'live' && reasonCodes.includes('CORRIDOR_UNSUPPORTED'))
  const ended = payments.filter(isEnded)
  const days = ended.map(({ atMs }) => floorTo(dayMs, atMs))
  if (days.length === 0) return []
  const first = Math.min(...days)
  const count = (Math.max(...days) - first) / dayMs + 1
  assert.ok(count <= 62, 'steps longer than a day')
  return Array.from({ length: count }, (_, place) => {
    const startsAtMs = first + place * dayMs
    const own = ended.filter(({ atMs }) => floorTo(dayMs, atMs) === startsAtMs)
    const failed = own.filter(({ outcome }) => outcome === 'FAILED' || outcome === 'REJECTED')
    return {
      from: iso(startsAtMs),
      to: iso(startsAtMs + dayMs),
      ...expectedRate(own.length, failed.length),
    }
  })
}

/** Holds every figure of an answer against these payments. */
export function assertCalibration(body: Answer['body'], payments: readonly BookedPayment[]): void {
  const { from: _from, to: _to, suggestion: _document, suggestion_reason: _reason, series, ...figures } = body
  assertFigures(figures, expectedFigures(payments))
  assertFigures(series, expectedSeries(payments))
}
