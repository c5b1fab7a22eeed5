/** The compiler of policies takes any text and any JSON: it compiles, or tells what is wrong and where. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePolicy } from '../../../src/app/policy/compile.ts'
import fc from '../../helpers/fast-check.ts'

const operators = `( ) [ ] { } . , ? : ! - + * / % < > <= >= == != && || in " ' """ ''' r" b" // \n`.split(
  ' ',
)
const ruled = (when: string) => ({ name: 'Any', rules: [{ id: 'a', when, then: 'NO-GO', message: 'Stop.' }] })

/** Texts that look like CEL: its tokens in any order, with some of everything else. */
const anyExpression = fc.oneof(
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...operators),
        fc.constantFrom(
          'amount',
          'currency',
          'flagged',
          'signals',
          'risk',
          'calendar',
          'open',
          'hour',
          'x',
          'null',
        ),
        fc.constantFrom(
          'all',
          'exists',
          'exists_one',
          'map',
          'size',
          'matches',
          'has',
          'constructor',
          '__proto__',
        ),
        fc.constantFrom(
          '"a"',
          '1',
          '0',
          '1.5',
          '1u',
          '0x7f',
          '1e9',
          'true',
          'false',
          ' ',
          '\u0000',
          '\ud800',
          'é',
        ),
      ),
      { maxLength: 30 },
    )
    .map((tokens) => tokens.join('')),
  fc.string({ maxLength: 60, unit: 'binary' }),
)

/** Whether it compiles or not, every fault has a place; returns whether it compiles. */
function isCompiled(document: unknown): boolean {
  const compiled = compilePolicy(document)
  if (compiled.kind === 'compiled') {
    assert.match(compiled.as('pol_1').sha256, /^[0-9a-f]{64}$/)
    return true
  }
  assert.ok(compiled.faults.length > 0)
  for (const { path, message, position = 1 } of compiled.faults) {
    assert.match(path, /^(?:\/|$)/)
    assert.ok(message !== '' && Number.isInteger(position) && position >= 1, message)
  }
  return false
}

test('no text of an expression makes the compiler fail', () => {
  fc.assert(
    fc.property(anyExpression, (when) => {
      isCompiled(ruled(when))
    }),
    { numRuns: 3_000 },
  )
})

test('no JSON value makes the compiler fail', () => {
  const anyPart = fc.oneof(fc.jsonValue(), anyExpression)
  const anyRule = fc.record(
    {
      id: fc.oneof(fc.constant('a'), anyPart),
      when: anyPart,
      then: anyPart,
      message: anyPart,
      more: anyPart,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  const anyDocument = fc.record(
    {
      name: fc.oneof(fc.constant('Any'), anyPart),
      require_amount: fc.oneof(fc.boolean(), anyPart),
      caps: fc.oneof(
        fc.dictionary(fc.constantFrom('GBP', '__proto__', 'constructor', 'x/y~'), anyPart),
        anyPart,
      ),
      go_floor: anyPart,
      no_go_below: anyPart,
      rules: fc.oneof(fc.array(fc.oneof(anyRule, anyPart), { maxLength: 3 }), anyPart),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(fc.oneof(anyDocument, fc.jsonValue()), (document) => {
      isCompiled(JSON.parse(JSON.stringify(document)))
    }),
    { numRuns: 1_000 },
  )
})
