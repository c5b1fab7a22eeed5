/** Bugs planted in simulated worlds: each is found, and the seed that is named shows the same again. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '../../src/adapters/store/engine/driver.ts'
import type { Change } from '../../src/adapters/store/engine/named-changes.ts'
import { simulate } from '../../torture/experiments/simulation.ts'
import type { Planted } from '../../torture/simulation/instance.ts'
import { fixedSeed } from '../helpers/short-form.ts'

export const print = (): void => {}

/** A driver of which one change does something else. */
export function changing(
  driver: Driver,
  other: (name: string, values: unknown[]) => Promise<unknown> | null,
): Driver {
  const ask = askOf(driver)
  const change = ((name: string, ...values: unknown[]) =>
    other(name, values) ?? ask(name, ...values)) as Change
  return { ...driver, change }
}

type Ask = (...values: readonly unknown[]) => Promise<unknown>

/** The changes of a driver, for values of any type. */
export const askOf = ({ change }: Driver): Ask => change as unknown as Ask

export interface Plant {
  readonly planted: Planted
  readonly found: RegExp
}

export function testPlants(plants: Readonly<Record<string, Plant>>): void {
  for (const [name, { planted, found }] of Object.entries(plants)) {
    test(`${name} is found, and the seed that is named shows the same again`, async () => {
      const { violations } = await simulate({ seed: fixedSeed, isShort: true, count: 400, print }, planted)
      const [first = 'nothing was found'] = violations
      assert.match(first, found)
      const own = Number(
        /\(step \d+; npm run torture -- simulation --seed (\d+) --count 1\)$/.exec(first)?.[1],
      )
      const again = await simulate({ seed: own, isShort: true, count: 1, print }, planted)
      assert.deepEqual(again.violations, [first])
    })
  }
}
