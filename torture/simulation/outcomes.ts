/** Outcomes in a simulated world: reported at any time, in bulk, and calibration equals what the books hold. */

import { callerOfKey } from '../../src/app/people/caller.ts'
import { figuresOf } from '../../src/core/calibration/figures.ts'
import { actualOutcomes, isFinal } from '../../src/core/live/outcome.ts'
import type { StoredAnswer } from '../../src/app/verify/answer.ts'
import { assertFigures, expectedFigures, type EndedPayment } from '../../test/helpers/calibration.ts'
import type { Books } from './books.ts'
import { unlessUnavailable } from './instance.ts'
import { ensure } from './inspect/violation.ts'
import type { World } from './world.ts'
import type { StoredRecord } from './world-database.ts'

const rowsMax = 4

/** Some decisions of one owner, each once; some of them have an outcome already. */
export function reportOutcomes(world: World): void {
  const { rng, books, inspector } = world
  const instance = world.pickInstance()
  const { record: caller } = rng.pick(world.callers)
  const own = [...inspector.records.values()].filter(({ owner_id: ownerId }) => ownerId === caller.ownerId)
  if (own.length === 0) return
  const chosen = new Set(Array.from({ length: 1 + rng.below(rowsMax) }, () => rng.pick(own).request_id))
  const rows = [...chosen].map((requestId, index) => ({
    index,
    value: {
      requestId,
      correlationId: null,
      outcome: rng.pick(actualOutcomes),
      partner: null,
      occurredAtMs: null,
    },
  }))
  const work = async (): Promise<void> => {
    const result = await unlessUnavailable(
      instance.reportOutcomes.all({ ownerId: caller.ownerId, by: callerOfKey(caller).by }, rows, false),
    )
    books.count(`reports ${result?.kind ?? 'unavailable'}`)
    world.trace(`${rows.length} outcomes got ${JSON.stringify(result)}`)
    const isKnown = (outcomeId: string | null): boolean =>
      outcomeId !== null && books.outcomesWritten.has(outcomeId)
    if (result?.kind === 'recorded' && !result.outcomes.every(({ outcomeId }) => isKnown(outcomeId)))
      world.violated('outcomes were answered as recorded, and are not')
    if (result?.kind === 'refused' && !result.faults.every(({ kind }) => kind === 'exists'))
      world.violated(`outcomes were refused without a cause: ${JSON.stringify(result.faults)}`)
  }
  void world.watch(work(), instance.life)
}

/** Every figure of every owner, by mode, once everything is followed. */
export async function checkCalibration({ truth, books, inspector, callers }: World): Promise<void> {
  const range = { fromMs: 0, toMs: Date.UTC(9999, 0) }
  const records = [...inspector.records.values()]
  for (const { record } of callers) {
    for (const mode of ['shadow', 'live'] as const) {
      const own = records.filter((one) => one.owner_id === record.ownerId && one.mode === mode)
      const payments = own.map((one) => paymentOf(one, books))
      const { cells } = await truth.forOwner(record.ownerId).calibrate({ range, mode, corridor: null })
      const differing = differingIn(figuresOf(cells), expectedFigures(payments))
      const message = `calibration of ${record.ownerId} in ${mode} mode differs in ${differing.join(', ')}`
      ensure(differing.length === 0, message)
      books.count('outcomes in calibration', payments.filter(({ outcome }) => outcome !== null).length)
    }
  }
}

/** The members that differ. */
function differingIn(actual: object, expected: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(actual).flatMap(([name, value]) => {
    try {
      assertFigures(value, expected[name])
      return []
    } catch {
      return [name]
    }
  })
}

function paymentOf(record: StoredRecord, books: Books): EndedPayment {
  const { reason_codes: reasonCodes } = JSON.parse(record.answer) as StoredAnswer
  const outcome = books.outcomes.get(record.request_id) ?? null
  return {
    mode: record.mode,
    corridor: record.corridor,
    verdict: record.decision,
    scoreHundredths: record.score_hundredths,
    reasonCodes,
    outcome: outcome !== null && isFinal(outcome) ? outcome : null,
  }
}
