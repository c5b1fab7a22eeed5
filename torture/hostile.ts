/** Hostile values: inputs that have broken other services. */

import type { Rng } from './random.ts'

/** A value nested deeper than a parser should accept. */
function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const strings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\r\nX-Injected: 1',
  '\n{"level":"error","msg":"forged"}',
  '\u2028\u2029',
  '\u202egnp.exe',
  '\ufeff',
  'é'.normalize('NFD'),
  '\u{1f980}'.repeat(80),
  'ﷺ'.repeat(100),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  "' OR 1=1 --",
  '"; DROP TABLE verifications; --',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("http://127.0.0.1","a")',
  '@SUM(1+1)*cmd|calc!A0',
  '+1',
  '-1',
  '../../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  'file:///etc/passwd',
  'NaN',
  'null',
  'undefined',
  'true',
  '0x10',
  '1e400',
  '٣',
  '1,000',
  'x'.repeat(256),
  'x'.repeat(5_000),
  `${'a'.repeat(2_000)}!`,
  `${'-'.repeat(2_000)}A`,
  `${' '.repeat(2_000)}x`,
]

const numbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.1,
  0.09,
  1.5e-9,
  5e-324,
  49_999.99,
  50_000,
  50_000.01,
  500_000,
  500_000.01,
  1e15,
  1e15 + 1,
  1e21,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
]

const others: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { $ne: null },
  { length: 1e9 },
  { toString: 1, valueOf: 2 },
  { constructor: { prototype: { isAdmin: true } } },
  nested(31),
  nested(33),
  nested(200),
]

export function hostileValue(rng: Rng): unknown {
  const kind = rng.below(10)
  if (kind < 5) return hostileString(rng)
  return kind < 8 ? rng.pick(numbers) : others[rng.below(others.length)]
}

export function hostileString(rng: Rng): string {
  return rng.below(5) === 0 ? anyString(rng, rng.below(300)) : rng.pick(strings)
}

/** Characters of every kind: ASCII, other scripts, control characters, and lone surrogates. */
export function anyString(rng: Rng, length: number): string {
  let text = ''
  for (let at = 0; at < length; at += 1) {
    const kind = rng.below(20)
    const code =
      kind < 14 ? 32 + rng.below(95) : kind < 18 ? rng.below(0xd800) : kind < 19 ? rng.below(32) : 0xd800
    text += String.fromCharCode(code)
  }
  return text
}

/** JSON texts that no serialiser produces. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  'null',
  'true',
  '0',
  '"text"',
  'NaN',
  '{"corridor":"GB-NG","corridor":"NG-GB"}',
  '{"corridor":"GB-NG","amount":1e400}',
  '{"corridor":"GB-NG","amount":-1e400}',
  '{"corridor":"GB-NG","amount":1e-400}',
  '{"corridor":"GB-NG","amount":01}',
  '{"corridor":"GB-NG","amount":+1}',
  '{"corridor":"GB-NG","amount":.5}',
  '{"corridor":"GB-NG",}',
  "{'corridor':'GB-NG'}",
  '{"corridor":"GB-NG"}{"corridor":"GB-NG"}',
  '{"corridor":"GB-NG"}\u0000',
  '\ufeff{"corridor":"GB-NG"}',
  '{"__proto__":{"corridor":"GB-NG"}}',
  '{"corridor":"GB-NG","__proto__":null}',
  '{"corridor":"GB-NG","constructor":{"prototype":{"amount":1}}}',
  '{"corridor":"\\ud800"}',
  '{"corridor":"GB-NG","\\u0000":1}',
  '['.repeat(60_000),
  '{"a":'.repeat(10_000),
  `{"corridor":"GB-NG","x":"${'x'.repeat(66_000)}"}`,
]
