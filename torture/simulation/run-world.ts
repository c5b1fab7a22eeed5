/** Runs one world step by step, from its first callers to its end. */

import { issueKey } from '../../src/app/access/keys.ts'
import { actsBy } from '../../src/app/operate/acts.ts'
import { actions, register, type Action } from './actions.ts'
import { settleWorld } from './end.ts'
import { staffDesk } from './reviews/staff.ts'
import { settled } from './schedule.ts'
import { Violation } from './inspect/violation.ts'
import { World, type WorldOptions, type WorldReport } from './world.ts'

const stepsPerWorld = 24

const logEverySteps = 8

export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const world = new World(options)
  try {
    await populate(world)
    while (world.step < stepsPerWorld) await takeStep(world)
    await settleWorld(world)
    return world.report(null)
  } catch (error) {
    // A service that never rests has often reported the cause before.
    const thrown = world.fault ?? `the simulation threw ${String(error)}`
    const sentence = error instanceof Violation ? error.message : thrown
    return world.report({ step: world.step, sentence })
  } finally {
    for (const { life } of world.instances) world.schedule.end(life)
    options.worldDatabase.clear()
  }
}

/** Creates three callers with the desks of their owners, and two endpoints. One caller has a low limit, one a high limit, and one is in live mode. */
async function populate(world: World): Promise<void> {
  const { truth, schedule, rng, callers } = world
  const { clock } = schedule
  const deps = { keys: truth.keys, clock, random: rng, describe: actsBy('simulated', { clock, random: rng }) }
  for (const [prefix, count] of [
    ['pk_test_', 3],
    ['pk_test_', 1_000],
    ['pk_live_', 1_000],
  ] as const) {
    const verifyLimit = { count, windowMs: 10_000 }
    world.policies.acts += 1
    const caller = await issueKey(deps, { prefix, ownerLabel: 'simulated', scopes: [], verifyLimit })
    callers.push(caller)
    await staffDesk(world, caller.record)
  }
  for (const name of ['first', 'second']) {
    register(world, name)
    await schedule.quiet()
  }
}

async function takeStep(world: World): Promise<void> {
  const { schedule, rng, log } = world
  world.step += 1
  const { name, act } = pickAction(world)
  world.trace(`step ${world.step}: ${name}`)
  await act(world)
  await settled()
  await schedule.pass(rng.below(30))
  await world.inspect()
  // A fault in the log persists, so a complete check at every step is not necessary.
  if (world.step % logEverySteps === 0) await log.verifyAll()
}

function pickAction({ rng }: World): Action {
  const all = actions.reduce((sum, { weight }) => sum + weight, 0)
  let drawn = rng.below(all)
  const picked = actions.find(({ weight }) => (drawn -= weight) < 0)
  if (picked === undefined) throw new Error('no action was picked')
  return picked
}
