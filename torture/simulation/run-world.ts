/** Runs one world from its first callers to its rest, a step at a time. */

import { issueKey } from '../../src/app/access/keys.ts'
import { actions, register, type Action } from './actions.ts'
import { bringToRest } from './end.ts'
import { settled } from './schedule.ts'
import { Violation } from './violation.ts'
import { World, type WorldOptions, type WorldReport } from './world.ts'

const stepsAWorld = 24

const logEverySteps = 8

export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const world = new World(options)
  try {
    await populate(world)
    while (world.step < stepsAWorld) await takeStep(world)
    await bringToRest(world)
    return world.report(null)
  } catch (error) {
    const sentence = error instanceof Violation ? error.message : `the simulation threw ${String(error)}`
    return world.report({ step: world.step, sentence })
  } finally {
    world.schedule.end(world.instance.life)
    options.ground.clear()
  }
}

/** Three callers and two endpoints. One caller has a narrow limit, one a wide one, and one is in live mode. */
async function populate(world: World): Promise<void> {
  const { truth, schedule, chance, callers } = world
  const deps = { keys: truth.keys, clock: schedule.clock, random: chance }
  for (const [prefix, count] of [
    ['pk_test_', 3],
    ['pk_test_', 1_000],
    ['pk_live_', 1_000],
  ] as const) {
    const verifyLimit = { count, windowMs: 10_000 }
    callers.push(await issueKey(deps, { prefix, ownerLabel: 'simulated', scopes: [], verifyLimit }))
  }
  for (const name of ['first', 'second']) {
    register(world, name)
    await schedule.quiet()
  }
}

async function takeStep(world: World): Promise<void> {
  const { schedule, chance, log } = world
  world.step += 1
  const { name, act } = pickAction(world)
  world.tell(`step ${world.step}: ${name}`)
  await act(world)
  await settled()
  await schedule.pass(chance.below(30))
  await world.inspect()
  // A fault of the log stays in it: it need not be read through at each step.
  if (world.step % logEverySteps === 0) await log.whole()
}

function pickAction({ chance }: World): Action {
  const all = actions.reduce((sum, { weight }) => sum + weight, 0)
  let drawn = chance.below(all)
  const picked = actions.find(({ weight }) => (drawn -= weight) < 0)
  if (picked === undefined) throw new Error('there is nothing to do')
  return picked
}
