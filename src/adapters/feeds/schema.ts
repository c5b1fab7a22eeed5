/** The JSON schema of the feeds file. Rules beyond a schema, such as monotonic maps, are checked in `file.ts`. */

import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { signalNames } from '../../core/decision/signals.ts'
import { dayMs } from '../../core/time/durations.ts'

const closed = { additionalProperties: false } as const
const text = (lengthMax: number) => Type.String({ minLength: 1, maxLength: lengthMax })

const MaxAge = Type.Optional(
  Type.Number({
    minimum: 1,
    maximum: 366 * 86_400,
    description: 'Maximum age of a value in seconds; an older value is stale.',
  }),
)
const Cache = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: dayMs,
    description: 'Time in milliseconds for which a value is cached.',
  }),
)
const OnScale = Type.Number()

/** Numbers are mapped by points with linear interpolation; strings and booleans by cases, in the order of the scale. */
const Points = Type.Array(Type.Tuple([Type.Number(), OnScale]), { minItems: 2, maxItems: 100 })
const Cases = Type.Array(Type.Tuple([Type.Union([Type.Boolean(), text(64)]), OnScale]), {
  minItems: 1,
  maxItems: 100,
})
const MapRule = Type.Object({ points: Type.Optional(Points), cases: Type.Optional(Cases) }, closed)

const Breaker = Type.Optional(
  Type.Object(
    {
      failures: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      reset_ms: Type.Optional(Type.Integer({ minimum: 10, maximum: 600_000 })),
    },
    closed,
  ),
)

const Fetched = {
  url: text(2_048),
  headers: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: text(4_096),
        description: '`${NAME}` is replaced by an environment variable.',
      },
    ),
  ),
  max_age_s: MaxAge,
  cache_ms: Cache,
  max_bytes: Type.Optional(Type.Integer({ minimum: 64, maximum: 16_777_216 })),
  connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_024 })),
  breaker: Breaker,
}

const timeFormats = ['iso8601', 'http_date', 'epoch_s', 'epoch_ms', 'age_s'] as const

const HttpFeed = Type.Object(
  {
    source: Type.Literal('http'),
    ...Fetched,
    method: Type.Optional(Type.Enum(['GET', 'POST'])),
    value: Type.String({ pattern: '^(?:/(?:[^~/]|~[01])*)*$', description: 'A JSON pointer to the value.' }),
    observed_at: Type.Optional(
      Type.Object(
        {
          pointer: Type.Optional(Type.String({ pattern: '^(?:/(?:[^~/]|~[01])*)+$' })),
          header: Type.Optional(text(100)),
          format: Type.Optional(Type.Enum([...timeFormats])),
        },
        closed,
      ),
    ),
    map: Type.Optional(MapRule),
  },
  closed,
)

const FxSeriesFeed = Type.Object(
  {
    source: Type.Literal('fx-series'),
    ...Fetched,
    pair: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}/[A-Z]{3}$',
        description: "Default: the corridor's two currencies.",
      }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 250, description: 'Number of daily returns to use.' }),
    ),
    map: MapRule,
  },
  closed,
)

const OutcomesFeed = Type.Object(
  {
    source: Type.Literal('outcomes'),
    window_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    least: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    // Required: without it an owner's first payment could not be decided, so there would never be outcomes.
    assumed_rate: Type.Number({ minimum: 0, maximum: 1 }),
    cache_ms: Cache,
  },
  closed,
)

const ConstantFeed = Type.Object(
  {
    source: Type.Literal('constant'),
    value: Type.Union([Type.Number(), Type.Boolean(), text(64)]),
    map: Type.Optional(MapRule),
  },
  closed,
)

export const feedSchemas = {
  http: HttpFeed,
  'fx-series': FxSeriesFeed,
  outcomes: OutcomesFeed,
  constant: ConstantFeed,
} as const

export type HttpSpec = Static<typeof HttpFeed>
export type FxSeriesSpec = Static<typeof FxSeriesFeed>
export type OutcomesSpec = Static<typeof OutcomesFeed>
export type ConstantSpec = Static<typeof ConstantFeed>
export type FeedSpec = HttpSpec | FxSeriesSpec | OutcomesSpec | ConstantSpec
export type MapSpec = Static<typeof MapRule>
export type TimeFormat = (typeof timeFormats)[number]

const Code = Type.String({ pattern: '^[A-Z]{3}$' })

const FeeForm = Type.Object(
  {
    fixed: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
    percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    currency: Code,
  },
  closed,
)

const Ranking = Type.Object(
  {
    cost_tolerance: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Partners within this of the best score compete by their fees. Default 0.',
      }),
    ),
  },
  closed,
)

const clockTime = (pattern: string) => Type.String({ pattern })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

const Calendar = Type.Object(
  {
    time_zone: text(64),
    weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      description: '1 is Monday.',
    }),
    windows: Type.Array(
      Type.Object(
        {
          opens: clockTime('^(?:[01]\\d|2[0-3]):[0-5]\\d$'),
          cut_off: clockTime('^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$'),
        },
        closed,
      ),
      {
        minItems: 1,
        maxItems: 24,
        description: 'Local times. A cut-off before the opening is on the next day.',
      },
    ),
    holidays: Type.Optional(Type.Array(Day, { maxItems: 5_000 })),
    valid_through: Type.Optional(Day),
    source: Type.Optional(text(200)),
  },
  closed,
)

export type CorridorSpec = {
  readonly settlement_currency?: string
  readonly currencies?: readonly string[]
  readonly partners?: readonly string[]
  readonly calendar?: string
}
export type FeeSpec = Static<typeof FeeForm>
export type CalendarSpec = Static<typeof Calendar>
export type PartnerSpec = {
  readonly name?: string
  readonly fees?: Readonly<Record<string, FeeSpec>>
  readonly amount_max?: Readonly<Record<string, number>>
}

/** An object with any member names. */
const mapOf = (value: TSchema, options: object) =>
  Type.Object({}, { additionalProperties: value, ...options })

/** The file, with each feed left to the schema of its source. */
export const FeedsForm = frame(Type.Object({}, { additionalProperties: true }))

/** The complete schema, for editors and `fairway feeds schema`. */
export const feedsJsonSchema = frame(Type.Union(Object.values(feedSchemas)))

function frame(feed: TSchema): TObject {
  const signals = Type.Optional(
    Type.Object(Object.fromEntries(signalNames.map((name) => [name, Type.Optional(feed)])), closed),
  )
  return Type.Object(
    {
      $schema: Type.Optional(Type.String()),
      deadline_ms: Type.Optional(
        Type.Integer({
          minimum: 10,
          maximum: 30_000,
          description: 'Deadline in milliseconds for all signals together.',
        }),
      ),
      recommended_partner: Type.Optional(
        mapOf(text(100), { description: 'By corridor, for corridors without declared partners.' }),
      ),
      signals,
      corridors: Type.Optional(
        mapOf(corridorOf(signals), {
          minProperties: 1,
          maxProperties: 1_000,
          description: 'The supported corridors of live mode, like GB-KE. Without it: GB-NG and NG-GB.',
        }),
      ),
      partners: Type.Optional(
        mapOf(partnerOf(signals), { maxProperties: 10_000, description: 'By id, which the API uses.' }),
      ),
      ranking: Type.Optional(Ranking),
      calendars: Type.Optional(mapOf(Calendar, { maxProperties: 1_000 })),
    },
    closed,
  )
}

function corridorOf(signals: TSchema): TObject {
  return Type.Object(
    {
      settlement_currency: Type.Optional(Code),
      currencies: Type.Optional(Type.Array(Code, { minItems: 1, maxItems: 20 })),
      signals,
      partners: Type.Optional(Type.Array(text(64), { minItems: 1, maxItems: 50 })),
      calendar: Type.Optional(text(64)),
    },
    closed,
  )
}

function partnerOf(signals: TSchema): TObject {
  return Type.Object(
    {
      name: Type.Optional(text(100)),
      signals,
      fees: Type.Optional(mapOf(FeeForm, { description: 'By corridor.' })),
      amount_max: Type.Optional(
        mapOf(Type.Number({ minimum: 0, maximum: 1e15 }), {
          description: "By corridor: the largest payment it takes, in units of the payment's currency.",
        }),
      ),
    },
    closed,
  )
}
