/** Prints the resources for 10,000, 100,000 and 1,000,000 decisions per second, from the measured cost. */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { figuresOf, readFigures } from './scale/figures.ts'
import { tablesOf, textOf } from './scale/tables.ts'

const figuresPath = fileURLToPath(new URL('../docs/scale-figures.json', import.meta.url))
const pagePath = fileURLToPath(new URL('../docs/scale.md', import.meta.url))

const usage = `Usage: npm run -s simulate -- [--refresh FILE]
  --refresh FILE  Update docs/scale-figures.json and docs/scale.md from a report of
                  npm run bench -- --only cost --json FILE
`

/** The tables on the page, after the command that prints them. */
const outputBlock = /(```sh\nnpm run -s simulate\n```\n\n```text output\n)[\s\S]*?(\n```)/

function refresh(benchPath: string): void {
  writeFileSync(figuresPath, `${JSON.stringify(figuresOf(benchPath), null, 2)}\n`)
  const page = readFileSync(pagePath, 'utf8')
  if (!outputBlock.test(page)) throw new Error('docs/scale.md has no output block for the tables')
  writeFileSync(
    pagePath,
    page.replace(outputBlock, (_, before, after) => `${before}${printed().trimEnd()}${after}`),
  )
}

function printed(): string {
  const figures = readFigures(figuresPath)
  const { origin, measuredAt, machine } = figures
  const head = `${origin}\n${measuredAt.slice(0, 10)}, ${machine}\n`
  return [head, ...tablesOf(figures).map(textOf)].join('\n')
}

try {
  const { values } = parseArgs({ options: { refresh: { type: 'string' } } })
  if (values.refresh !== undefined) refresh(values.refresh)
  process.stdout.write(printed())
} catch (error) {
  process.stderr.write(`simulate: ${error instanceof Error ? error.message : String(error)}\n${usage}`)
  process.exitCode = 1
}
