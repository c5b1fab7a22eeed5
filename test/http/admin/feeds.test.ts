/** Live feeds in the hands of an admin: their states, and a check that asks the providers now. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../../helpers/database/sql.ts'
import { withHarness } from '../../helpers/harness.ts'
import { feedsOf, simulatedFeeds } from '../../helpers/live.ts'
import { person, read, write } from '../../helpers/people.ts'
import { signalNames } from '../../../src/core/decision/signals.ts'

const url = '/api/v1/admin/feeds'

test('every feed is listed with its state, its breaker and its times; a check shows values, ages and faults', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const { body } = await read(harness, admin, url)
    assert.equal(body.configured, true)
    assert.deepEqual(
      body.feeds.map((feed: { signal: string }) => feed.signal),
      signalNames,
    )
    const [first] = body.feeds
    assert.deepEqual([first.status, first.breaker, first.kind], ['healthy', 'closed', 'http'])
    const checked = await write(harness, admin, `${url}/check`, { corridor: 'gb-ng', amount: 250 })
    assert.equal(checked.status, 200, checked.text)
    const [check] = checked.body.checks
    assert.deepEqual(
      [check.corridor, check.partner, check.amount, check.feeds.length],
      ['GB-NG', null, 250, 7],
    )
    assert.ok(check.feeds.every((feed: { error: unknown; value: unknown }) => feed.error === null))
    const all = await write(harness, admin, `${url}/check`, {})
    assert.equal(all.body.checks.length, body.corridors.length)
  })
})

test('a feed that cannot be read is a result, not an error, and each check is an act of the admin', async () => {
  await withHarness({ feeds: feedsOf(() => 'fraud_flags') }, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const { body } = await write(harness, admin, `${url}/check`, { corridor: 'GB-NG' })
    const failed = body.checks[0].feeds.filter((feed: { error: unknown }) => feed.error !== null)
    assert.deepEqual(
      failed.map((feed: { signal: string; error: string }) => [feed.signal, feed.error]),
      [['fraud_flags', 'timeout']],
    )
    const acts = await rowsOf(
      harness.databaseUrl,
      "SELECT subject, made_by, detail FROM acts WHERE kind = 'feeds.checked'",
    )
    assert.deepEqual(
      acts.map(({ subject, made_by: by, detail }) => [subject, by, JSON.parse(String(detail))]),
      [['GB-NG', admin.personId, { corridor: 'GB-NG', partner: null }]],
    )
  })
})

test('a check of what is not declared says so, and leaves no act', async () => {
  await withHarness({ feeds: simulatedFeeds }, async (harness) => {
    const admin = await person(harness, 'admin', null)
    for (const [body, path] of [
      [{ corridor: 'US-MX' }, '/corridor'],
      [{ corridor: 'nowhere' }, '/corridor'],
      [{ partner: 'nobody' }, '/partner'],
      [{ corridor: 'GB-NG', currency: 'XXX1' }, '/currency'],
      [{ corridor: 'GB-NG', amount: -1 }, '/amount'],
    ] as const) {
      const answer = await write(harness, admin, `${url}/check`, body)
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, path], answer.text)
    }
    const acts = await rowsOf(harness.databaseUrl, "SELECT kind FROM acts WHERE kind = 'feeds.checked'")
    assert.equal(acts.length, 0)
  })
})

test('if the act cannot be recorded, no provider is asked; without a feeds file there is no act', async () => {
  let reads = 0
  const feeds = feedsOf(() => {
    reads += 1
    return 'fraud_flags'
  })
  await withHarness({ feeds }, async (harness) => {
    const admin = await person(harness, 'admin', null)
    assert.equal((await write(harness, admin, `${url}/check`, {})).status, 200)
    const before = reads
    assert.ok(before > 0)
    await rowsOf(
      harness.databaseUrl,
      "CREATE TRIGGER acts_refused BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'refused'); END",
    )
    assert.equal((await write(harness, admin, `${url}/check`, {})).body.checks, undefined)
    assert.equal(reads, before)
  })
  await withHarness({}, async (harness) => {
    const admin = await person(harness, 'admin', null)
    const answer = await write(harness, admin, `${url}/check`, {})
    assert.equal(answer.status, 200, answer.text)
    const acts = await rowsOf(harness.databaseUrl, "SELECT kind FROM acts WHERE kind = 'feeds.checked'")
    assert.equal(acts.length, 0)
  })
})
