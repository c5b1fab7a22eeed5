/** The guide of reviews has the statuses, acts, settings, scopes and bounds of the code. `examples.test.ts` executes it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { exportVersion } from '../../src/app/audit/bundle.ts'
import { eventKinds } from '../../src/core/events/event.ts'
import { scopesOfRole, type Role } from '../../src/core/identity/roles.ts'
import { changeKindOf, reviewLimits, reviewStatuses } from '../../src/core/review/life.ts'
import { limits } from '../../src/http/limits.ts'
import { HoldsQuery } from '../../src/http/schemas/reviews.ts'
import { readPage } from '../helpers/docs/pages.ts'

const page = readPage('docs/reviews.md')

/** The rows of all tables, cell by cell. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

const cellOf = (name: string, column = 2): string => rows.find(([, first]) => first === name)?.[column] ?? ''

const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z:_]+)`/g)].map(([, name = '']) => name)

test('every status and every act has a row, and every change is named', () => {
  const words = [...reviewStatuses, ...Object.keys(changeKindOf)]
  assert.deepEqual(
    words.filter((word) => cellOf(`\`${word}\``) === ''),
    [],
  )
  const changes = ['opened', ...Object.values(changeKindOf), 'expired', 'overridden']
  const [, listed = ''] = /with its principal: ([^.]+)\./.exec(page.replaceAll('\n', ' ')) ?? []
  assert.deepEqual(new Set(listed.split(', ')), new Set(changes))
})

test('the scopes of a role at the desk are those of the code', () => {
  for (const role of ['viewer', 'reviewer', 'approver'] satisfies Role[])
    assert.deepEqual(
      namesIn(cellOf(`\`${role}\``, 3)),
      scopesOfRole[role].filter((scope) => scope.startsWith('review:')),
      role,
    )
})

test('the defaults of the settings are those of the code', () => {
  const { reviews, overrideRequiresReview } = readConfig({})
  assert.equal(cellOf('`FAIRWAY_REVIEW_DUE_S`'), `\`${reviews.dueMs / 1000}\``)
  assert.equal(cellOf('`FAIRWAY_REVIEW_EXPIRES_S`'), `\`${reviews.expiresMs / 1000}\``)
  assert.equal(cellOf('`FAIRWAY_FOUR_EYES_ABOVE`'), reviews.fourEyesAbove.size === 0 ? 'none' : '')
  assert.equal(cellOf('`FAIRWAY_OVERRIDE_REQUIRES_REVIEW`'), `\`${overrideRequiresReview}\``)
})

test('the bounds are those of the code', () => {
  const figure = (count: number): string => count.toLocaleString('en')
  assert.equal(cellOf('comments of a review'), figure(reviewLimits.commentsMax))
  assert.equal(cellOf('changes of a review'), figure(reviewLimits.changesMax))
  assert.equal(
    cellOf('characters of a comment, reason or justification'),
    figure(limits.justificationLengthMax),
  )
  assert.equal(
    cellOf('reviews of a page'),
    `${limits.historyPageMax}, ${limits.historyPageDefault} unless given`,
  )
  const { minimum, maximum } = HoldsQuery.properties.hours as unknown as Record<string, number>
  assert.equal(cellOf('hours of holds'), `${minimum} to ${maximum}`)
  const [, seconds = ''] = /^1 to ([\d,]+) /.exec(cellOf('seconds until a review is due, or expires')) ?? []
  const secondsMax = Number(seconds.replaceAll(',', ''))
  const dueOf = (due: number): number => readConfig({ FAIRWAY_REVIEW_DUE_S: String(due) }).reviews.dueMs
  assert.equal(dueOf(secondsMax), secondsMax * 1000)
  assert.throws(() => dueOf(secondsMax + 1), /FAIRWAY_REVIEW_DUE_S/)
})

test('the events of reviews and the version of the export are those of the code', () => {
  const kinds = eventKinds.filter((kind) => kind.startsWith('payment.review.'))
  assert.equal(kinds.length, 2)
  assert.deepEqual(
    kinds.filter((kind) => !page.includes(`\`${kind}\``)),
    [],
  )
  assert.ok(page.includes('from version 8'))
  assert.ok(exportVersion >= 8)
})
