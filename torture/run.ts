/** Runs one experiment (`npm run torture -- NAME`) and prints its results. Exit code 1 if a promise is broken. */

import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Experiment } from './experiment.ts'

const folder = join(import.meta.dirname, 'experiments')
const files = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [basename(file, '.ts'), file]),
)
const names = [...files.keys()].toSorted()
const seedMax = 2 ** 32

async function load(name: string): Promise<Experiment> {
  const { experiment } = (await import(join(folder, files.get(name) ?? ''))) as { experiment: Experiment }
  return experiment
}

async function usage(): Promise<string> {
  const lines: string[] = []
  for (const name of names) lines.push(`  ${name.padEnd(21)} ${(await load(name)).promise}`)
  return `Usage: npm run torture -- NAME [--seed N] [--count N] [--short]
  --seed   seed of all randomness; repeats a run
  --count  number of repetitions; default: depends on the experiment
  --short  the short form that runs with the tests

${lines.join('\n')}
`
}

function wholeNumber(text: string | undefined, name: string): number | null {
  if (text === undefined) return null
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [name, ...more] = positionals
  if (values.help || name === undefined || more.length > 0 || !names.includes(name)) {
    const stream = values.help ? process.stdout : process.stderr
    stream.write(await usage())
    process.exitCode = values.help ? 0 : 2
    return
  }
  const seed = wholeNumber(values.seed, 'seed') ?? randomInt(seedMax)
  const count = wholeNumber(values.count, 'count')
  const experiment = await load(name)
  const print = (line: string): void => void process.stdout.write(`${line}\n`)
  print(`${name}: ${experiment.promise}`)
  const skipped = experiment.skipped?.() ?? null
  if (skipped !== null) {
    print(`SKIPPED: ${skipped}`)
    return
  }
  print(`seed ${seed}; to repeat: npm run torture -- ${name} --seed ${seed}`)
  const startedMs = performance.now()
  const { figures, violations } = await experiment.run({ seed, count, isShort: values.short, print })
  for (const [what, value] of Object.entries(figures)) print(`${what}: ${value}`)
  for (const violation of violations) print(`VIOLATION: ${violation}`)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  print(
    `${violations.length === 0 ? 'HELD' : 'BROKEN'}: ${violations.length} violations, ${seconds} s, seed ${seed}`,
  )
  if (violations.length > 0) process.exitCode = 1
}

await main()
