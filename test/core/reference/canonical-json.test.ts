/** Guarantees: our canonical JSON is that of the library `canonicalize`, byte for byte, and refuses what it refuses. */

import assert from 'node:assert/strict'
import { it } from 'node:test'
import canonicalize from 'canonicalize'
import { canonicalJson } from '../../../src/core/reference/canonical-json.ts'
import fc from '../../helpers/fast-check.ts'

it('writes every JSON value as the library does', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('10', '9', '1', '__proto__', 'é', 'z'),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, -0, '', 'a"b\\c', '\u2028', '\u0000', 1e21, 1e-7),
      fc.array(tie('value')),
      fc.dictionary(names, tie('value')),
    ),
  }))
  const isSame = (written: unknown): void => assert.equal(canonicalJson(written), canonicalize(written))
  fc.assert(fc.property(value, isSame), { numRuns: 2_000 })
})

it('leaves out members that are undefined, and writes null for such items, as the library does', () => {
  const value = { b: undefined, a: [undefined, 1] }
  assert.equal(canonicalJson(value), canonicalize(value))
})

it('refuses what JSON does not have, as the library does', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, [{ a: '\ud800b' }]]) {
    assert.throws(() => canonicalJson(value), TypeError)
    assert.throws(() => canonicalize(value))
  }
  assert.throws(() => canonicalJson(undefined), TypeError)
})
