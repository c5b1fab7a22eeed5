/** The pictures of the guide. Written by `npm run generate` into `docs/images`. */

import { across, box, boxHeight, down, line, words, type Box, type Picture, type Shape } from './draw.ts'

/** Boxes one below the other, with arrows between them. */
function column(
  [x, y, width]: readonly [number, number, number],
  gap: number,
  items: readonly (readonly [title: string, lines: readonly string[], tone?: Box['tone']])[],
): { boxes: Box[]; arrows: Shape[] } {
  const boxes: Box[] = []
  let top = y
  for (const [title, lines, tone = 'plain'] of items) {
    const one = box([x, top, width], title, lines, tone)
    boxes.push(one)
    top += boxHeight(one) + gap
  }
  const arrows = boxes.slice(1).map((one, index) => down(boxes[index] ?? one, one))
  return { boxes, arrows }
}

const at = (boxes: readonly Box[], index: number): Box => {
  const found = boxes[index]
  if (found === undefined) throw new Error(`the picture has no box ${index}`)
  return found
}

const beside = (
  one: Box,
  x: number,
  width: number,
  title: string,
  lines: readonly string[],
  tone: Box['tone'],
): Box => {
  const other = box([x, 0, width], title, lines, tone)
  return { ...other, y: one.y + (boxHeight(one) - boxHeight(other)) / 2 }
}

function verifyPath(): Picture {
  const { boxes, arrows } = column([24, 24, 250], 28, [
    ['Your payment system', ['corridor, amount, idempotency key']],
    ['Key, limit, validation', ['who calls, how often, what is asked']],
    ['Look', ['same idempotency key? cooldown?']],
    ['Seven signals', ['each one fresh, or no decision']],
    ['Decide', ['score, caps and policies: integers only'], 'key'],
    ['Commit', ['record, key, cooldown, one row of the', 'queue: one transaction, on disk'], 'key'],
    ['200 with the decision', ['GO, DEGRADED or NO-GO'], 'go'],
  ])
  const [x, width] = [350, 186]
  const refused = beside(at(boxes, 1), x, width, '400, 401, 403, 429', ['nothing is recorded'], 'plain')
  const replay = beside(
    at(boxes, 2),
    x,
    width,
    'The first answer',
    ['decided once, whatever', 'happens to a retry'],
    'plain',
  )
  const hold = beside(at(boxes, 3), x, width, '503: hold', ['never a yes; nothing', 'is recorded'], 'stop')
  return {
    name: 'verify',
    title:
      'The path of a verify: key, limit and validation; the look for the same key; seven signals; the decision; the commit; the answer',
    width: 560,
    height: 624,
    shapes: [
      ...arrows,
      across(at(boxes, 1), refused, { isDashed: true }),
      across(at(boxes, 2), replay, { isDashed: true, label: 'same key' }),
      across(at(boxes, 3), hold, { tone: 'stop', label: 'unreadable' }),
      ...boxes,
      refused,
      replay,
      hold,
    ],
  }
}

function appendAndFollow(): Picture {
  const { boxes, arrows } = column([24, 24, 210], 32, [
    ['Commit of a decision', ['record and one row of the queue'], 'key'],
    ['Journal queue', ['entries without a number']],
    ['Sequencer', ['one at a time gives each', 'entry its number']],
  ])
  const followers: readonly (readonly [string, string])[] = [
    ['totals', 'usage, summaries'],
    ['calibration', 'scores beside outcomes'],
    ['policies', 'reports of candidates'],
    ['reviews', 'payments that need a person'],
    ['webhooks', 'the outbox of each endpoint'],
    ['events', 'the stream of each owner'],
    ['log', 'the tree, signed checkpoints'],
  ]
  const right = followers.map(([name, result], index) => box([324, 24 + index * 64, 212], name, [result]))
  const sequencer = at(boxes, 2)
  const spineX = 288
  const sideY = sequencer.y + boxHeight(sequencer) / 2
  const [first, last] = [at(right, 0), at(right, right.length - 1)]
  const middle = (one: Box): number => one.y + boxHeight(one) / 2
  return {
    name: 'append-and-follow',
    title:
      'Append and follow: a commit appends one row to the journal; seven followers read the numbered entries, each at its own position',
    width: 560,
    height: 488,
    shapes: [
      ...arrows,
      line(
        [
          [sequencer.x + sequencer.width, sideY],
          [spineX, sideY],
        ],
        { hasHead: false },
      ),
      line(
        [
          [spineX, middle(first)],
          [spineX, middle(last)],
        ],
        { hasHead: false },
      ),
      ...right.map((one) =>
        line([
          [spineX, middle(one)],
          [one.x, middle(one)],
        ]),
      ),
      ...boxes,
      ...right,
      words([24, 320], 'A follower stores its result and its', {}),
      words([24, 338], 'position in one transaction: every', {}),
      words([24, 356], 'entry takes effect exactly once.', {}),
      words([24, 392], 'A reader waits until its follower has', {}),
      words([24, 410], 'passed all that was committed before.', {}),
    ],
  }
}

function logAndProofs(): Picture {
  const leaf = (index: number, tone: Box['tone'] = 'plain'): Box =>
    box([24 + index * 130, 330, 114], `record ${index + 1}`, ['hash'], tone)
  const leaves = [leaf(0), leaf(1), leaf(2, 'key'), leaf(3, 'go')]
  const pair = (x: number, title: string, tone: Box['tone']): Box =>
    box([x, 232, 150], title, ['hash of two'], tone)
  const left = pair(71, 'records 1 and 2', 'go')
  const right = pair(331, 'records 3 and 4', 'key')
  const root = box([181, 134, 190], 'Root', ['hash of everything so far'], 'key')
  const checkpoint = box([156, 24, 240], 'Signed checkpoint', ['root, size, time; keep a copy'], 'key')
  const up = (from: Box, to: Box, tone: Box['tone'] = 'plain'): Shape => {
    const fromX = from.x + from.width / 2
    const toX = to.x + to.width / 2
    const bendY = (from.y + to.y + boxHeight(to)) / 2
    const toY = to.y + boxHeight(to)
    const points: [number, number][] =
      fromX === toX
        ? [
            [fromX, from.y],
            [toX, toY],
          ]
        : [
            [fromX, from.y],
            [fromX, bendY],
            [toX, bendY],
            [toX, toY],
          ]
    return line(points, { tone })
  }
  return {
    name: 'log',
    title:
      'The log and its proofs: records are hashed in pairs up to a root, which a checkpoint signs; two hashes prove that record 3 is in it',
    width: 552,
    height: 470,
    shapes: [
      up(at(leaves, 0), left),
      up(at(leaves, 1), left),
      up(left, root, 'go'),
      up(at(leaves, 3), right, 'go'),
      up(at(leaves, 2), right, 'key'),
      up(right, root, 'key'),
      up(root, checkpoint, 'key'),
      ...leaves,
      left,
      right,
      root,
      checkpoint,
      words([276, 420], 'The proof of record 3 is the two green hashes: with them, anybody', {
        anchor: 'middle',
      }),
      words([276, 438], 'computes the root, and compares it with a checkpoint they have kept.', {
        anchor: 'middle',
      }),
    ],
  }
}

/** Lanes with a life line each, and messages between them, from the top down. */
function failover(): Picture {
  const lanes = [
    box([24, 20, 132], 'Fairway'),
    box([206, 20, 150], 'Server A', ['primary'], 'go'),
    box([406, 20, 130], 'Server B', ['standby']),
  ]
  const x = (lane: number): number => at(lanes, lane).x + at(lanes, lane).width / 2
  const message = (y: number, from: number, to: number, label: string): Shape =>
    line(
      [
        [x(from), y],
        [x(to), y],
      ],
      { label, tone: 'go' },
    )
  const onLane = (lane: number, y: number, ...rest: [string, string[], Box['tone']]): Box =>
    box([at(lanes, lane).x, y, at(lanes, lane).width], ...rest)
  const bottom = 580
  return {
    name: 'failover',
    title:
      'A failover: both servers confirm a commit; server A dies; Fairway answers 503; server B is promoted with every confirmed commit; once A returns as the standby, commits are confirmed again',
    width: 560,
    height: 600,
    shapes: [
      ...lanes.map((one, lane) =>
        line(
          [
            [x(lane), one.y + boxHeight(one)],
            [x(lane), bottom],
          ],
          { isDashed: true, hasHead: false },
        ),
      ),
      ...lanes,
      message(104, 0, 1, 'commit'),
      message(132, 1, 2, 'replicate'),
      message(160, 2, 1, 'on disk'),
      message(188, 1, 0, 'confirmed'),
      onLane(1, 214, 'A dies', ['or is cut off'], 'stop'),
      onLane(0, 250, '503: hold', ['never a yes'], 'stop'),
      onLane(2, 286, 'B is promoted', ['every confirmed', 'commit is there'], 'go'),
      message(392, 0, 2, 'commit, by way of HAProxy'),
      onLane(1, 418, 'A returns', ['as the standby'], 'plain'),
      message(500, 2, 1, 'replicate'),
      message(528, 1, 2, 'on disk'),
      message(556, 2, 0, 'confirmed'),
    ],
  }
}

function reviewLife(): Picture {
  const decision = box([150, 16, 220], 'A decision', ['not plainly allowed'])
  const open = box([150, 102, 220], 'open', ['with a due time'])
  const claimed = box([150, 196, 220], 'claimed', ['by one person'])
  const proposed = box([150, 290, 220], 'proposed', ['EXECUTE, HOLD or REJECT'], 'key')
  const approved = box([150, 394, 220], 'approved', ['by another person, and recorded'], 'go')
  const rejected = box([424, 290, 120], 'rejected', ['by another'])
  return {
    name: 'review',
    title:
      'The life of a review: open, claimed, proposed, and approved by another person. A rejected one is open for another proposal. Any that waits may expire or be overridden',
    width: 560,
    height: 540,
    shapes: [
      down(decision, open),
      down(open, claimed, { label: 'claim' }),
      line(
        [
          [150, 220],
          [72, 220],
          [72, 126],
          [150, 126],
        ],
        { label: 'release', isDashed: true },
      ),
      down(claimed, proposed, { label: 'propose' }),
      down(proposed, approved, { label: 'approve', tone: 'go' }),
      across(proposed, rejected, { label: 'reject' }),
      line(
        [
          [484, 290],
          [484, 220],
          [370, 220],
        ],
        { isDashed: true },
      ),
      words([436, 210], 'claim'),
      decision,
      open,
      claimed,
      proposed,
      approved,
      rejected,
      box([24, 470, 246], 'expired', ['still waiting when the due time passed'], 'stop'),
      box([290, 470, 246], 'overridden', ['directly, while it waited']),
    ],
  }
}

export const pictures: readonly Picture[] = [
  verifyPath(),
  appendAndFollow(),
  logAndProofs(),
  failover(),
  reviewLife(),
]
