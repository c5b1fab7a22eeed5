/** The pages of the console in which a reader sees or changes the subject of a page of the guide. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** By document, the page to begin with first. Every page of the console's menu is at one of them. */
export const consoleLinks: Readonly<Record<string, readonly string[]>> = {
  'docs/getting-started.md': ['/', '/overview'],
  'docs/webhooks.md': ['/webhooks', '/admin/webhooks'],
  'docs/events.md': ['/webhooks'],
  'docs/test-amounts.md': ['/'],
  'docs/intelligence.md': ['/verifications'],
  'docs/change-a-policy-safely.md': ['/policies'],
  'docs/policies.md': ['/policies'],
  'docs/calibration.md': ['/calibration'],
  'docs/assess.md': ['/batch'],
  'docs/reviews.md': ['/reviews'],
  'docs/people.md': ['/admin/people'],
  'docs/access.md': ['/admin/keys', '/admin/access'],
  'docs/first-live-corridor.md': ['/status', '/corridors'],
  'docs/live.md': ['/admin/feeds', '/status'],
  'docs/world.md': ['/corridors', '/partners'],
  'docs/cip.md': ['/admin/platform', '/status'],
  'docs/monitoring.md': ['/status'],
  'docs/maintenance.md': ['/admin/maintenance'],
  'docs/archives.md': ['/admin/maintenance'],
  'docs/erasure.md': ['/admin/maintenance'],
  'docs/tamper-evidence.md': ['/admin/activity'],
}

/** The names of the console's pages by their addresses, from its own menu. */
export function consoleNamesIn(root: string): ReadonlyMap<string, string> {
  const source = readFileSync(join(root, 'console/src/pages.ts'), 'utf8')
  const links = source.matchAll(/path: '([^']+)', name: '([^']+)', icon: '\w+' \}/g)
  return new Map([...links].map(([, path = '', name = '']) => [path, name]))
}
