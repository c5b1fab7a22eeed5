/** The recipe for a Python worker: however workers end, and however many there are, a payout is decided once and sent at most once. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PayoutQueues } from '../../helpers/payout-queue.ts'
import type { Finished } from '../../helpers/process/in-process.ts'
import type { RunningRecipe } from '../../helpers/recipes.ts'

let queues: PayoutQueues

before(async () => {
  queues = await PayoutQueues.open()
})

after(() => queues.close())

/** A rail in place of that of the recipe, as its reader puts one in. */
function writeRail(folder: string, body: string): string {
  const lines = [
    'import signal, payout_worker',
    'def send(payout, partner):',
    ...body.split('\n').map((line) => `  ${line}`),
  ]
  writeFileSync(
    join(folder, 'own_rail.py'),
    [...lines, 'payout_worker.send = send', 'payout_worker.main()', ''].join('\n'),
  )
  return 'own_rail.py'
}

test('killed before the decision, or before its answer came, a payout is decided once and sent once', () =>
  queues.withQueue(async ({ add, start, run, sent, states, pass, decided }) => {
    add({ 'p-1': '1000', 'p-2': '2000' })
    for (const isDecided of [false, true]) {
      const killed = Promise.withResolvers<Finished>()
      let worker: RunningRecipe | null = null
      await queues.withLine(
        async (decide) => {
          if (isDecided) await (await decide()).text()
          killed.resolve(worker?.stop('SIGKILL') ?? assert.fail())
        },
        async (url) => {
          worker = start({ FAIRWAY_URL: url })
          assert.equal((await killed.promise).signal, 'SIGKILL')
        },
      )
      assert.deepEqual(sent(), [])
      assert.deepEqual(states(), { 'p-1': 'waiting', 'p-2': 'waiting' })
      pass()
    }
    await run()
    assert.deepEqual(sent(), ['p-1 1000 GBP to Ada', 'p-2 2000 GBP to Ada'])
    assert.deepEqual(await decided(), [1000, 2000])
  }))

test('killed with the answer, before the permission was stored, a payout is decided once and sent once', () =>
  queues.withQueue(async ({ add, start, run, sent, row, pass, decided, db }) => {
    add({ 'p-1': '1000' })
    const answered = Promise.withResolvers<void>()
    await queues.withLine(
      async (decide, answer) => {
        const decision = await decide()
        db.exec('BEGIN IMMEDIATE')
        await answer(decision)
        answered.resolve()
      },
      async (url) => {
        const worker = start({ FAIRWAY_URL: url })
        await answered.promise
        await worker.stop('SIGKILL')
      },
    )
    db.exec('ROLLBACK')
    assert.deepEqual([row('p-1').state, sent()], ['waiting', []])
    pass()
    await run()
    assert.deepEqual([row('p-1').state, sent()], ['sent', ['p-1 1000 GBP to Ada']])
    assert.deepEqual(await decided(), [1000])
  }))

test('killed while it sends, or with a rail that fails, it leaves a payout that no worker sends again', () =>
  queues.withQueue(async ({ folder, add, start, run, sent, states, row, pass, decided, db }) => {
    add({ 'p-1': '1000', 'p-2': '2000', 'p-3': '3000' })
    const hangs = start({}, writeRail(folder, 'print("begun", payout.id, flush=True)\nsignal.pause()'))
    await hangs.said(/^begun p-1$/m)
    await hangs.stop('SIGKILL')
    const fails = await run({}, writeRail(folder, 'raise OSError("the rail is down")'))
    assert.equal(fails.code, 1, 'it does not try the rail with the next one')
    assert.match(fails.stderr, /OSError: the rail is down/)
    pass()
    await run()
    assert.deepEqual(states(), { 'p-1': 'sending', 'p-2': 'sending', 'p-3': 'sent' })
    assert.deepEqual(sent(), ['p-3 3000 GBP to Ada'])
    const { request_id } = row('p-1')
    // A person has looked: the rail has neither.
    db.exec("UPDATE payouts SET state = 'waiting' WHERE state = 'sending'")
    await run()
    assert.deepEqual(sent(), ['p-3 3000 GBP to Ada', 'p-1 1000 GBP to Ada', 'p-2 2000 GBP to Ada'])
    assert.deepEqual([row('p-1').request_id, await decided()], [request_id, [1000, 2000, 3000]])
  }))

/** Runs the worker again and again and kills it at its first line, its second, and so on, until it ends before that line. */
const killer = `
import os, signal, sqlite3, sys
import payout_worker

line = 0

def child(kill_at):
  global line
  def trace(frame, event, _):
    global line
    if frame.f_code.co_filename != payout_worker.__file__:
      return None
    if event == "line":
      line += 1
      if line == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return trace
  pid = os.fork()
  if pid == 0:
    sys.settrace(trace)
    payout_worker.main()
    os._exit(0)
  return os.waitpid(pid, 0)[1]

payouts = sqlite3.connect(sys.argv[1], isolation_level=None)
kill_at, end = 0, signal.SIGKILL
while end == signal.SIGKILL:
  kill_at += 1
  id = f"p-{kill_at}"
  payouts.execute("INSERT INTO payouts (id, corridor, amount, currency, payee) VALUES (?, 'GB-NG', '1000', 'GBP', 'Ada')", (id,))
  end = child(kill_at)
  payouts.execute("UPDATE payouts SET not_before = 0")
  again = child(0)
  state, = payouts.execute("SELECT state FROM payouts WHERE id = ?", (id,)).fetchone()
  print("killed", kill_at, end, again, state, flush=True)
`

test('killed at any of its lines it sends a payout once, or leaves it as sending and at most once sent', () =>
  queues.withQueue(async ({ folder, run, sent, decided }) => {
    writeFileSync(join(folder, 'killer.py'), killer)
    const { stdout, stderr } = await run({}, 'killer.py')
    const kills = [...stdout.matchAll(/^killed (\d+) (\d+) (\d+) (\w+)$/gm)].map((match) => match.slice(1))
    assert.ok(kills.length > 40, stdout + stderr)
    const atRail = Map.groupBy(sent(), (line) => line.split(' ')[0] ?? '')
    for (const [number, end, again, state] of kills) {
      const times = atRail.get(`p-${number}`)?.length ?? 0
      assert.deepEqual([end, again], [number === String(kills.length) ? '0' : '9', '0'])
      if (state === 'sent') assert.equal(times, 1, `p-${number}`)
      else
        assert.ok(state === 'sending' && times <= 1, `p-${number} is ${state}, and was sent ${times} times`)
    }
    const states = kills.map(([, , , state]) => state)
    assert.ok(states.filter((state) => state === 'sent').length > 20)
    assert.ok(states.includes('sending'))
    assert.equal((await decided()).length, kills.length, 'each is decided once')
  }))

test('several workers on one queue send each payout once', () =>
  queues.withQueue(async ({ add, run, sent, decided }) => {
    const payouts = Array.from({ length: 12 }, (_, index) => [`p-${index}`, `${index + 1}000`])
    add(Object.fromEntries(payouts) as Record<string, string>)
    const ended = await Promise.all([run(), run(), run()])
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0, 0],
      ended.map(({ stderr }) => stderr).join(''),
    )
    assert.deepEqual(
      sent().toSorted(),
      payouts.map(([id, amount]) => `${id} ${amount} GBP to Ada`).toSorted(),
    )
    assert.equal((await decided()).length, payouts.length)
  }))

test('a worker that was stopped for longer than its claim does not send what another one has sent', () =>
  queues.withQueue(async ({ add, start, run, sent, states, row, pass, decided }) => {
    add({ 'p-1': '1000' })
    await queues.withLine(
      async (decide, answer) => {
        const decision = await decide()
        pass()
        await run()
        assert.equal(sent().length, 1)
        await answer(decision)
      },
      async (url) => {
        const late = await start({ FAIRWAY_URL: url }).ended
        assert.deepEqual([late.code, late.stdout, late.stderr], [0, '', ''])
      },
    )
    assert.deepEqual([sent(), states()], [['p-1 1000 GBP to Ada'], { 'p-1': 'sent' }])
    assert.deepEqual([row('p-1').note, await decided()], ['GO PROCEED', [1000]])
  }))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`without --once it works on, and ${signal} ends it after the payout at hand`, () =>
    queues.withQueue(async ({ add, start, sent, states }) => {
      const args = ['payouts.db']
      const idle = start({}, 'payout_worker.py', args)
      add({ 'p-1': '1000' })
      await idle.said(/^p-1: sent: SVC-/m)
      assert.equal((await idle.stop(signal)).code, 0)
      add({ 'p-2': '2000', 'p-3': '3000' })
      const ended = Promise.withResolvers<Finished>()
      let worker: RunningRecipe | null = null
      await queues.withLine(
        async (decide, answer) => {
          ended.resolve(worker?.stop(signal) ?? assert.fail())
          await answer(await decide())
        },
        async (url) => {
          worker = start({ FAIRWAY_URL: url }, 'payout_worker.py', args)
          assert.equal((await ended.promise).code, 0)
        },
      )
      assert.deepEqual(sent(), ['p-1 1000 GBP to Ada', 'p-2 2000 GBP to Ada'])
      assert.deepEqual(states(), { 'p-1': 'sent', 'p-2': 'sent', 'p-3': 'waiting' })
    }))
