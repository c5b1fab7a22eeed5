/** Corridors: every accepted spelling meets in one canonical form, and everything else is refused. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../helpers/fast-check.ts'
import {
  corridorLengthMax,
  isSupported,
  parseCorridor,
  settlementCurrency,
  supportedCorridors,
  acceptsCurrency,
} from '../../../src/core/reference/corridor.ts'
import { parseCurrency } from '../../../src/core/reference/currency.ts'
import { countryRows } from '../../../src/core/reference/data/countries.ts'
import { check, corridorOf, currencyOf } from '../../helpers/check.ts'

const parse = (text: string): string | null => parseCorridor(text)

test('codes in any case, three-letter codes, names and UK become the canonical corridor', () => {
  check(
    [
      ['GB-NG', 'GB-NG'],
      ['gb-ng', 'GB-NG'],
      ['Gb-nG', 'GB-NG'],
      ['  GB-NG ', 'GB-NG'],
      ['\tng-gb\n', 'NG-GB'],
      ['UK-NG', 'GB-NG'],
      ['ng-uk', 'NG-GB'],
      ['GBR-NGA', 'GB-NG'],
      ['nga-gbr', 'NG-GB'],
      ['GBR-ng', 'GB-NG'],
      ['United Kingdom-Nigeria', 'GB-NG'],
      ['united_kingdom-nigeria', 'GB-NG'],
      ['UNITED KINGDOM-NIGERIA', 'GB-NG'],
      ['Nigeria-United Kingdom', 'NG-GB'],
      ["Côte d'Ivoire-France", 'CI-FR'],
      ['cote d’ivoire-france', 'CI-FR'],
      ['Guinea-Bissau-Guinea', 'GW-GN'],
      ['Guinea-Guinea-Bissau', 'GN-GW'],
      ['Guinea-Bissau-Guinea-Bissau', 'GW-GW'],
      ['Timor-Leste-GB', 'TL-GB'],
      ['ZZ-QQ', 'ZZ-QQ'],
      ['GB-GB', 'GB-GB'],
    ],
    parse,
  )
})

test('anything that names no two countries is refused', () => {
  const refused = [
    '',
    '-',
    'GB',
    'GBNG',
    'GB-',
    '-NG',
    'GB_NG',
    'GB/NG',
    'GB–NG',
    'GB→NG',
    'GB--NG',
    'GB-NG-',
    '-GB-NG',
    'GB-NG-GB',
    'G-NG',
    'GB-N1',
    '12-34',
    'GBX-NGX',
    'Atlantis-Nigeria',
    'United Kingdom to Nigeria',
    'GB-NG\u0000',
    'ГБ-НГ',
    'toString-NG',
    'constructor-GB',
    'x'.repeat(corridorLengthMax + 1),
    `GB-${' '.repeat(corridorLengthMax)}NG`,
  ]
  check(
    refused.map((text) => [text, null]),
    parse,
  )
})

test('a name with stray hyphens, brackets or foreign letters beside it is refused, as a code is', () => {
  const refused = [
    'GBR-NGA-',
    'GBR--NGA',
    '-GBR-NGA',
    '(((GBR-NGA',
    'GBR&-NGA',
    'GB-Nigeria漢',
    'GB-Nigeria ж',
    'United Kingdom,,,-Nigeria',
  ]
  check(
    refused.map((text) => [text, null]),
    parse,
  )
})

/** Two countries are called Congo; the name alone stands for neither. */
const ownNames = countryRows.flatMap(([alpha2, alpha3, , ...names]) =>
  [alpha3, ...names].filter((name) => name !== 'Congo').map((name) => [name, alpha2] as const),
)

test('every name of every country stands for it at both ends, in any case, with spaces or underscores', () => {
  const spellings = ([name, code]: readonly [string, string]) =>
    [name, name.toLowerCase(), name.toUpperCase(), name.replaceAll(' ', '_')].flatMap(
      (spelling): [string, string][] => [
        [`${spelling}-NG`, `${code}-NG`],
        [`GB-${spelling}`, `GB-${code}`],
      ],
    )
  check(ownNames.flatMap(spellings), (text) => parse(text) ?? 'refused')
})

test('a name that two countries share is refused, not guessed', () => {
  check(
    [
      ['GB-Congo', null],
      ['congo-NG', null],
      ['GB-COD', 'GB-CD'],
      ['GB-COG', 'GB-CG'],
    ],
    parse,
  )
})

test('any two names make the corridor of their two countries', () => {
  const name = fc.constantFrom(...ownNames)
  fc.assert(
    fc.property(name, name, ([from, fromCode], [to, toCode]) => {
      assert.equal(parse(`${from}-${to}`), `${fromCode}-${toCode}`)
    }),
    { numRuns: 1000 },
  )
})

test('the canonical form is a fixed point, and no text at all makes the parser throw', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Za-z_ '-]{0,40}$/))
  fc.assert(
    fc.property(text, (any) => {
      const corridor = parse(any)
      if (corridor === null) return
      assert.match(corridor, /^[A-Z]{2}-[A-Z]{2}$/)
      assert.equal(parse(corridor), corridor)
    }),
    { numRuns: 1000 },
  )
})

test('no country table row is too long for the longest accepted spelling', () => {
  const longest = Math.max(...ownNames.map(([name]) => name.length))
  assert.ok(2 * longest + 1 <= corridorLengthMax)
})

test('GB-NG and NG-GB are supported, and no other corridor is', () => {
  assert.deepEqual(supportedCorridors, ['GB-NG', 'NG-GB'])
  fc.assert(
    fc.property(fc.stringMatching(/^(GB|NG|US|[A-Z]{2})-(GB|NG|US|[A-Z]{2})$/), (text) => {
      assert.equal(isSupported(corridorOf(text)), text === 'GB-NG' || text === 'NG-GB')
    }),
  )
})

test('the settlement currency is that of the destination, or null where that is no country', () => {
  check(
    [
      ['GB-NG', 'NGN'],
      ['NG-GB', 'GBP'],
      ['US-MX', 'MXN'],
      ['GB-DE', 'EUR'],
      ['GB-ZZ', null],
    ],
    (text: string): string | null => settlementCurrency(corridorOf(text)),
  )
})

test('every settlement currency is a currency that a request may name', () => {
  const strangers = countryRows
    .map(([alpha2]) => settlementCurrency(corridorOf(`GB-${alpha2}`)))
    .filter((currency) => currency !== null && parseCurrency(currency) === null)
  assert.deepEqual(strangers, [])
})

test('a corridor takes the currencies of its two ends and no other', () => {
  check(
    [
      [['GB-NG', 'GBP'], true],
      [['GB-NG', 'NGN'], true],
      [['NG-GB', 'GBP'], true],
      [['NG-GB', 'NGN'], true],
      [['GB-NG', 'USD'], false],
      [['NG-GB', 'EUR'], false],
      [['US-MX', 'GBP'], false],
      [['ZZ-QQ', 'GBP'], false],
    ],
    ([corridor, currency]: readonly [string, string]) =>
      acceptsCurrency(corridorOf(corridor), currencyOf(currency)),
  )
})

test('what no country is called is refused before it is unfolded, letter by letter and hyphen by hyphen', () => {
  // One such letter unfolds to eighteen.
  for (const text of ['-\ufdfa'.repeat(64), '-'.repeat(128), 'a-'.repeat(64), '英国-尼日利亚']) {
    assert.equal(parseCorridor(text), null)
  }
  assert.equal(parseCorridor('united-kingdom-south-georgia-and-the-south-sandwich-islands'), 'GB-GS')
  assert.equal(parseCorridor('C\u00f4te d\u2019Ivoire-Nigeria'), parseCorridor('CI-NG'))
})
