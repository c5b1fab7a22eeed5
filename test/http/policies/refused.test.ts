/** What policies refuse over HTTP: faulty documents with every place, other methods, large bodies, too many of anything. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDirectDatabase } from '../../helpers/database/sql.ts'
import { withHarness, type Answer, type Harness } from '../../helpers/harness.ts'
import {
  backtestUrl,
  endedBacktest,
  everything,
  idle,
  policiesOf,
  policiesUrl,
  postEmpty,
  remove,
  ruleOf,
  startBacktest,
  stopAll,
  teamOn,
} from '../../helpers/policies.ts'
import { errorsOf, post, rowCounts } from '../../helpers/post.ts'

test('every fault of a document is reported with its path, its message and its position, and nothing is stored', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const before = rowCounts(harness)
    const answer = await post(
      harness,
      policiesUrl,
      {
        name: 'Faulty',
        rules: [ruleOf('one', 'amount > "a"'), ruleOf('two', 'true'), ruleOf('three', 'hour + ')],
      },
      { key },
    )
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'])
    assert.deepEqual(answer.body.errors, [
      { path: '/rules/0/when', message: 'is not valid: no such overload: double > string', position: 1 },
      { path: '/rules/2/when', message: 'is not valid: unexpected token: EOF', position: 8 },
    ])
    const plain = await post(harness, policiesUrl, { go_floor: 0.5, status: 'active' }, { key })
    assert.deepEqual(errorsOf(plain), [
      ['/status', 'is not known; the members are name, require_amount, caps, go_floor, no_go_below, rules'],
      ['/name', 'is required'],
      ['/go_floor', 'must be from 0.8 to 1: a policy is at least as strict as the contract'],
    ])
    for (const body of ['[]', 'null', '5', '"policy"'])
      assert.deepEqual(errorsOf(await post(harness, policiesUrl, body, { key })), [
        ['', 'must be a JSON object'],
      ])
    for (const body of ['', '{', '{"name": "a", "name": "b"'])
      assert.equal((await post(harness, policiesUrl, body, { key })).status, 400)
    assert.deepEqual(rowCounts(harness), before)
  })
})

test('a check tells the faults of a document as a result, and stores nothing', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue({ scopes: ['policy:read'] })
    const before = rowCounts(harness)
    const check = (body: unknown, query = ''): Promise<Answer> =>
      post(harness, `${policiesUrl}/check${query}`, body, { key })
    assert.deepEqual((await check(stopAll)).body, { valid: true, errors: [], tried: null })
    const { status, body } = await check({ name: 'x', rules: [ruleOf('one', 'foo > 1')] })
    assert.deepEqual([status, body.valid, body.tried], [200, false, null])
    const [{ path, position }] = body.errors
    assert.deepEqual([path, position], ['/rules/0/when', 1])
    assert.equal((await check(stopAll, '?request=1')).status, 400)
    assert.equal((await check(stopAll, `?request_id=${'x'.repeat(65)}`)).status, 400)
    assert.deepEqual(rowCounts(harness), before)
  })
})

test('the variables, functions and macros of expressions are listed, and each variable can be used', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const { body } = await harness.get(key, `${policiesUrl}/variables`)
    assert.deepEqual(body.functions, ['size', 'startsWith', 'endsWith', 'contains'])
    assert.deepEqual(body.macros, ['all', 'exists', 'exists_one'])
    const variables = body.variables as { name: string; type: string; description: string }[]
    assert.equal(variables.length, 28)
    const uses = variables.map(({ name, description }, place) => {
      assert.notEqual(description, '')
      return ruleOf(`use-${place}`, `${name} == ${name} || true`)
    })
    assert.equal(
      (await post(harness, `${policiesUrl}/check`, { name: 'x', rules: uses }, { key })).body.valid,
      true,
    )
  })
})

/** The largest document that the limits allow has about this size. */
function largest(): object {
  const rules = Array.from({ length: 100 }, (_, place) => ({
    id: `${'i'.repeat(60)}${String(place).padStart(4, '0')}`,
    when: `true ${' '.repeat(2_043)}`,
    then: 'NO-GO',
    message: '☕'.repeat(300),
  }))
  return { name: 'n'.repeat(100), rules }
}

test('a body above the limit is 413, another type 415, and the largest document passes', async () => {
  await withHarness({}, async (harness) => {
    const { key } = await harness.issue()
    const body = JSON.stringify(largest())
    assert.equal((await post(harness, policiesUrl, body, { key })).status, 200)
    for (const path of ['', '/check']) {
      const url = `${policiesUrl}${path}`
      const large = await post(harness, url, body + ' '.repeat(393_217 - Buffer.byteLength(body)), { key })
      assert.deepEqual([large.status, large.body.code], [413, 'PAYLOAD_TOO_LARGE'])
      const fits = await post(harness, url, body + ' '.repeat(393_216 - Buffer.byteLength(body)), { key })
      assert.equal(fits.status, 200)
      const typed = await post(harness, url, 'name: x', { key, headers: { 'content-type': 'text/yaml' } })
      assert.deepEqual([typed.status, typed.body.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })
})

test('other methods are 405 and name those that there are', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create()
    const cases: readonly [
      method: 'PUT' | 'PATCH' | 'DELETE' | 'GET' | 'POST',
      path: string,
      allow: string,
    ][] = [
      ['PUT', '', 'GET, HEAD, POST'],
      ['DELETE', '', 'GET, HEAD, POST'],
      ['PUT', `/${id}`, 'GET, HEAD'],
      ['PATCH', `/${id}`, 'GET, HEAD'],
      ['DELETE', `/${id}`, 'GET, HEAD'],
      ['GET', `/${id}/promote`, 'POST'],
      ['GET', `/${id}/candidate`, 'POST'],
      ['GET', `/${id}/backtest`, 'POST'],
      ['POST', `/${id}/backtests`, 'GET, HEAD'],
      ['POST', `/${id}/report`, 'GET, HEAD'],
    ]
    for (const [method, path, allow] of cases) {
      const headers = { authorization: `Bearer ${team.author.key}` }
      const answer = await harness.send({ method, url: `${policiesUrl}${path}`, headers })
      assert.deepEqual([answer.status, answer.headers['allow']], [405, allow], `${method} ${path}`)
    }
  })
})

test('a policy that never was a candidate has no report, and says what to do', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.putInForce(idle)
    const { status, body } = await harness.get(team.author.key, `${policiesUrl}/${id}/report`)
    assert.deepEqual([status, body.code], [409, 'POLICY_CONFLICT'])
    assert.match(body.message, /has not been a candidate, so it has no report/)
  })
})

test('a backtest needs two times in order, and a mode that there is', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create()
    const { key } = team.author
    const start = (body: object): Promise<Answer> =>
      post(harness, `${policiesUrl}/${id}/backtest`, body, { key })
    const time = 'must be a time in ISO 8601, like 2026-01-31T12:00:00Z'
    const cases: readonly [body: object, errors: [string, string][]][] = [
      [{ from: '2026-01-02', to: '2026-01-01' }, [['/from', 'must be before to']]],
      [{ from: '2026-01-01', to: '2026-01-01T00:00:00Z' }, [['/from', 'must be before to']]],
      [
        { from: 'monday', to: '2026-02-30' },
        [
          ['/from', time],
          ['/to', time],
        ],
      ],
      [{ from: '2026-01-01', to: '2026-01-02T10:00' }, [['/to', time]]],
    ]
    for (const [body, errors] of cases) {
      const answer = await start(body)
      assert.deepEqual([answer.status, errorsOf(answer)], [400, errors], JSON.stringify(body))
    }
    for (const body of [
      {},
      { from: '2026-01-01' },
      { ...everything, mode: 'demo' },
      { ...everything, from: 5 },
    ])
      assert.equal((await start(body)).status, 400, JSON.stringify(body))
    assert.equal((await postEmpty(harness, key, `${policiesUrl}/${id}/backtest`)).status, 400)
    assert.deepEqual((await harness.get(key, `${policiesUrl}/${id}/backtests`)).body.backtests, [])
  })
})

/** Makes those that have not ended look as if another instance had them. */
async function holdAll({ databaseUrl, clock }: Harness): Promise<void> {
  const sql = `UPDATE policy_backtests SET status = 'running', holder = 'ins_other', beat_ms = $1, ended_at_ms = NULL`
  await withDirectDatabase(databaseUrl, ({ run }) => run(sql, [clock.nowMs()]))
}

test('an owner has at most three backtests that have not ended', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const [first, second] = [await team.create(idle), await team.create(stopAll)]
    const { key } = team.author
    const ids: string[] = []
    for (const policyId of [first, second, first]) {
      const id = await startBacktest(harness, key, policyId, everything)
      await endedBacktest(harness, key, policyId, id)
      ids.push(id)
    }
    await holdAll(harness)
    const refused = await post(harness, `${policiesUrl}/${first}/backtest`, everything, { key })
    assert.deepEqual([refused.status, refused.body.code], [422, 'UNPROCESSABLE'])
    assert.equal(refused.body.message, '3 backtests have not ended yet. Wait for one, or cancel it.')
    const other = await teamOn(harness)
    await startBacktest(harness, other.author.key, await other.create(idle), everything)
    const { body } = await remove(harness, key, backtestUrl(first, ids[2] ?? ''))
    assert.equal(body.status, 'cancelled')
    await startBacktest(harness, key, first, everything)
  })
})

test('a reason must have something to read, an id must be one of ours, and a sandbox has few policies', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create(idle)
    const { key } = team.approver
    for (const url of [`${policiesUrl}/${id}/promote`, `${policiesUrl}/rollback`])
      assert.deepEqual(errorsOf(await post(harness, url, { reason: ' \n ' }, { key })), [
        ['/reason', 'must not be blank'],
      ])
    for (const strange of ['%00', 'pol_', `${id}0`, "pol_'; --"]) {
      const url = `${policiesUrl}/${strange}`
      for (const path of [
        url,
        `${url}/report`,
        `${url}/backtests`,
        `${policiesUrl}/${id}/backtests/${strange}`,
      ])
        assert.equal((await harness.get(path, key)).status, 404, path)
    }
    const sandbox = await harness.issue({ prefix: 'svc-sandbox-' })
    for (let count = 1; count <= 20; count += 1)
      assert.equal((await post(harness, policiesUrl, idle, { key: sandbox.key })).status, 200)
    assert.equal((await post(harness, policiesUrl, idle, { key: sandbox.key })).status, 422)
  })
})

test('an owner changes its policies at most 200 times a day', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const [first, second] = [await team.create(idle), await team.create(stopAll)]
    const own = policiesOf(harness, team.ownerId)
    const { keyId, principalId } = team.author.record
    const by = { kind: 'key', id: keyId, name: 'author', principalId } as const
    for (let count = 0; count < 200; count += 1)
      assert.equal((await own.candidate(count % 2 === 0 ? first : second, by))?.kind, 'changed')
    const refused = await team.promote(first)
    assert.deepEqual([refused.status, refused.body.code], [409, 'POLICY_CONFLICT'])
    harness.clock.advance(24 * 3_600_000)
    assert.equal((await team.promote(first)).status, 200)
  })
})

test('an owner has at most 1,000 policies', async () => {
  await withHarness({}, async (harness) => {
    const team = await teamOn(harness)
    const id = await team.create(idle)
    await withDirectDatabase(harness.databaseUrl, ({ run }) =>
      run(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 998)
          INSERT INTO policies SELECT 'pol_' || n, owner_id, document, sha256, created_at_ms, actor_kind, actor_id,
            actor_name, principal_id FROM n, policies WHERE policy_id = $1`,
        [id],
      ),
    )
    await team.create(idle)
    const refused = await post(harness, policiesUrl, idle, { key: team.author.key })
    assert.deepEqual(
      [refused.status, refused.body.message],
      [422, 'The limit of 1000 policies, or of 5 MB of them, is reached.'],
    )
    const other = await teamOn(harness)
    await other.create(idle)
  })
})
