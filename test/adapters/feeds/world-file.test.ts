/** Declared corridors, partners and calendars: every fault of the file is reported at once, with its line and field. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readFeeds, type FeedsFile } from '../../../src/adapters/feeds/file.ts'
import { feedsJsonSchema } from '../../../src/adapters/feeds/schema.ts'
import { corridorOf } from '../../helpers/check.ts'
import { Compile } from 'typebox/compile'

const http = (more: object = {}) => ({ source: 'http', url: 'https://p.example/x', value: '/v', ...more })
const calendar = {
  time_zone: 'Africa/Nairobi',
  weekdays: [1, 2, 3, 4, 5],
  windows: [{ opens: '08:00', cut_off: '15:30' }],
}

/** A good world, into which each row puts one fault. */
const good = {
  signals: { fraud_flags: http() },
  corridors: { 'GB-KE': { partners: ['alpha'], calendar: 'nairobi' } },
  partners: { alpha: { fees: { 'GB-KE': { fixed: 1, currency: 'GBP' } }, amount_max: { 'GB-KE': 10 } } },
  calendars: { nairobi: calendar },
}

function findingsOf(file: unknown): string[] {
  const read = readFeeds(JSON.stringify(file, null, 1), {})
  return read.kind === 'read' ? [] : read.findings.map(({ field, message }) => `${field} ${message}`)
}

function fileOf(file: unknown): FeedsFile {
  const read = readFeeds(JSON.stringify(file), {})
  return read.kind === 'read' ? read.file : assert.fail(JSON.stringify(read.findings))
}

const corridor = (more: object) => ({ ...good, corridors: { 'GB-KE': more } })
const named = (name: string) => ({ ...good, corridors: { [name]: {} }, partners: {} })
const partner = (more: object, id = 'alpha') => ({ ...good, partners: { ...good.partners, [id]: more } })
const fees = (fee: object) => partner({ fees: { 'GB-KE': fee } })
const nairobi = (more: object) => ({ ...good, calendars: { nairobi: { ...calendar, ...more } } })

const rows: readonly (readonly [file: object, field: string, message: RegExp])[] = [
  [named('gb-ke'), '/corridors/gb-ke', /like GB-KE/],
  [named('Kenya'), '/corridors/Kenya', /must be a corridor/],
  [{ ...good, corridors: {}, partners: {} }, '/corridors', /properties/],
  [corridor({ settlement_currency: 'ABC' }), '/corridors/GB-KE/settlement_currency', /ISO 4217/],
  [corridor({ settlement_currency: 'kes' }), '/corridors/GB-KE/settlement_currency', /ISO 4217/],
  [corridor({ currencies: [] }), '/corridors/GB-KE/currencies', /1 item/],
  [corridor({ currencies: ['GBP', 'GBP'] }), '/corridors/GB-KE/currencies/1', /repeated/],
  [corridor({ partners: ['beta'] }), '/corridors/GB-KE/partners/0', /not a declared partner/],
  [corridor({ partners: ['alpha', 'alpha'] }), '/corridors/GB-KE/partners/1', /repeated/],
  [corridor({ calendar: 'lagos' }), '/corridors/GB-KE/calendar', /not a declared calendar/],
  [corridor({ currency: 'KES' }), '/corridors/GB-KE/currency', /unknown member/],
  [corridor({ signals: { fraud: http() } }), '/corridors/GB-KE/signals/fraud', /unknown member/],
  [
    corridor({ signals: { fraud_flags: http({ value: 'v' }) } }),
    '/corridors/GB-KE/signals/fraud_flags/value',
    /pointer/,
  ],
  [partner({}, 'two words'), '/partners/two words', /must be an id/],
  [partner({ name: '' }), '/partners/alpha/name', /1 char/],
  [
    partner({ signals: { cop_overridden: { source: 'outcomes', assumed_rate: 0 } } }),
    '/partners/alpha/signals/cop_overridden/source',
    /historical_failure_rate/,
  ],
  [fees({ fixed: 1 }), '/partners/alpha/fees/GB-KE', /needs currency/],
  [fees({ fixed: -1, currency: 'GBP' }), '/partners/alpha/fees/GB-KE/fixed', />= 0/],
  [fees({ percent: 0.00001, currency: 'GBP' }), '/partners/alpha/fees/GB-KE/percent', /4 decimals/],
  [fees({ percent: 101, currency: 'GBP' }), '/partners/alpha/fees/GB-KE/percent', /<= 100/],
  [
    partner({ fees: { 'GB-NG': { currency: 'GBP' } } }),
    '/partners/alpha/fees/GB-NG',
    /not a declared corridor/,
  ],
  [partner({ amount_max: { 'GB-NG': 5 } }), '/partners/alpha/amount_max/GB-NG', /not a declared corridor/],
  [{ ...good, ranking: { cost_tolerance: 0.005 } }, '/ranking/cost_tolerance', /two decimals/],
  [{ ...good, ranking: { cost_tolerance: 2 } }, '/ranking/cost_tolerance', /<= 1/],
  [{ ...good, recommended_partner: { 'GB-KE': 'x' } }, '/recommended_partner/GB-KE', /declared partners/],
  [
    { ...good, recommended_partner: { 'NG-GB': 'x' } },
    '/recommended_partner/NG-GB',
    /not a supported corridor/,
  ],
  [nairobi({ time_zone: 'Nairobi' }), '/calendars/nairobi/time_zone', /like Africa\/Nairobi/],
  [nairobi({ time_zone: '+03:00' }), '/calendars/nairobi/time_zone', /like Africa\/Nairobi/],
  [nairobi({ weekdays: [0] }), '/calendars/nairobi/weekdays/0', />= 1/],
  [nairobi({ weekdays: [1, 1] }), '/calendars/nairobi/weekdays/1', /repeats/],
  [
    nairobi({ windows: [{ opens: '8:00', cut_off: '15:30' }] }),
    '/calendars/nairobi/windows/0/opens',
    /like 08:00/,
  ],
  [
    nairobi({ windows: [{ opens: '08:00', cut_off: '24:30' }] }),
    '/calendars/nairobi/windows/0/cut_off',
    /like 15:30/,
  ],
  [
    nairobi({
      windows: [
        { opens: '08:00', cut_off: '12:00' },
        { opens: '11:00', cut_off: '13:00' },
      ],
    }),
    '/calendars/nairobi/windows/1',
    /overlaps/,
  ],
  [nairobi({ holidays: ['2026-02-30'] }), '/calendars/nairobi/holidays/0', /./],
  [nairobi({ valid_through: '2026-13-01' }), '/calendars/nairobi/valid_through', /./],
]

for (const [file, field, message] of rows) {
  test(`a fault at ${field} is reported there (${message.source})`, () => {
    const [found, ...others] = findingsOf(file)
    assert.deepEqual(others, [])
    assert.ok(found?.startsWith(`${field} `), found)
    assert.match(found ?? '', message)
  })
}

test('all faults are reported at once, in the order of their lines, whatever their kinds', () => {
  const file = {
    signals: { fraud_flags: http({ url: 'ftp://x' }) },
    corridors: { 'GB-KE': { partners: ['nobody'], calendar: 7 }, 'gb-gh': { calendar: 'nowhere' } },
    partners: {
      alpha: { fees: { 'GB-XX': { currency: 'GBP' } }, signals: { fraud_flags: { source: 'magic' } } },
    },
    ranking: { cost_tolerance: 0.001 },
    calendars: {
      bad: { time_zone: 'Mars/Olympus', weekdays: [1], windows: [{ opens: '08:00', cut_off: '09:00' }] },
    },
  }
  const fields = findingsOf(file).map((finding) => finding.split(' ')[0])
  assert.deepEqual(fields, [
    '/signals/fraud_flags/url',
    '/corridors/GB-KE/partners/0',
    '/corridors/GB-KE/calendar',
    '/corridors/gb-gh',
    '/corridors/gb-gh/calendar',
    '/partners/alpha/fees/GB-XX',
    '/partners/alpha/signals/fraud_flags/source',
    '/ranking/cost_tolerance',
    '/calendars/bad/time_zone',
  ])
  const read = readFeeds(JSON.stringify(file, null, 1), {})
  const lines = read.kind === 'bad' ? read.findings.map(({ line }) => line) : []
  assert.deepEqual(
    lines,
    lines.toSorted((left, right) => left - right),
  )
  assert.ok(lines.every((line) => line > 1))
})

test('no fault of a calendar, a fee or a feed hides another', () => {
  const file = {
    ...good,
    signals: { fraud_flags: http({ url: 'ftp://x', value: 7 }) },
    partners: {
      alpha: {
        fees: { 'GB-KE': { fixed: '1', percent: 0.00001, currency: 'XXQ' }, 'GB-XX': { currency: 'GBP' } },
        amount_max: { 'GB-KE': 'many', 'GB-XX': 1 },
      },
    },
    calendars: {
      nairobi: {
        time_zone: 'Nowhere/Else',
        weekdays: [1, 1],
        windows: [
          { opens: '08:00', cut_off: '12:00' },
          { opens: '11:00', cut_off: '13:00' },
        ],
        holidays: ['2026-02-30', '2026-04-31'],
        valid_through: '2026-13-01',
      },
    },
  }
  const fields = findingsOf(file).map((finding) => finding.split(' ')[0])
  assert.deepEqual(
    new Set(fields),
    new Set([
      '/signals/fraud_flags/value',
      '/signals/fraud_flags/url',
      '/partners/alpha/fees/GB-KE/fixed',
      '/partners/alpha/fees/GB-KE/percent',
      '/partners/alpha/fees/GB-KE/currency',
      '/partners/alpha/fees/GB-XX',
      '/partners/alpha/amount_max/GB-KE',
      '/partners/alpha/amount_max/GB-XX',
      '/calendars/nairobi/time_zone',
      '/calendars/nairobi/weekdays/1',
      '/calendars/nairobi/windows/1',
      '/calendars/nairobi/holidays/0',
      '/calendars/nairobi/holidays/1',
      '/calendars/nairobi/valid_through',
    ]),
  )
  assert.equal(fields.length, 14)
})

test('a member that is malformed does not make others look undeclared', () => {
  const file = {
    ...good,
    corridors: { 'GB-KE': 7 },
    calendars: { nairobi: { time_zone: 'Africa/Nairobi' } },
  }
  assert.deepEqual(
    findingsOf(file).map((finding) => finding.split(' ')[0]),
    ['/corridors/GB-KE', '/calendars/nairobi'],
  )
})

test('names that every object inherits are not declared', () => {
  const file = {
    ...good,
    corridors: { 'GB-KE': { partners: ['constructor'], calendar: 'toString' } },
    partners: { alpha: { fees: { constructor: { currency: 'GBP' } } } },
  }
  assert.deepEqual(
    findingsOf(file).map((finding) => finding.split(' ')[0]),
    ['/corridors/GB-KE/partners/0', '/corridors/GB-KE/calendar', '/partners/alpha/fees/constructor'],
  )
})

test('an FX series needs two different currencies, or a pair', () => {
  const fx = { source: 'fx-series', url: 'https://x.example/r.csv', map: { points: [[0, 1], [1, 0]] } } // prettier-ignore
  const euros = (spec: object) => ({ signals: { fx_volatility: spec }, corridors: { 'FR-DE': {} } })
  assert.deepEqual(findingsOf(euros(fx)), [
    '/corridors/FR-DE has no pair of currencies for its FX series: name one, or declare fx_volatility otherwise',
  ])
  assert.deepEqual(findingsOf(euros({ ...fx, pair: 'EUR/USD' })), [])
  assert.deepEqual(findingsOf(euros({ source: 'constant', value: 1 })), [])
})

test('a URL for each partner needs partners', () => {
  const perPartner = http({ url: 'https://p.example/{partner}' })
  const alone = { signals: { fraud_flags: perPartner }, corridors: { 'GB-KE': {} } }
  assert.deepEqual(findingsOf(alone), ['/signals/fraud_flags/url has {partner}, but GB-KE has no partners'])
  assert.deepEqual(findingsOf({ signals: { fraud_flags: perPartner } }), [
    '/signals/fraud_flags/url has {partner}, but GB-NG has no partners',
  ])
  const own = { signals: { fraud_flags: http() } }
  assert.deepEqual(findingsOf({ ...alone, corridors: { 'GB-KE': own } }), [])
  assert.deepEqual(findingsOf({ ...good, signals: { fraud_flags: perPartner } }), [])
})

test('what a file leaves out is as the contract has it', () => {
  const { world } = fileOf({ corridors: { 'GB-KE': {} } })
  assert.deepEqual(
    [...world.corridors.values()],
    [
      {
        corridor: 'GB-KE',
        settlementCurrency: 'KES',
        currencies: ['GBP', 'KES'],
        partners: [],
        recommendedPartner: null,
        calendar: null,
      },
    ],
  )
  assert.equal(world.toleranceHundredths, 0)
  const { world: older } = fileOf({ signals: {}, recommended_partner: { 'NG-GB': 'one' } })
  assert.deepEqual([...older.corridors.keys()], ['GB-NG', 'NG-GB'])
  assert.equal(older.corridors.get(corridorOf('NG-GB'))?.recommendedPartner, 'one')
})

test('the published schema takes the examples, and refuses what the reader refuses by form', () => {
  const schema = Compile(feedsJsonSchema)
  for (const path of ['examples/world/world.json', 'examples/feeds/feeds.json']) {
    const content = readFileSync(path, 'utf8')
    assert.equal(readFeeds(content, {}).kind, 'read', path)
    assert.ok(schema.Check(JSON.parse(content)), path)
  }
  assert.ok(schema.Check(good))
  assert.ok(!schema.Check({ ...good, corridors: { 'GB-KE': { partners: [] } } }))
  assert.ok(!schema.Check({ ...good, calendars: { nairobi: { ...calendar, weekdays: [8] } } }))
})

test('the example world has three corridors, four partners and two calendars', () => {
  const read = readFeeds(readFileSync('examples/world/world.json', 'utf8'), {})
  const corridors = read.kind === 'read' ? [...read.file.world.corridors.values()] : []
  const partners = new Set(corridors.flatMap((one) => one.partners.map(({ id }) => id)))
  const calendars = new Set(corridors.flatMap((one) => one.calendar ?? []))
  assert.deepEqual([corridors.length, partners.size, calendars.size], [3, 4, 2])
})
