/** The guide: the documents of the repository as pages in one frame, with a list of all pages and of each page's parts. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { consoleLinks, consoleNamesIn } from './console-links.ts'
import { escapeHtml, framedPage, type PageFiles } from './frame.ts'
import { render, type Heading, type Rendered, type Site } from './markdown.ts'
import { settingsIn } from './settings.ts'

const decisionList = 'docs/decisions/README.md'

/** The documents in the order of the list; each has an address that is its name. */
export const guideGroups: readonly (readonly [name: string, paths: readonly string[]])[] = [
  ['Start', ['docs/getting-started.md', 'docs/concepts.md', 'docs/console.md', 'docs/glossary.md']],
  [
    'Integrate',
    [
      'docs/integration.md',
      'docs/recipes.md',
      'client/README.md',
      'clients/python/README.md',
      'docs/webhooks.md',
      'docs/events.md',
      'docs/nats.md',
      'docs/errors.md',
      'docs/test-amounts.md',
      'docs/cli.md',
      'docs/mcp.md',
    ],
  ],
  [
    'Decide',
    [
      'docs/methodology.md',
      'docs/intelligence.md',
      'docs/change-a-policy-safely.md',
      'docs/policies.md',
      'docs/calibration.md',
      'docs/assess.md',
    ],
  ],
  ['People', ['docs/reviews.md', 'docs/people.md', 'docs/access.md']],
  ['Live mode', ['docs/first-live-corridor.md', 'docs/live.md', 'docs/world.md', 'docs/cip.md']],
  [
    'Operate',
    [
      'docs/operators.md',
      'docs/running.md',
      'docs/settings.md',
      'docs/backup.md',
      'docs/postgresql.md',
      'docs/monitoring.md',
      'docs/maintenance.md',
      'docs/opentelemetry.md',
      'docs/upgrade.md',
      'docs/archives.md',
      'docs/erasure.md',
      'deploy/README.md',
      'deploy/ha/README.md',
      'docs/scale.md',
      'docs/performance.md',
    ],
  ],
  [
    'Trust',
    [
      'docs/trust.md',
      'docs/tamper-evidence.md',
      'docs/threat-model.md',
      'docs/contract.md',
      'docs/dependencies.md',
      decisionList,
    ],
  ],
]

const home = 'docs/README.md'

/** Listed by the page of decisions alone: they would be too many for the list of all pages. */
export const decisions = readdirSync(join(import.meta.dirname, '../..', dirname(decisionList)))
  .map((name) => join(dirname(decisionList), name))
  .filter((path) => path !== decisionList)
  .toSorted()

/** `docs/errors.md` is `errors`, `deploy/ha/README.md` is `deploy-ha`. */
export const nameOf = (path: string): string =>
  path.replace(/^docs\/|\/README\.md$|\.md$/g, '').replaceAll('/', '-')

/** The pictures of the documents. */
export const imagesFolder = 'docs/images'
const images = readdirSync(join(import.meta.dirname, '../..', imagesFolder))

const addresses: ReadonlyMap<string, string> = new Map([
  ...images.map((name): [string, string] => [`${imagesFolder}/${name}`, `/guide/images/${name}`]),
  [home, '/guide/'],
  ['docs/api.md', '/docs/'],
  ['docs/openapi.json', '/openapi.json'],
  ...[...guideGroups.flatMap(([, paths]) => paths), ...decisions].map((path): [string, string] => [
    path,
    `/guide/${nameOf(path)}`,
  ]),
])

interface GuidePage {
  readonly path: string
  readonly page: Rendered
}

interface GuideOptions {
  /** The folder of the repository. */
  readonly root: string
  readonly files: PageFiles
}

/** Each page by the name of its file. */
export function guidePages({ root, files }: GuideOptions): ReadonlyMap<string, string> {
  const paths = [home, ...guideGroups.flatMap(([, group]) => group), ...decisions]
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const site: Site = {
    addressOf: (path) => addresses.get(path),
    consolePaths: consolePathsIn(root),
    settings: settingsIn(sources),
  }
  const pages = [...sources].map(([path, source]) => ({ path, page: render(source, path, site) }))
  const titles = new Map(pages.map(({ path, page }) => [path, page.title]))
  const names = consoleNamesIn(root)
  return new Map(
    pages.map((one) => [
      one.path === home ? 'index.html' : `${nameOf(one.path)}.html`,
      framedPage({
        title: one.path === home ? 'Fairway guide' : `${one.page.title} · Fairway guide`,
        place: '/guide/',
        files,
        body: bodyOf(one, titles, names),
      }),
    ]),
  )
}

/** The pages of the console that have one address, from its own list. */
function consolePathsIn(root: string): ReadonlySet<string> {
  const source = readFileSync(join(root, 'console/src/pages.ts'), 'utf8')
  const paths = [...source.matchAll(/path: '([^':]+)', page:/g)].map(([, path = '']) => path)
  return new Set([...paths, '/docs/', '/guide/', '/openapi.json'])
}

function bodyOf(
  { path, page }: GuidePage,
  titles: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): string {
  const list = pageList(path, titles)
  const parts = page.headings.filter(({ level }) => level === 2)
  return `<div class="guide">
<nav class="guide-pages" aria-label="Guide">${list}</nav>
<main class="guide-main" id="content" tabindex="-1">
<details class="guide-menu"><summary>All pages of the guide</summary><nav aria-label="All pages of the guide">${list}</nav></details>
<article class="guide-text">
${page.html.replace('</h1>\n', (end) => end + consoleList(consoleLinks[path] ?? [], names))}</article>
</main>
${partList(parts)}
</div>`
}

function pageList(current: string, titles: ReadonlyMap<string, string>): string {
  const currentOf = (path: string): string => {
    if (path === current) return ' aria-current="page"'
    return path === decisionList && decisions.includes(current) ? ' aria-current="true"' : ''
  }
  const item = (path: string, name: string): string =>
    `<li><a class="nav-link" href="${addresses.get(path)}"${currentOf(path)}>${name}</a></li>`
  const groups = guideGroups.map(([name, paths]) => {
    const items = paths.map((path) => item(path, escapeHtml(titles.get(path) ?? path)))
    return `<div class="nav-group"><p>${name}</p><ul>${items.join('')}</ul></div>`
  })
  return `<div class="nav-group"><ul>${item(home, 'All topics')}</ul></div>${groups.join('')}`
}

/** The pages of the console that show or change what a page of the guide is about. */
function consoleList(paths: readonly string[], names: ReadonlyMap<string, string>): string {
  if (paths.length === 0) return ''
  const links = paths.map((path) => `<a href="${path}">${escapeHtml(names.get(path) ?? path)}</a>`)
  return `<p class="guide-open">Open in the console: ${links.join(' ')}</p>\n`
}

/** A page with one part needs no list. */
function partList(parts: readonly Heading[]): string {
  if (parts.length < 2) return ''
  // A heading may contain a link, and a link must not contain another.
  const items = parts.map(
    ({ id, text }) => `<li><a href="#${id}">${text.replaceAll(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  )
  return `<nav class="guide-parts" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}
