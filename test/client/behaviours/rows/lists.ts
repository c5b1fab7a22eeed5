/** Lists are walked whole or not at all, page by page, at the client's own address. */

import type { Scripted } from '../../../helpers/peers/scripted.ts'
import type { Row } from '../row.ts'

const unexpected = ['UnexpectedAnswerError', 'FairwayError']
const walk = { call: 'verifications', query: {}, read: 'items' } as const
const page = (body: unknown, link?: string): Scripted => ({
  status: 200,
  body,
  headers: link === undefined ? {} : { link },
})

const links: readonly Row[] = Object.entries({
  'without quotes': '</api/verifications?cursor=c2>; rel=next',
  'after others':
    '</api/verifications>; rel="first", </api/verifications?cursor=c1>; rel="prev", </x?cursor=c2>; rel="next"',
  'with further parameters': '</api/verifications?limit=9&cursor=c2&mode=live>; title="x"; rel="next"',
  'to another host': '<{elsewhere}/api/verifications?cursor=c2>; rel="next"',
}).map(([name, link]) => ({
  name: `of a Link ${name} the cursor alone is taken`,
  script: [page([1, 2], link), page([3])],
  elsewhere: [page([])],
  steps: [
    {
      ...walk,
      query: { limit: 2, mode: 'shadow' },
      expect: {
        answer: [1, 2, 3],
        requests: [
          { path: '/api/verifications', query: { limit: '2', mode: 'shadow', cursor: undefined } },
          { path: '/api/verifications', query: { limit: '2', mode: 'shadow', cursor: 'c2' } },
        ],
      },
    },
  ],
}))

const noLists: readonly Row[] = Object.entries({
  'an object': { items: [] },
  'no JSON': null,
}).map(([name, body]) => ({
  name: `${name} is not walked as a list`,
  script: [page(body)],
  steps: [{ ...walk, expect: { error: { classes: unexpected }, taken: [], sent: 1 } }],
}))

const noMembers: readonly Row[] = [{}, { reviews: {} }, { reviews: 'x' }, []].map((body) => ({
  name: `${JSON.stringify(body)} is not walked as a list of reviews`,
  script: [page(body)],
  steps: [
    {
      call: 'reviews',
      query: {},
      read: 'items',
      expect: { error: { classes: unexpected }, taken: [], sent: 1 },
    },
  ],
}))

const table = (text: string, cursor?: string, type = 'text/csv; charset=utf-8'): Scripted => ({
  status: 200,
  text,
  headers: {
    'content-type': type,
    ...(cursor === undefined ? {} : { link: `</api/verifications?cursor=${cursor}>; rel="next"` }),
  },
})
const exported = { call: 'exportVerifications', query: {}, read: 'items' } as const

const exports: readonly Row[] = [
  {
    name: 'an export is one table with one header, in chunks of complete lines',
    script: [table('a,b\n1,"x\ny"\n', 'c2'), table('a,b\n', 'c3'), table('a,b\n2,ü\n')],
    steps: [
      {
        ...exported,
        expect: {
          answer: ['a,b\n1,"x\ny"\n', '2,ü\n'],
          requests: [undefined, 'c2', 'c3'].map((cursor) => ({
            path: '/api/verifications',
            query: { format: 'csv', limit: '500', cursor },
            headers: { accept: 'text/csv' },
          })),
        },
      },
      {
        ...exported,
        query: { limit: 7, decision: 'GO' },
        expect: { requests: [{ query: { limit: '7', decision: 'GO' } }] },
      },
    ],
  },
  {
    name: 'an empty export has its header',
    script: [table('a,b\n')],
    steps: [{ ...exported, expect: { answer: ['a,b\n'] } }],
  },
  {
    name: 'an export that is no CSV is refused',
    script: [table('<html>', undefined, 'text/html')],
    steps: [{ ...exported, expect: { error: { classes: unexpected, status: 200 }, taken: [] } }],
  },
  ...(
    [
      ['batchAssess', [{ transactions: [] }]],
      ['exportAudit', ['r']],
      ['batchReport', ['r']],
    ] as const
  ).map(([call, args]) => ({
    name: `${call} as CSV refuses an answer that is no CSV, such as the page of a proxy`,
    script: [table('<html>', undefined, 'text/html')],
    steps: [
      { call, args, options: { format: 'csv' }, expect: { error: { classes: unexpected, status: 200 } } },
    ],
  })),
  {
    name: 'a page of an export is asked for again after a fault, and no other page is',
    script: [table('a\n1\n', 'c2'), 'half', table('a\n2\n')],
    steps: [{ ...exported, expect: { answer: ['a\n1\n', '2\n'], waits: [1], sent: 3 } }],
  },
]

export const lists: readonly Row[] = [
  ...links,
  {
    name: 'a cursor comes back as it was, whatever its characters',
    script: [page([1], '</api/verifications?cursor=c%2F2%20%26+x>; rel="next"'), page([2])],
    steps: [{ ...walk, expect: { answer: [1, 2], requests: [{}, { query: { cursor: 'c/2 & x' } }] } }],
  },
  {
    name: 'a page has its items, and the cursor of the next, from which a walk goes on',
    script: [page([1, 2], '</api/verifications?cursor=c2>; rel="next"'), page([3]), page([3])],
    steps: [
      {
        call: 'verifications',
        query: {},
        read: 'page',
        expect: { answer: { items: [1, 2], nextCursor: 'c2' }, sent: 1 },
      },
      {
        call: 'verifications',
        query: { cursor: 'c2' },
        read: 'page',
        expect: { answer: { items: [3], nextCursor: null }, requests: [{ query: { cursor: 'c2' } }] },
      },
      { ...walk, query: { cursor: 'c2' }, expect: { answer: [3], requests: [{ query: { cursor: 'c2' } }] } },
    ],
  },
  {
    name: 'pages come one by one, empty ones too',
    script: [
      page([1], '</api/verifications?cursor=c2>; rel="next"'),
      page([], '</api/verifications?cursor=c3>; rel="next"'),
      page([2, 3]),
    ],
    steps: [
      { call: 'verifications', query: {}, read: 'pages', expect: { answer: [[1], [], [2, 3]], sent: 3 } },
    ],
  },
  {
    name: 'a walk that is left in the middle asks for no further page',
    script: [page([1, 2], '</api/verifications?cursor=c2>; rel="next"'), page([3])],
    steps: [{ ...walk, take: 2, expect: { answer: [1, 2], sent: 1 } }],
  },
  {
    name: 'a page that is refused is asked for again, and the walk goes on',
    script: [
      page([1], '</api/verifications?cursor=c2>; rel="next"'),
      { status: 429, body: {}, headers: { 'retry-after': '5' } },
      page([2]),
    ],
    steps: [{ ...walk, expect: { answer: [1, 2], waits: [5], sent: 3 } }],
  },
  ...noLists,
  ...noMembers,
  {
    name: 'a list whose next page cannot be asked for is not passed off as whole',
    script: [page([1], '</api/verifications>; rel="next"')],
    steps: [{ ...walk, expect: { error: { classes: unexpected }, sent: 1 } }],
  },
  {
    name: 'a list that has no end is not walked for ever',
    script: [page([1], '</api/verifications?cursor=same>; rel="next"')],
    steps: [{ ...walk, take: 9, expect: { error: { classes: unexpected, message: /cursor/ }, sent: 2 } }],
  },
  {
    name: 'a list in a member of the answer is a list as well, below an id too',
    script: [
      { status: 200, body: { reviews: [1] }, headers: { link: '</api/v1/reviews?cursor=c2>; rel="next"' } },
      { status: 200, body: { reviews: [2] } },
      page([3]),
    ],
    steps: [
      {
        call: 'reviews',
        query: { status: 'open' },
        read: 'items',
        expect: {
          answer: [1, 2],
          requests: [{}, { path: '/api/v1/reviews', query: { status: 'open', cursor: 'c2' } }],
        },
      },
      {
        call: 'webhookDeliveries',
        args: ['wh/1'],
        query: { limit: 1 },
        read: 'items',
        expect: { answer: [3], requests: [{ url: '/api/v1/webhooks/wh%2F1/deliveries?limit=1' }] },
      },
    ],
  },
  ...exports,
]
