/** deploy/README.md: its commands need an engine and are not executed, so what they name is checked. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { manifests, only, readText, readYaml } from '../helpers/deploy.ts'
import { anchorsOf, linksOf } from '../helpers/docs/markdown.ts'

const page = readText('deploy/README.md')
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text).join('\n')

test('every link leads to a file, and every anchor to a heading', () => {
  const links = linksOf(page)
  assert.ok(links.length > 5)
  const broken = links.filter((link) => {
    const [target = '', anchor = ''] = link.split('#')
    const path = posix.join('deploy', target === '' ? 'README.md' : target)
    return !existsSync(path) || (anchor !== '' && !anchorsOf(readText(path)).has(anchor))
  })
  assert.deepEqual(broken, [])
})

test('every path and every service in its commands is there', () => {
  const paths = [...commands.matchAll(/\b(?:deploy|bin)\/[\w./]+/g)].map(([path]) => path)
  assert.ok(paths.includes('deploy/compose.yaml'))
  assert.deepEqual(
    // Made by the reader, of the example beside it.
    paths.filter((path) => path !== 'deploy/.env' && !existsSync(path)),
    [],
  )
  const [{ services }] = readYaml('deploy/compose.yaml')
  const named = [...commands.matchAll(/(?:exec|--no-TTY|--wait) ([a-z][\w-]*)/g)].map(([, name]) =>
    String(name),
  )
  assert.deepEqual([...new Set(named)].toSorted(), ['database', 'deployment', 'fairway-1', 'fairway-2'])
  assert.deepEqual(
    named.filter((name) => name !== 'deployment' && !(name in services)),
    [],
  )
})

test('Kubernetes is asked for what the manifests make', () => {
  const names = new Set(manifests.map(({ manifest }) => manifest.metadata.name))
  assert.deepEqual([...names], ['fairway'])
  assert.match(commands, /rollout status deployment\/fairway/)
  assert.match(
    commands,
    new RegExp(`create secret generic ${only('Secret').metadata.name} --from-literal=DATABASE_URL=`),
  )
})

test('it says what was not run', () => {
  assert.match(
    page,
    /No image was built by Docker, and neither\s+compose nor Kubernetes has started any of this/,
  )
})
