/** The event stream: it follows or ends, goes on from any event, and never repeats one for ever. */

import { refused, type Scripted } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'

const page = (next: string, ...ids: string[]): Scripted => ({
  status: 200,
  body: { events: ids.map((id) => ({ id, subject: `of ${id}` })), next },
})
const unexpected = ['UnexpectedAnswerError', 'FairwayError']
const stream = { call: 'events', read: 'items' } as const
const asked = (query: object) => ({ path: '/api/v1/events', query })

const waits: readonly Row[] = [
  [undefined, '20'],
  [0, '1'],
  [5, '5'],
].map(([wait, sent]) => ({
  name: `a loop that follows waits ${sent} s at the server if it is told ${wait ?? 'nothing'}`,
  script: [page('evt_1', 'evt_1')],
  steps: [
    {
      ...stream,
      query: wait === undefined ? {} : { wait_s: wait },
      take: 1,
      expect: {
        answer: [{ id: 'evt_1' }],
        requests: [asked({ wait_s: sent, limit: '1000', after: undefined })],
      },
    },
  ],
}))

export const events: readonly Row[] = [
  {
    name: 'a loop that follows goes on after each answer from where it ended, empty ones too',
    script: [page('evt_2', 'evt_1', 'evt_2'), page('evt_2'), page('evt_3'), page('evt_4', 'evt_4')],
    steps: [
      {
        ...stream,
        query: {},
        take: 3,
        expect: {
          answer: [{ id: 'evt_1', subject: 'of evt_1' }, { id: 'evt_2' }, { id: 'evt_4' }],
          requests: [undefined, 'evt_2', 'evt_2', 'evt_3'].map((after) => asked({ after, wait_s: '20' })),
        },
      },
    ],
  },
  {
    name: 'a loop that does not follow ends with the first answer without events, and does not wait',
    script: [page('evt_1', 'evt_1'), page('evt_2', 'evt_2'), page('evt_2')],
    steps: [
      {
        ...stream,
        query: { follow: false, wait_s: 5 },
        expect: {
          answer: [{ id: 'evt_1' }, { id: 'evt_2' }],
          requests: [undefined, 'evt_1', 'evt_2'].map((after) =>
            asked({ after, limit: '1000', wait_s: '0' }),
          ),
        },
      },
    ],
  },
  {
    name: 'a loop goes on from an event that the caller has, in pages as large as the caller says',
    script: [page('evt_8', 'evt_8'), page('evt_8')],
    steps: [
      {
        ...stream,
        query: { after: 'evt_7', limit: 7, follow: false },
        expect: {
          answer: [{ id: 'evt_8' }],
          requests: ['evt_7', 'evt_8'].map((after) => asked({ after, limit: '7' })),
        },
      },
    ],
  },
  ...waits,
  {
    name: 'one page is asked for as the caller says, and is the answer of the server',
    script: [page('evt_1', 'evt_1')],
    steps: [
      {
        call: 'events',
        query: {},
        read: 'page',
        expect: {
          answer: { events: [{ id: 'evt_1' }], next: 'evt_1' },
          requests: [{ url: '/api/v1/events' }],
        },
      },
      {
        call: 'events',
        query: { wait_s: 30 },
        read: 'page',
        expect: { answer: { next: 'evt_1' }, requests: [{ url: '/api/v1/events?wait_s=30' }] },
      },
    ],
  },
  {
    name: 'pages come one by one, without the empty ones',
    script: [page('evt_1', 'evt_1'), page('evt_3', 'evt_2', 'evt_3'), page('evt_3')],
    steps: [
      {
        call: 'events',
        query: { follow: false },
        read: 'pages',
        expect: {
          answer: [{ next: 'evt_1' }, { next: 'evt_3', events: [{ id: 'evt_2' }, { id: 'evt_3' }] }],
        },
      },
    ],
  },
  ...Object.entries({
    'no list of events': { next: 'evt_1' },
    'events that are no list': { events: {}, next: 'evt_1' },
    'no cursor': { events: [{ id: 'evt_1' }] },
  }).map(([name, body]) => ({
    name: `an answer with ${name} is refused`,
    script: [{ status: 200, body }],
    steps: [
      { ...stream, query: {}, expect: { error: { classes: unexpected }, taken: [], sent: 1 } },
      {
        call: 'events',
        query: {},
        read: 'page' as const,
        expect: { error: { classes: unexpected }, sent: 1 },
      },
    ],
  })),
  {
    name: 'an answer with events and the cursor that was sent is refused: they would come for ever',
    script: [page('evt_1', 'evt_1')],
    steps: [
      {
        ...stream,
        query: { after: 'evt_1' },
        expect: { error: { classes: unexpected }, taken: [], sent: 1 },
      },
    ],
  },
  {
    name: 'a fault is asked again about, and no event is lost or seen twice',
    script: [
      page('evt_1', 'evt_1'),
      'half',
      refused(503, 'STOPPING', { 'retry-after': '2' }),
      page('evt_2', 'evt_2'),
    ],
    steps: [
      {
        ...stream,
        query: {},
        take: 2,
        expect: {
          answer: [{ id: 'evt_1' }, { id: 'evt_2' }],
          waits: [1, 2],
          requests: [undefined, 'evt_1', 'evt_1', 'evt_1'].map((after) => asked({ after })),
        },
      },
    ],
  },
]
