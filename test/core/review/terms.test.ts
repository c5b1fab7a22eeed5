/** Which decisions need a review, the ids of reviews, and the amounts up to which one principal is enough. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecommendedAction } from '../../../src/core/decision/reasons.ts'
import type { Verdict } from '../../../src/core/decision/score.ts'
import { formatRequestId, type RequestId } from '../../../src/core/identity/request-id.ts'
import {
  isReviewId,
  needsFourEyes,
  needsReview,
  parseFourEyesAbove,
  reviewIdOf,
} from '../../../src/core/review/terms.ts'
import { check, currencyOf } from '../../helpers/check.ts'

test('every DEGRADED and NO-GO needs a review, and every GO that asks for something first', () => {
  check<readonly [Verdict, RecommendedAction], boolean>(
    [
      [['GO', 'PROCEED'], false],
      [['GO', 'CONFIRM_PAYEE'], true],
      [['GO', 'REVIEW'], true],
      [['GO', 'REROUTE'], true],
      [['GO', 'MANUAL_APPROVAL'], true],
      [['DEGRADED', 'MANUAL_APPROVAL'], true],
      [['DEGRADED', 'TREAT_AS_NO_DATA'], true],
      [['DEGRADED', 'PROCEED'], true],
      [['NO-GO', 'BLOCK'], true],
      [['NO-GO', 'PROCEED'], true],
    ],
    ([verdict, action]) => needsReview(verdict, action),
  )
})

test('a review has the digits of its decision, and nothing else is taken for its id', () => {
  const requestId = 'SVC-2026-01M7EK86879492MKK2679NV0E3' as RequestId
  assert.equal(reviewIdOf(requestId), 'rev_01m7ek86879492mkk2679nv0e3')
  const made = formatRequestId(Date.parse('2026-03-01T12:00:00Z'), new Uint8Array(10).fill(7))
  assert.ok(isReviewId(reviewIdOf(made)))
  check<string, boolean>(
    [
      ['rev_01m7ek86879492mkk2679nv0e3', true],
      ['REV_01m7ek86879492mkk2679nv0e3', false],
      ['rev_01M7EK86879492MKK2679NV0E3', false],
      ['rev_01m7ek86879492mkk2679nv0e', false],
      ['rev_01m7ek86879492mkk2679nv0e33', false],
      ['rev_01m7ek86879492mkk2679nv0el', false],
      ['rvc_01m7ek86879492mkk2679nv0e3', false],
      [' rev_01m7ek86879492mkk2679nv0e3', false],
      ['rev_01m7ek86879492mkk2679nv0e3\n', false],
      [requestId, false],
      ['summary', false],
      ['', false],
    ],
    isReviewId,
  )
})

test('two principals are needed above the limit of the currency, and wherever there is no limit or no amount', () => {
  const limits = 'GBP=1000,NGN=0'
  check<readonly [limits: string, amount: number | null, currency: string], boolean>(
    [
      [['', 0, 'GBP'], true],
      [['', null, 'GBP'], true],
      [['', 1_000, 'GBP'], true],
      [[limits, 0, 'GBP'], false],
      [[limits, 999.99, 'GBP'], false],
      [[limits, 1_000, 'GBP'], false],
      [[limits, 1_000.01, 'GBP'], true],
      [[limits, 1e15, 'GBP'], true],
      [[limits, null, 'GBP'], true],
      [[limits, 0, 'NGN'], false],
      [[limits, 0.01, 'NGN'], true],
      [[limits, 1, 'USD'], true],
    ],
    ([text, amount, currency]) => {
      const fourEyesAbove = parseFourEyesAbove(text) ?? assert.fail(text)
      return needsFourEyes({ fourEyesAbove }, amount, currencyOf(currency))
    },
  )
})

test('limits are a list of currencies with whole amounts, each once; anything else is none', () => {
  check<string, Record<string, number> | null>(
    [
      ['', {}],
      ['GBP=1000', { GBP: 1_000 }],
      ['GBP=1000,NGN=2000000', { GBP: 1_000, NGN: 2_000_000 }],
      [' GBP=1000 , NGN=0 ', { GBP: 1_000, NGN: 0 }],
      ['GBP=999999999999', { GBP: 999_999_999_999 }],
      ['GBP=1000,GBP=2000', null],
      ['GBP=1000,GBP=1000', null],
      ['gbp=1000', null],
      ['ZZZ=1000', null],
      ['GBP', null],
      ['GBP=', null],
      ['=1000', null],
      ['GBP=-1', null],
      ['GBP=1.5', null],
      ['GBP=1e3', null],
      ['GBP=0x10', null],
      ['GBP=1000;NGN=1', null],
      ['GBP=1000 NGN=1', null],
      ['GBP = 1000', null],
      ['GBP=1000/2000', null],
      ['GBP=1000000000000', null],
      ['GBP=Infinity', null],
      ['true', null],
    ],
    (text) => {
      const limits = parseFourEyesAbove(text)
      return limits === null ? null : Object.fromEntries(limits)
    },
  )
})
