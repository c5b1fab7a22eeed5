/** The simulation sees what is wrong with reviews: each of these bugs is found. */

import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import type { Override } from '../../src/app/ports/records.ts'
import type { ReviewChange, ReviewEffects, ReviewRow } from '../../src/app/ports/reviews.ts'
import { defaultCurrency } from '../../src/core/reference/currency.ts'
import { askOf, changing, testPlants, type Plant } from './planted.ts'

type Append = [change: ReviewChange, row: ReviewRow, override: Override | null]

/** Something else is appended to a review, or nothing although the answer says so. */
const appending = (driver: Driver, other: (...values: Append) => Append | 'appended'): Driver =>
  changing(driver, (name, values) => {
    if (name !== 'appendReviewChange') return null
    const changed = other(...(values as Append))
    return changed === 'appended' ? Promise.resolve(changed) : askOf(driver)(name, ...changed)
  })

/** The follower has other effects. */
const following = (driver: Driver, other: (effects: ReviewEffects) => Partial<ReviewEffects>): Driver =>
  changing(driver, (name, values) => {
    if (name !== 'followedReviews') return null
    const [from, to, effects] = values as [number, number, ReviewEffects]
    return askOf(driver)(name, from, to, { ...effects, ...other(effects) })
  })

const plants: Readonly<Record<string, Plant>> = {
  'a proposer who may approve': {
    planted: { terms: { fourEyesAbove: new Map([[defaultCurrency, 1_000_000_000]]) } },
    found: /was (?:approved|rejected) by its proposer/,
  },
  'an act that was judged on what has changed since': {
    planted: {
      driver: ({ driver, prepare }) =>
        appending(driver, (change, row, override) => {
          const sql = 'SELECT version FROM reviews WHERE review_id = ?'
          const { version } = prepare(sql).get(change.reviewId) as { version: number }
          return [{ ...change, number: version + 1 }, row, override]
        }),
    },
    found:
      /while .* had it|on top of another proposal|without a proposal|although it was|and nobody had it|with a history that is not recorded/,
  },
  'an act that was answered and not written': {
    planted: { driver: ({ driver }) => appending(driver, () => 'appended') },
    found: /was answered with a history that is not recorded/,
  },
  'an act of one that is recorded as that of another': {
    planted: {
      driver: ({ driver, prepare }) =>
        appending(driver, ({ by, ...change }, row, override) => {
          const sql = 'SELECT key_id, principal_id FROM api_keys WHERE owner_id = ? ORDER BY key_id LIMIT 1'
          const key = prepare(sql).get(change.ownerId) as { key_id: string; principal_id: string }
          const other = { personId: null, keyId: key.key_id, principalId: key.principal_id }
          return [{ ...change, by: by === null ? null : { ...by, ...other } }, row, override]
        }),
    },
    found:
      /another principal did it|who never did|while .* had it|by its proposer|is claimed by|is not as it was proposed/,
  },
  'an approval without its override': {
    planted: { driver: ({ driver }) => appending(driver, (change, row) => [change, row, null]) },
    found: /is approved, with override|overrides are stored of/,
  },
  'an override that does not say who approved it': {
    planted: {
      driver: ({ driver }) =>
        appending(driver, (change, row, override) => [
          change,
          row,
          override === null ? null : { ...override, approval: null },
        ]),
    },
    found: /is approved by an override of another kind|was recorded without a review/,
  },
  'an override that executes what was proposed to be held': {
    planted: {
      driver: ({ driver }) =>
        appending(driver, (change, row, override) => [
          change,
          row,
          override === null ? null : { ...override, action: 'EXECUTE' },
        ]),
    },
    found: /is not as it was proposed and approved/,
  },
  'a row that hides who has claimed': {
    planted: {
      driver: ({ driver }) =>
        appending(driver, (change, row, override) => [change, { ...row, claimedBy: '' }, override]),
    },
    found: /is claimed by/,
  },
  'a decision that gets no review': {
    planted: { driver: ({ driver }) => following(driver, () => ({ opened: [] })) },
    found: /was followed and has no review/,
  },
  'a repeat that counts twice': {
    planted: {
      driver: ({ driver }) => following(driver, ({ repeated }) => ({ repeated: [...repeated, ...repeated] })),
    },
    found: /counts \d+ of \d+ repeats/,
  },
  'an override that leaves its review open': {
    planted: { driver: ({ driver }) => following(driver, () => ({ closed: [] })) },
    found: /is open although .* overrides its decision/,
  },
}

testPlants(plants)
