/** The life of a review: the state that its changes give, and every act in every state by every kind of caller. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isWaiting,
  judge,
  reviewLimits,
  reviewStatuses,
  stateOf,
  type ReviewAct,
  type ReviewChangeKind,
  type ReviewState,
  type ReviewStatus,
  type ReviewStep,
} from '../../../src/core/review/life.ts'
import { check } from '../../helpers/check.ts'

/** Changes in short: `opened proposed:ann rejected:bob`. A change without a name is the service's. */
function changesOf(text: string): ReviewStep[] {
  return text.split(' ').map((word, place) => {
    const [kind = '', name] = word.split(':')
    const isProposal = kind === 'proposed'
    return {
      changeId: `rvc_${place + 1}`,
      kind: kind as ReviewChangeKind,
      by: name === undefined ? null : { principalId: name },
      action: isProposal ? 'EXECUTE' : null,
      reasonCode: isProposal ? 'CODE' : null,
      text: isProposal ? 'Because.' : null,
    }
  })
}

const nameOf = (step: ReviewStep | null): string =>
  step === null ? '-' : `${step.kind}:${step.by?.principalId ?? ''}`

/** The state in short: status, claim, proposal, resolution, number of comments and of changes. */
function shortOf(state: ReviewState<ReviewStep>): string {
  const { status, claim, proposal, resolution, comments, version } = state
  const steps = [claim, proposal, resolution].map(nameOf).join(' ')
  return `${status} ${steps} ${comments.length} ${version}`
}

test('the state of a review follows from its changes alone', () => {
  check<string, string>(
    [
      ['opened', 'open - - - 0 1'],
      ['opened commented:ann commented:bob', 'open - - - 2 3'],
      ['opened claimed:ann', 'claimed claimed:ann - - 0 2'],
      ['opened claimed:ann released:ann', 'open - - - 0 3'],
      ['opened claimed:ann released:bob claimed:bob', 'claimed claimed:bob - - 0 4'],
      ['opened proposed:ann', 'proposed proposed:ann proposed:ann - 0 2'],
      ['opened claimed:ann proposed:ann', 'proposed claimed:ann proposed:ann - 0 3'],
      ['opened claimed:ann proposed:ann released:ann', 'open - - - 0 4'],
      ['opened claimed:ann proposed:ann commented:bob', 'proposed claimed:ann proposed:ann - 1 4'],
      ['opened proposed:ann rejected:bob', 'rejected - proposed:ann rejected:bob 0 3'],
      ['opened proposed:ann rejected:bob commented:ann', 'rejected - proposed:ann rejected:bob 1 4'],
      ['opened proposed:ann rejected:bob claimed:cat', 'claimed claimed:cat - - 0 4'],
      ['opened proposed:ann rejected:bob proposed:cat', 'proposed proposed:cat proposed:cat - 0 4'],
      ['opened proposed:ann approved:bob', 'approved proposed:ann proposed:ann approved:bob 0 3'],
      ['opened expired', 'expired - - expired: 0 2'],
      ['opened claimed:ann expired', 'expired claimed:ann - expired: 0 3'],
      ['opened proposed:ann expired', 'expired proposed:ann proposed:ann expired: 0 3'],
      ['opened overridden', 'overridden - - overridden: 0 2'],
      ['opened proposed:ann overridden', 'overridden proposed:ann proposed:ann overridden: 0 3'],
    ],
    (text) => shortOf(stateOf(changesOf(text))),
  )
})

test('a review waits until it is approved, expired or overridden; a rejected one waits for another proposal', () => {
  check<ReviewStatus, boolean>(
    [
      ['open', true],
      ['claimed', true],
      ['proposed', true],
      ['rejected', true],
      ['approved', false],
      ['expired', false],
      ['overridden', false],
    ],
    isWaiting,
  )
})

/** Each status: `ann` has claimed and proposed where somebody has, and `bob` has settled. */
const histories: Readonly<Record<ReviewStatus, string>> = {
  open: 'opened',
  claimed: 'opened claimed:ann',
  proposed: 'opened claimed:ann proposed:ann',
  rejected: 'opened claimed:ann proposed:ann rejected:bob',
  approved: 'opened claimed:ann proposed:ann approved:bob',
  expired: 'opened claimed:ann proposed:ann expired',
  overridden: 'opened claimed:ann proposed:ann overridden',
}

const proposal = { kind: 'propose', action: 'EXECUTE', reasonCode: 'CODE', text: 'Because.' } as const

/** In the order of the columns of the table. */
const acts: readonly ReviewAct[] = [
  { kind: 'claim' },
  { kind: 'release' },
  { kind: 'comment', text: 'Seen.' },
  proposal,
  { ...proposal, action: 'REJECT' },
  { kind: 'approve', proposalId: null, text: null },
  { kind: 'reject', proposalId: null, text: 'No.' },
]

/** A plus: may approve, too. */
type Who = 'ann' | 'ann+' | 'bob' | 'bob+' | 'cat' | 'cat+'

interface Context {
  readonly isExpired?: boolean
  readonly needsFourEyes?: boolean
}

function judged(
  history: string,
  act: ReviewAct,
  who: Who,
  { isExpired = false, needsFourEyes = true }: Context = {},
) {
  const [principalId = '', mark] = who.split(/(?=\+)/)
  const context = { principalId, mayApprove: mark === '+', needsFourEyes, isExpired }
  return judge(stateOf(changesOf(history)), act, context) ?? 'ok'
}

/** A row: the results of all acts, in the order of the columns. */
type Row = readonly [who: Who, results: string]

// Columns: claim, release, comment, propose, propose something else, approve, reject.
const table: Readonly<Record<ReviewStatus, readonly Row[]>> = {
  open: [
    ['ann', 'ok not_claimed ok ok ok no_proposal no_proposal'],
    ['ann+', 'ok not_claimed ok ok ok no_proposal no_proposal'],
    ['bob+', 'ok not_claimed ok ok ok no_proposal no_proposal'],
  ],
  claimed: [
    ['ann', 'unchanged ok ok ok ok no_proposal no_proposal'],
    ['ann+', 'unchanged ok ok ok ok no_proposal no_proposal'],
    [
      'bob',
      'claimed_by_another claimed_by_another ok claimed_by_another claimed_by_another no_proposal no_proposal',
    ],
    ['bob+', 'claimed_by_another ok ok claimed_by_another claimed_by_another no_proposal no_proposal'],
  ],
  proposed: [
    ['ann', 'unchanged ok ok unchanged already_proposed four_eyes four_eyes'],
    ['ann+', 'unchanged ok ok unchanged already_proposed four_eyes four_eyes'],
    ['bob', 'claimed_by_another claimed_by_another ok already_proposed already_proposed ok ok'],
    ['bob+', 'claimed_by_another claimed_by_another ok already_proposed already_proposed ok ok'],
  ],
  rejected: [
    ['ann', 'ok not_claimed ok ok ok no_proposal no_proposal'],
    ['bob+', 'ok not_claimed ok ok ok no_proposal unchanged'],
    ['cat+', 'ok not_claimed ok ok ok no_proposal no_proposal'],
  ],
  approved: [
    ['ann+', 'closed closed closed closed closed closed closed'],
    ['bob+', 'closed closed closed closed closed unchanged closed'],
    ['cat+', 'closed closed closed closed closed closed closed'],
  ],
  expired: [
    ['ann+', 'closed closed closed closed closed closed closed'],
    ['bob+', 'closed closed closed closed closed closed closed'],
  ],
  overridden: [
    ['ann+', 'closed closed closed closed closed closed closed'],
    ['bob+', 'closed closed closed closed closed closed closed'],
  ],
}

for (const status of reviewStatuses) {
  test(`every act on a review that is ${status}, by every kind of caller`, () => {
    check<Who, string>(table[status], (who) =>
      acts.map((act) => judged(histories[status], act, who)).join(' '),
    )
  })
}

test('after its time a review takes no act at all, even before it is closed', () => {
  for (const status of reviewStatuses) {
    for (const [who, results] of table[status]) {
      const late = acts.map((act) => judged(histories[status], act, who, { isExpired: true }))
      const expected = isWaiting(status) ? acts.map(() => 'expired') : results.split(' ')
      assert.deepEqual(late, expected, `${status}, ${who}`)
    }
  }
})

test('without four eyes the proposer may settle, and nothing else changes', () => {
  for (const status of reviewStatuses) {
    for (const [who, results] of table[status]) {
      const alone = acts.map((act) => judged(histories[status], act, who, { needsFourEyes: false }))
      assert.equal(alone.join(' '), results.replaceAll('four_eyes', 'ok'), `${status}, ${who}`)
    }
  }
})

test('an approval or a rejection of a proposal that was replaced is refused, whoever asks', () => {
  const again = 'opened proposed:ann released:ann proposed:ann'
  const of = (kind: 'approve' | 'reject', proposalId: string): ReviewAct => ({ kind, proposalId, text: 'X' })
  for (const kind of ['approve', 'reject'] as const) {
    check<readonly [proposalId: string, who: Who], string>(
      [
        [['rvc_2', 'bob+'], 'another_proposal'],
        [['rvc_2', 'ann+'], 'another_proposal'],
        [['rvc_4', 'bob+'], 'ok'],
        [['rvc_4', 'ann+'], 'four_eyes'],
      ],
      ([proposalId, who]) => judged(again, of(kind, proposalId), who),
    )
    const settled = `opened proposed:ann ${kind === 'approve' ? 'approved' : 'rejected'}:bob`
    const refusal = kind === 'approve' ? 'closed' : 'no_proposal'
    assert.equal(judged(settled, of(kind, 'rvc_2'), 'bob+'), 'unchanged', kind)
    assert.equal(judged(settled, of(kind, 'rvc_1'), 'bob+'), refusal, kind)
  }
})

test('a proposal is the same only by the same principal with the same action, code and text', () => {
  const { proposed } = histories
  check<readonly [change: object, who: Who], string>(
    [
      [[{}, 'ann'], 'unchanged'],
      [[{ action: 'HOLD' }, 'ann'], 'already_proposed'],
      [[{ reasonCode: 'OTHER' }, 'ann'], 'already_proposed'],
      [[{ text: 'Because…' }, 'ann'], 'already_proposed'],
      [[{}, 'bob+'], 'already_proposed'],
    ],
    ([change, who]) => judged(proposed, { ...proposal, ...change }, who),
  )
})

test('a review takes 100 comments, from whomever', () => {
  assert.equal(reviewLimits.commentsMax, 100)
  const comment: ReviewAct = { kind: 'comment', text: 'Seen.' }
  const commented = (count: number): string => `opened ${'commented:ann '.repeat(count).trim()}`
  assert.equal(judged(commented(99), comment, 'bob'), 'ok')
  assert.equal(judged(commented(100), comment, 'bob'), 'too_many_comments')
  assert.equal(judged(commented(100), proposal, 'bob'), 'ok')
})

test('claims and comments end at 500 changes, proposals and withdrawals at 1,000, and a proposal can always be settled', () => {
  /** So many changes; without a last one nobody has claimed it. */
  const after = (changes: number, last = ''): string => {
    const pairs = (changes - 1 - (last === '' ? 0 : 1)) / 2
    const history = `opened ${'claimed:ann released:ann '.repeat(pairs)}${last}`.trim()
    assert.equal(changesOf(history).length, changes)
    return history
  }
  const results = (history: string, who: Who): string =>
    acts.map((act) => judged(history, act, who)).join(' ')
  // Columns as above.
  check<readonly [history: string, who: Who], string>(
    [
      [[after(499), 'ann'], 'ok not_claimed ok ok ok no_proposal no_proposal'],
      [[after(501), 'ann'], 'too_many_changes not_claimed too_many_changes ok ok no_proposal no_proposal'],
      [[after(500, 'claimed:ann'), 'ann'], 'unchanged ok too_many_changes ok ok no_proposal no_proposal'],
      [
        [after(1_000, 'claimed:ann'), 'ann'],
        'unchanged too_many_changes too_many_changes too_many_changes too_many_changes no_proposal no_proposal',
      ],
      [
        [after(1_000, 'proposed:ann'), 'bob+'],
        'claimed_by_another claimed_by_another too_many_changes already_proposed already_proposed ok ok',
      ],
    ],
    ([history, who]) => results(history, who),
  )
})
