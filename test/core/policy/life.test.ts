/** The life of policies follows from their changes alone: at most one is active, at most one is the candidate. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lifeOf,
  refusalOf,
  type ChangeKind,
  type PolicyChange,
  type PolicyStatus,
} from '../../../src/core/policy/life.ts'
import { check } from '../../helpers/check.ts'
import fc from '../../helpers/fast-check.ts'

const ids = ['a', 'b', 'c'] as const
const candidate = (policyId: string): PolicyChange => ({ kind: 'candidate', policyId })
const promoted = (policyId: string): PolicyChange => ({ kind: 'promoted', policyId })
const rolledBack = (policyId: string): PolicyChange => ({ kind: 'rolled_back', policyId })

test('a policy goes from draft to candidate to active to retired, and a rollback goes back one by one', () => {
  check<readonly PolicyChange[], readonly PolicyStatus[]>(
    [
      [[], ['draft', 'draft', 'draft']],
      [[candidate('a')], ['candidate', 'draft', 'draft']],
      [
        [candidate('a'), candidate('b')],
        ['draft', 'candidate', 'draft'],
      ],
      [
        [candidate('a'), promoted('a')],
        ['active', 'draft', 'draft'],
      ],
      // A promotion of another leaves the candidate as it is.
      [
        [candidate('a'), promoted('b')],
        ['candidate', 'active', 'draft'],
      ],
      [
        [promoted('a'), promoted('b')],
        ['retired', 'active', 'draft'],
      ],
      [
        [promoted('a'), promoted('b'), rolledBack('b')],
        ['active', 'retired', 'draft'],
      ],
      [
        [promoted('a'), rolledBack('a')],
        ['retired', 'draft', 'draft'],
      ],
      [
        [promoted('a'), rolledBack('a'), candidate('a')],
        ['candidate', 'draft', 'draft'],
      ],
      [
        [promoted('a'), candidate('b'), rolledBack('a')],
        ['retired', 'candidate', 'draft'],
      ],
      [
        [promoted('a'), promoted('b'), promoted('a'), rolledBack('a')],
        ['retired', 'active', 'draft'],
      ],
      [
        [promoted('a'), promoted('b'), promoted('c'), rolledBack('c'), rolledBack('b')],
        ['active', 'retired', 'retired'],
      ],
    ],
    (changes) => {
      const life = lifeOf(changes)
      return ids.map((id) => life.stateOf(id))
    },
  )
})

test('a change is refused where it would change nothing', () => {
  check<readonly [readonly PolicyChange[], ChangeKind, string | null], string | null>(
    [
      [[[], 'rolled_back', null], 'nothing_to_roll_back'],
      [[[promoted('a'), rolledBack('a')], 'rolled_back', null], 'nothing_to_roll_back'],
      [[[promoted('a')], 'rolled_back', null], null],
      [[[promoted('a')], 'promoted', 'a'], 'already_active'],
      [[[promoted('a')], 'candidate', 'a'], 'already_active'],
      [[[promoted('a'), promoted('b')], 'promoted', 'a'], null],
      [[[candidate('a')], 'candidate', 'a'], 'already_candidate'],
      [[[candidate('a')], 'promoted', 'a'], null],
      [[[candidate('a')], 'candidate', 'b'], null],
    ],
    ([changes, kind, id]) => refusalOf(lifeOf(changes), kind, id),
  )
})

test('after any changes at most one policy is active and one the candidate, and rollbacks end with none', () => {
  const anyChange = fc.record({
    kind: fc.constantFrom<ChangeKind>('candidate', 'promoted', 'rolled_back'),
    policyId: fc.constantFrom(...ids),
  })
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 30 }), (wanted) => {
      const changes: PolicyChange[] = []
      const stack: string[] = []
      for (const { kind, policyId } of wanted) {
        const life = lifeOf(changes)
        if (refusalOf(life, kind, kind === 'rolled_back' ? null : policyId) !== null) continue
        changes.push({ kind, policyId: kind === 'rolled_back' ? (life.activeId ?? assert.fail()) : policyId })
        if (kind === 'promoted') stack.push(policyId)
        if (kind === 'rolled_back') stack.pop()
        const after = lifeOf(changes)
        const { activeId, candidateId } = after
        const stateOf = (id: string): PolicyStatus => after.stateOf(id)
        const states = ids.map(stateOf)
        assert.deepEqual(
          ids.filter((id) => stateOf(id) === 'active'),
          activeId === null ? [] : [activeId],
        )
        assert.ok(states.filter((state) => state === 'candidate').length <= 1)
        assert.ok(candidateId === null || stateOf(candidateId) === 'candidate')
        assert.equal(activeId, stack.at(-1) ?? null)
      }
      for (; stack.length > 0; stack.pop()) changes.push(rolledBack(stack.at(-1) ?? ''))
      assert.equal(lifeOf(changes).activeId, null)
    }),
  )
})
