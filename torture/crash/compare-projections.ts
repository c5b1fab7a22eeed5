/** Compares what followers wrote with the records themselves, both read directly from the database. */

import { setTimeout as pause } from 'node:timers/promises'
import { withDirectDatabase, type DirectDatabase } from '../../test/helpers/database/sql.ts'

type Query = DirectDatabase['run']

const behindSql = `SELECT (SELECT COUNT(*) FROM journal_queue) AS queued, sequenced, tree_size,
  (SELECT MIN(position) FROM (SELECT position FROM followers UNION ALL SELECT position FROM review_follower
    UNION ALL SELECT position FROM events_follower) AS all_of
  ) AS position FROM log_head`
const pollEveryMs = 50

/** Whether entries are queued, or not followed or sealed yet. */
export async function isBehind(databaseUrl: string): Promise<boolean> {
  return withDirectDatabase(databaseUrl, ({ run }) => readBehind(run))
}

async function readBehind(run: Query): Promise<boolean> {
  const [row = {}] = await run(behindSql)
  const [queued, sequenced, sealed, position] = ['queued', 'sequenced', 'tree_size', 'position'].map((name) =>
    Number(row[name]),
  )
  return queued !== 0 || sealed !== sequenced || position !== sequenced
}

/** Waits for the followers of the running service. Returns a violation if they do not catch up. */
export async function untilFollowed(databaseUrl: string, timeoutMs: number): Promise<string[]> {
  const untilMs = performance.now() + timeoutMs
  while (await isBehind(databaseUrl)) {
    if (performance.now() > untilMs) return [`the followers have not caught up in ${timeoutMs} ms`]
    await pause(pollEveryMs)
  }
  return []
}

/** Requires that everything is followed. */
export async function compareProjections(run: Query): Promise<string[]> {
  return [
    ...(await compareEntries(run)),
    ...(await compareEvents(run)),
    ...(await compareCounts(run, 'usage', usageSql)),
    ...(await compareCounts(run, 'the hour', rollupSql('hour', 3_600_000))),
    ...(await compareCounts(run, 'the day', rollupSql('day', 86_400_000))),
    ...(await compareCounts(run, 'the review', reviewsSql)),
  ]
}

/** Each record, override, outcome, act and change of a review has one number, without gaps, and all are sealed. */
async function compareEntries(run: Query): Promise<string[]> {
  const violations: string[] = []
  const numbered = new Set<string>()
  let next = 0
  for (const row of await run('SELECT first_leaf, entries FROM log_blocks ORDER BY first_leaf')) {
    if (Number(row['first_leaf']) !== next) violations.push(`entry ${next} is missing`)
    const ids = String(row['entries'])
      .split('\n')
      .map((line) => line.slice(0, line.indexOf(' ')))
    next = Number(row['first_leaf']) + ids.length
    for (const id of ids) {
      if (numbered.has(id)) violations.push(`${id} has two numbers`)
      numbered.add(id)
    }
  }
  const [head = {}] = await run('SELECT sequenced, tree_size, records FROM log_head')
  const subjects = await run(
    `SELECT request_id AS id FROM verifications UNION ALL SELECT override_id FROM overrides
      UNION ALL SELECT outcome_id FROM outcomes WHERE outcome_id IS NOT NULL UNION ALL SELECT act_id FROM acts
      UNION ALL SELECT change_id FROM review_changes`,
  )
  for (const { id } of subjects)
    if (!numbered.delete(String(id))) violations.push(`${String(id)} has no number`)
  for (const id of numbered) violations.push(`${id} has a number and no record`)
  if (Number(head['sequenced']) !== next || Number(head['tree_size']) !== next)
    violations.push(`${String(head['tree_size'])} of ${next} entries are sealed`)
  const [{ total } = {}] = await run('SELECT COUNT(*) AS total FROM verifications')
  if (Number(head['records']) !== Number(total))
    violations.push(`${String(head['records'])} of ${String(total)} records are in the total`)
  return violations
}

/** Each decision and override is in the stream of its owner, once, in the order of the log. */
async function compareEvents(run: Query): Promise<string[]> {
  const lists = await run('SELECT owner_id, entries FROM owner_events ORDER BY owner_id, last_leaf')
  const listed = Map.groupBy(
    lists.flatMap((row) =>
      String(row['entries'])
        .split(' ')
        .map((id) => ({ id, owner: String(row['owner_id']) })),
    ),
    ({ owner }) => owner,
  )
  const owners = new Map(
    (
      await run(`SELECT request_id AS id, owner_id FROM verifications
        UNION ALL SELECT override_id, owner_id FROM overrides`)
    ).map((row) => [String(row['id']), String(row['owner_id'])]),
  )
  const expected = new Map<string, string[]>([...listed.keys()].map((owner) => [owner, []]))
  for (const row of await run('SELECT entries FROM log_blocks ORDER BY first_leaf')) {
    for (const line of String(row['entries']).split('\n')) {
      const id = line.slice(0, line.indexOf(' '))
      const owner = owners.get(id)
      if (owner === undefined) continue
      const ids = expected.get(owner)
      if (ids === undefined) expected.set(owner, [id])
      else ids.push(id)
    }
  }
  return [...expected].flatMap(([owner, ids]) => {
    const own = (listed.get(owner) ?? []).map(({ id }) => id).filter((id) => owners.has(id))
    const place = ids.findIndex((id, index) => id !== own[index])
    if (place === -1 && own.length === ids.length) return []
    return [
      `event ${place} of ${owner} is ${own[place]} and should be ${ids[place]}; ${own.length} of ${ids.length}`,
    ]
  })
}

interface Compared {
  /** Both give a name and a text of counts. */
  readonly stored: string
  readonly expected: string
}

const usageSql: Compared = {
  stored: `SELECT key_id AS name, CAST(verifications AS text) AS counts FROM key_usage`,
  expected: `SELECT key_id AS name, CAST(COUNT(*) AS text) AS counts FROM verifications GROUP BY key_id`,
}

/** One for each decision that needs a person, with the number of its cooldown repeats. */
const reviewsSql: Compared = {
  stored: `SELECT request_id AS name, CAST(repeats AS text) AS counts FROM reviews`,
  expected: `SELECT v.request_id AS name, CAST(COALESCE(r.repeats, 0) AS text) AS counts FROM verifications v
    LEFT JOIN (SELECT cooldown_source_id, COUNT(*) AS repeats FROM verifications
      WHERE cooldown_source_id IS NOT NULL GROUP BY cooldown_source_id) r ON r.cooldown_source_id = v.request_id
    WHERE v.cooldown_source_id IS NULL
      AND (v.decision <> 'GO' OR v.answer NOT LIKE '%"recommended_action":"PROCEED"%')`,
}

const sums = ['go', 'degraded', 'no_go', 'score_sum', 'confidence_sum', 'cooldown_hits']

function rollupSql(span: string, spanMs: number): Compared {
  const startsAt = `recorded_at_ms - recorded_at_ms % ${spanMs}`
  const countOf = (verdict: string): string => `SUM(CASE WHEN decision = '${verdict}' THEN 1 ELSE 0 END)`
  const expected = [
    ...['GO', 'DEGRADED', 'NO-GO'].map(countOf),
    'SUM(score_hundredths)',
    'SUM(confidence_hundredths)',
    'COUNT(cooldown_source_id)',
  ]
  return {
    stored: `SELECT owner_id || ' ' || starts_at_ms || ' ' || mode || ' ' || corridor AS name,
      ${sums.join(" || ',' || ")} AS counts FROM rollups WHERE span = '${span}'`,
    expected: `SELECT owner_id || ' ' || (${startsAt}) || ' ' || mode || ' ' || corridor AS name,
      ${expected.join(" || ',' || ")} AS counts FROM verifications GROUP BY owner_id, ${startsAt}, mode, corridor`,
  }
}

async function compareCounts(run: Query, what: string, { stored, expected }: Compared): Promise<string[]> {
  const countsOf = async (sql: string): Promise<Map<string, string>> =>
    new Map((await run(sql)).map((row) => [String(row['name']), String(row['counts'])]))
  const [is, shouldBe] = [await countsOf(stored), await countsOf(expected)]
  const names = new Set([...is.keys(), ...shouldBe.keys()])
  return [...names]
    .filter((name) => is.get(name) !== shouldBe.get(name))
    .map((name) => `${what} of ${name} is ${is.get(name)} and should be ${shouldBe.get(name)}`)
}
