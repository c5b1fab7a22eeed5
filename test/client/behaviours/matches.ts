/** Compares an outcome with the part of it that a row expects. */

import assert from 'node:assert/strict'

/**
 * Objects may have further members; lists have the same length; numbers may differ by rounding; a text may be given as
 * a pattern, and any value as a predicate.
 */
export function matches(actual: unknown, expected: unknown, path = ''): void {
  const message = `${path}: ${JSON.stringify(actual)}`
  if (expected instanceof RegExp) {
    assert.ok(typeof actual === 'string', message)
    return assert.match(actual, expected, message)
  }
  if (typeof expected === 'function')
    return assert.ok((expected as (value: unknown) => boolean)(actual), message)
  if (typeof expected === 'number' && typeof actual === 'number' && Number.isFinite(expected))
    return assert.ok(Math.abs(actual - expected) < 1e-9, `${message} is not ${expected}`)
  if (typeof expected !== 'object' || expected === null) return assert.equal(actual, expected, message)
  assert.ok(typeof actual === 'object' && actual !== null, message)
  assert.equal(Array.isArray(actual), Array.isArray(expected), message)
  if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, message)
  for (const [name, value] of Object.entries(expected))
    matches((actual as Record<string, unknown>)[name], value, `${path}.${name}`)
}
