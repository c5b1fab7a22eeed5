/** The compressed sizes of the built console's scripts: those of a first visit, and those of each page. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface PageSize {
  /** The folder of the page in `console/src/pages`. */
  readonly page: string
  /** All that a first visit of the page loads, its charts included. */
  readonly firstVisitBytes: number
  /** The part that no other page and no chart needs to have loaded before: what a click on its link loads. */
  readonly ownBytes: number
}

/** Of a script, by name: those that it needs to start, and those that it loads later. */
interface Script {
  readonly imports: readonly string[]
  readonly lazy: readonly string[]
  readonly bytes: number
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name)

function scriptsIn(assets: string): ReadonlyMap<string, Script> {
  const names = readdirSync(assets).filter((name) => name.endsWith('.js'))
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(assets, name), 'utf8')
      const script = {
        imports: namesIn(text, /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g),
        lazy: namesIn(text, /\bimport\(\s*"\.\/([^"]+\.js)"\s*\)/g),
        bytes: statSync(join(assets, `${name}.gz`)).size,
      }
      return [name, script]
    }),
  )
}

/** The script and everything that it needs to start. */
function loadedBy(names: readonly string[], scripts: ReadonlyMap<string, Script>): ReadonlySet<string> {
  const loaded = new Set(names)
  // The set grows while it is walked.
  for (const name of loaded) for (const needed of scripts.get(name)?.imports ?? []) loaded.add(needed)
  return loaded
}

/** Pages are what the first script loads later. Takes the folder of the build. */
export function consoleSizes(dist: string): readonly PageSize[] {
  const scripts = scriptsIn(join(dist, 'assets'))
  const [, entry = ''] =
    /src="\/assets\/([^"]+\.js)"/.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? []
  const sizeOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + (scripts.get(name)?.bytes ?? 0), 0)
  const lazyIn = (names: Iterable<string>): string[] =>
    [...names].flatMap((name) => scripts.get(name)?.lazy ?? [])
  const first = loadedBy([entry], scripts)
  return lazyIn(first).map((script) => {
    const own = new Set([...loadedBy([script], scripts)].filter((name) => !first.has(name)))
    const charts = loadedBy(lazyIn(own), scripts)
    return {
      // The name ends with a hash of eight characters.
      page: script.replace(/-.{8}\.js$/, ''),
      ownBytes: sizeOf(own),
      firstVisitBytes: sizeOf(new Set([...first, ...own, ...charts])),
    }
  })
}
