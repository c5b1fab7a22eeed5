/** `fairway reviews` against a server: a desk of three keys of one owner, from the queue to the approval. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FairwayClient, type AuditRecord, type Review, type ReviewDetail } from '../../../client/src/index.ts'
import { freshDatabase, type FreshDatabase } from '../../helpers/database/databases.ts'
import { withFolder } from '../../helpers/folder.ts'
import { withHarness } from '../../helpers/harness.ts'
import { issueByCli, serve, type Finished, type Served } from '../../helpers/process/process.ts'
import { answering, fairwayOf, homeIn, onTerminal, type Fairway } from '../../helpers/process/user.ts'

let database: FreshDatabase
let server: Served

before(async () => {
  database = await freshDatabase('sqlite')
  server = await serve({ DATABASE_URL: database.url })
})

after(async () => {
  await server.stop()
  await database.drop()
})

interface Desk {
  /** Two keys that may claim, comment and propose, and one that may also approve: principals of one owner. */
  readonly first: Fairway
  readonly second: Fairway
  readonly approver: Fairway
  /** The settings of the approver. */
  readonly settings: Readonly<Record<string, string>>
  /** Returns the ids of the decision and of its review. */
  readonly decide: (amount: number, corridor?: string) => Promise<{ requestId: string; reviewId: string }>
}

const reviewer = ['--scopes', 'decision:read,audit:read,review:read,review:write']

async function withDesk(work: (desk: Desk) => Promise<void>): Promise<void> {
  const { key, owner_id: ownerId } = await issueByCli(database.url, ...reviewer, '--owner', 'Reviewer 1')
  const issue = async (...more: string[]): Promise<string> =>
    (await issueByCli(database.url, '--for-owner', ownerId, ...more)).key
  const other = await issue(...reviewer, '--owner', 'Reviewer 2')
  const third = await issue('--owner', 'Approver')
  const client = new FairwayClient({ baseUrl: server.url, apiKey: key })
  await withFolder(async (folder) => {
    const settingsOf = (apiKey: string) => ({ FAIRWAY_URL: server.url, FAIRWAY_API_KEY: apiKey })
    await work({
      first: fairwayOf(folder, settingsOf(key)),
      second: fairwayOf(folder, settingsOf(other)),
      approver: fairwayOf(folder, settingsOf(third)),
      settings: { ...homeIn(folder), ...settingsOf(third) },
      async decide(amount, corridor = 'GB-NG') {
        const result = await client.verify({ corridor, amount, currency: 'GBP' })
        assert.ok(!result.held)
        const { request_id: requestId } = result
        return { requestId, reviewId: `rev_${requestId.slice(-26).toLowerCase()}` }
      },
    })
  })
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test names what it was answered
function json<Body>({ stdout, stderr, code }: Finished): Body {
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^[^\n]+\n$/, 'one value on one line')
  return JSON.parse(stdout) as Body
}

/** The refusal, and the code in its JSON form. */
function refused({ stdout, stderr, code }: Finished): { code: string; stderr: string } {
  assert.equal(code, 1)
  return { code: (JSON.parse(stdout) as { error: { code: string } }).error.code, stderr }
}

const proposal = (action: string, justification = 'The payee was called.'): string[] => [
  '--action',
  action,
  '--reason',
  'PAYEE_CALLED',
  '--justification',
  justification,
]

test('a desk of three: claimed once, rejected, proposed again, and approved by another with both names', () =>
  withDesk(async ({ first, second, approver, decide }) => {
    const { requestId, reviewId } = await decide(60_000)
    const [waiting] = json<Review[]>(await first(['reviews', 'list']))
    assert.deepEqual([waiting?.review_id, waiting?.status], [reviewId, 'open'])
    assert.equal(json<Review>(await first(['reviews', 'claim', requestId])).claimed_by?.name, 'Reviewer 1')
    const late = refused(await second(['reviews', 'claim', reviewId]))
    assert.equal(late.code, 'REVIEW_CONFLICT')
    assert.match(
      late.stderr,
      /^fairway: This review is claimed by Reviewer 1 \(key_\w+\)\.\n {2}To see it, run: fairway reviews show rev_/,
    )
    json(await second(['reviews', 'comment', requestId, '--text', 'Is the\ninvoice here?']))
    json(await first(['reviews', 'propose', reviewId, ...proposal('hold')]))
    const rejection = ['reviews', 'reject', reviewId, '--reason', 'The payee is known: execute.']
    assert.equal(refused(await first(rejection)).code, 'FORBIDDEN')
    const rejected = json<Review>(await approver(rejection))
    assert.deepEqual([rejected.status, rejected.claimed_by], ['rejected', null])
    const proposed = json<Review>(await second(['reviews', 'propose', requestId, ...proposal('EXECUTE')]))
    const { proposal_id: id } = proposed.proposal ?? assert.fail()
    const approved = json<Review>(await approver(['reviews', 'approve', requestId, '--proposal', id]))
    assert.deepEqual(
      [approved.status, approved.resolution?.by?.name, approved.resolution?.action],
      ['approved', 'Approver', 'EXECUTE'],
    )
    const { human_override: override } = json<AuditRecord>(await first(['audit', requestId]))
    assert.deepEqual(
      [override?.action, override?.created_by?.name, override?.approval?.approved_by.name],
      ['EXECUTE', 'Reviewer 2', 'Approver'],
    )
    assert.equal(override?.approval?.review_id, reviewId)
    const { history, comments } = json<ReviewDetail>(await first(['reviews', 'show', requestId]))
    assert.deepEqual(
      history.map(({ kind, by }) => `${kind} ${by?.name ?? '-'}`),
      [
        'opened -',
        'claimed Reviewer 1',
        'commented Reviewer 2',
        'proposed Reviewer 1',
        'rejected Approver',
        'proposed Reviewer 2',
        'approved Approver',
      ],
    )
    assert.equal(comments[0]?.text, 'Is the\ninvoice here?')
  }))

test('nobody approves or rejects their own proposal, and the refusal says who can', () =>
  withDesk(async ({ approver, decide }) => {
    const { reviewId } = await decide(60_000)
    json(await approver(['reviews', 'propose', reviewId, ...proposal('EXECUTE')]))
    for (const act of [['approve'], ['reject', '--reason', 'Mine.']]) {
      const { code, stderr } = refused(await approver(['reviews', ...act, reviewId]))
      assert.equal(code, 'FOUR_EYES')
      assert.equal(
        stderr,
        `fairway: the proposal was made by the principal of this key (from FAIRWAY_API_KEY), so another must settle it
  A key and its successors are one principal; another key of the same owner is another one.
  An operator issues one with: fairway keys issue --type TYPE --for-owner OWNER_ID
`,
      )
    }
    assert.equal(json<Review>(await approver(['reviews', 'show', reviewId])).status, 'proposed')
    assert.equal(json<Review>(await approver(['reviews', 'release', reviewId])).status, 'open')
  }))

test('the text of a review is for people: the queue by due time, the proposal, the comments, the history', () =>
  withDesk(async ({ first, second, approver, decide }) => {
    const { reviewId, requestId } = await decide(60_000)
    const { reviewId: other } = await decide(1000.08, 'NG-GB')
    const text = async (fairway: Fairway, ...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await fairway(['reviews', ...args, '--no-json'])
      assert.equal(code, 0, stderr)
      return stdout
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, 'TIME')
        .replaceAll(/in 5\d min/g, 'in 59 min')
        .replaceAll(/key_\w+/g, 'KEY')
    }
    assert.equal(
      await text(first, 'claim', reviewId),
      `Claimed ${reviewId}, due in 59 min.
DEGRADED, 60,000 GBP on GB-NG

Next: fairway reviews propose ${reviewId} --action ACTION --reason CODE --justification TEXT
`,
    )
    assert.equal(
      await text(first, 'list'),
      `REVIEW                          DUE        DECISION        AMOUNT  CORRIDOR  ACTION           STATUS   CLAIMED BY
${reviewId}  in 59 min  DEGRADED    60,000 GBP  GB-NG     MANUAL_APPROVAL  claimed  Reviewer 1
${other}  in 59 min  NO-GO     1,000.08 GBP  NG-GB     BLOCK            open     -
`,
    )
    assert.equal(
      await text(second, 'comment', reviewId, '--text', 'Line one\nLine two'),
      `Commented on ${reviewId}.\n`,
    )
    const proposed = await text(first, 'propose', reviewId, ...proposal('EXECUTE'))
    assert.match(proposed, /^Proposed EXECUTE for rev_\w+\. Nothing happens until it is approved\.\n/)
    assert.match(proposed, /\nFor the approver: fairway reviews approve rev_\w+ --proposal rvc_\w+\n$/)
    const shown = await text(second, 'show', requestId)
    for (const part of [
      /^DEGRADED {2}proposed EXECUTE\n/,
      /\nDue +TIME, in 59 min\n/,
      /\nClaimed by +Reviewer 1 \(KEY\)\n/,
      /\nJustification +The payee was called\.\n/,
      /\nTIME {2}Reviewer 2 \(KEY\)\nLine one\nLine two\n/,
      /\nTIME {2}commented {2}Reviewer 2 {2}Line one Line two\n/,
      /\nTIME {2}proposed {3}Reviewer 1 {2}EXECUTE, PAYEE_CALLED, The payee was called\.\n$/,
    ])
      assert.match(shown, part)
    const approved = await text(approver, 'approve', reviewId, '--reason', 'Seen.')
    assert.match(approved, /^Approved: EXECUTE instead of DEGRADED\.\n/)
    assert.match(approved, /\nProposed +TIME by Reviewer 1 \(KEY\)\nApproved +TIME by Approver \(KEY\)\n/)
    assert.match(approved, /\nReason +Seen\.\nOverride +ovr_\w+\n$/)
  }))

test('the list has what its options ask for, and without any only the reviews that wait', () =>
  withDesk(async ({ first, approver, decide }) => {
    const { reviewId: mine } = await decide(60_000)
    const { reviewId: open } = await decide(60_001)
    const { reviewId: blocked } = await decide(1000.08, 'NG-GB')
    const { reviewId: closed } = await decide(60_002)
    json(await first(['reviews', 'claim', mine]))
    json(await first(['reviews', 'propose', closed, ...proposal('HOLD')]))
    json(await approver(['reviews', 'approve', closed]))
    const listed = async (...args: string[]): Promise<string[]> =>
      json<Review[]>(await first(['reviews', 'list', ...args])).map(({ review_id: id }) => id)
    const cases: readonly (readonly [args: string[], ids: string[]])[] = [
      [[], [mine, open, blocked]],
      [
        ['--status', 'all'],
        [mine, open, blocked, closed],
      ],
      [
        ['--status', 'approved,claimed'],
        [mine, closed],
      ],
      [['--mine'], [mine]],
      [['--unclaimed'], [open, blocked]],
      [['--decision', 'no-go'], [blocked]],
      [
        ['--corridor', 'GB-NG'],
        [mine, open],
      ],
      [['--mode', 'live'], []],
      [['--overdue'], []],
      [
        ['--limit', '2'],
        [mine, open],
      ],
    ]
    for (const [args, ids] of cases) assert.deepEqual(await listed(...args), ids, args.join(' '))
    const cut = await first(['reviews', 'list', '--limit', '1', '--no-json'])
    assert.match(cut.stdout, /\n\nMore reviews exist: use --limit COUNT\.\n$/)
    const none = await first(['reviews', 'list', '--mode', 'live', '--no-json'])
    assert.match(none.stdout, /^No reviews\. /)
  }))

test('a GO that asks for something first is settled without an override', () =>
  withDesk(async ({ first, approver, decide }) => {
    const { requestId } = await decide(1000.07)
    json(await first(['reviews', 'propose', requestId, ...proposal('EXECUTE')]))
    const { code, stdout } = await approver(['reviews', 'approve', requestId, '--no-json'])
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^Approved: EXECUTE\. A GO cannot be overridden, so the resolution alone is recorded\.\n/,
    )
    assert.equal(json<AuditRecord>(await first(['audit', requestId])).human_override, null)
  }))

test('a mistake is one clear line, and nothing is changed by it', () =>
  withDesk(async ({ first, second, approver, decide }) => {
    const { reviewId } = await decide(60_000)
    json(await first(['reviews', 'propose', reviewId, ...proposal('EXECUTE')]))
    const unchanged = json<ReviewDetail>(await first(['reviews', 'show', reviewId]))
    const { requestId: plain } = await decide(1000)
    const unknown = 'rev_01ka2b3c4d5e6f7g8h9j0k1m2n'
    const cases: readonly (readonly [fairway: Fairway, args: string[], message: RegExp])[] = [
      [
        first,
        ['show', unknown],
        /your key has no review rev_01ka\w+: run fairway reviews list --status all\n/,
      ],
      [first, ['claim', plain], /\n {2}A plain GO has no review\. /],
      [first, ['show', 'pol_1'], /Expected the id of a review, rev_…, or of its decision, SVC-…\./],
      [first, ['list', '--status', 'old'], /Expected all, or some of open,claimed,/],
      [first, ['list', '--mine', '--unclaimed'], /'--mine' cannot be used with option '--unclaimed'/],
      [first, ['propose', reviewId, ...proposal('PAY')], /Expected one of EXECUTE, HOLD, REJECT\./],
      [
        second,
        ['propose', reviewId, ...proposal('HOLD')],
        /This review has a proposal\. It must be approved,/,
      ],
      [second, ['release', reviewId], /This review is claimed by Reviewer 1/],
      [first, ['comment', reviewId, '--text', ' '], /\/text must not be blank/],
      [first, ['approve', reviewId], /lacks the scope review:approve.*came from FAIRWAY_API_KEY/],
      [approver, ['approve', reviewId, '--proposal', 'rvc_1'], /The proposal was replaced by another\./],
      [approver, ['reject', reviewId], /required option '--reason <text>' not specified/],
    ]
    for (const [fairway, args, message] of cases) {
      const { code, stderr } = await fairway(['reviews', ...args])
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n\s+at /, 'no stack')
    }
    assert.deepEqual(json(await first(['reviews', 'show', reviewId])), unchanged)
  }))

test('on a terminal an approval shows the proposal and asks first', () =>
  withDesk(async ({ first, settings, decide }) => {
    const { reviewId } = await decide(60_000)
    json(await first(['reviews', 'propose', reviewId, ...proposal('EXECUTE', 'Confirmed by phone.')]))
    const approve = (typed: string): Promise<Finished> =>
      onTerminal(['reviews', 'approve', reviewId], settings, { answers: [['[y/N]', `${typed}\r`]] })
    const declined = await approve('n')
    assert.equal(declined.code, 1)
    assert.match(declined.stdout, /DEGRADED, 60,000 GBP on GB-NG/)
    assert.match(declined.stdout, /Confirmed by phone\./)
    assert.match(declined.stdout, /nothing was approved/)
    assert.equal(json<Review>(await first(['reviews', 'show', reviewId])).status, 'proposed')
    assert.equal((await approve('y')).code, 0)
    assert.equal(json<Review>(await first(['reviews', 'show', reviewId])).status, 'approved')
  }))

test('an act is sent once, and after a lost answer the command says how to find out what became of it', async () => {
  const requestId = 'SVC-2026-01KA2B3C4D5E6F7G8H9J0K1M2N'
  await withFolder((folder) =>
    answering(500, {}, '{}', async (url, seen) => {
      const fairway = fairwayOf(folder, { FAIRWAY_URL: url, FAIRWAY_API_KEY: 'pk_test_1' })
      const { code, stderr } = await fairway(['reviews', 'comment', requestId, '--text', 'Called.'])
      assert.equal(code, 75)
      assert.match(
        stderr,
        /It is unknown whether the comment was recorded\. To check, run: fairway reviews show rev_01ka2b3c4d5e6f7g8h9j0k1m2n\n$/,
      )
      assert.equal(seen(), 1)
    }),
  )
})

test('--overdue lists what waits for too long, and an expired review takes no proposal', () =>
  withHarness({}, async ({ app, clock, issue }) => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const { key: apiKey } = await issue()
    const client = new FairwayClient({ baseUrl: url, apiKey })
    await client.verify({ corridor: 'GB-NG', amount: 60_000, currency: 'GBP' })
    await withFolder(async (folder) => {
      const fairway = fairwayOf(folder, { FAIRWAY_URL: url, FAIRWAY_API_KEY: apiKey })
      const overdue = ['reviews', 'list', '--overdue']
      assert.deepEqual(json(await fairway(overdue)), [])
      clock.advance(3_601_000)
      const [review = assert.fail()] = json<Review[]>(await fairway(overdue))
      assert.equal(review.overdue, true)
      assert.match((await fairway([...overdue, '--no-json'])).stdout, / overdue(?: by \d+ d)? /)
      clock.advance(86_400_000)
      const late = refused(await fairway(['reviews', 'propose', review.review_id, ...proposal('EXECUTE')]))
      assert.equal(late.code, 'REVIEW_CONFLICT')
      assert.match(late.stderr, /expired/)
      assert.deepEqual(json(await fairway(['reviews', 'list'])), [])
    })
  }))
