/** Two instances behind a balancer: what compose and the balancer are told fits the program and each other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { limits } from '../../src/http/limits.ts'
import { receiverTimeoutMs } from '../../src/core/events/retry-schedule.ts'
import { readText, readYaml, type Manifest } from '../helpers/deploy.ts'
import { startHarness } from '../helpers/harness.ts'
import { settingNames } from '../helpers/settings.ts'

const [compose] = readYaml('deploy/compose.yaml')
const services: Record<string, Manifest> = compose.services
const instances = Object.keys(services).filter((name) => name.startsWith('fairway-'))
const balancer = readText('deploy/haproxy.cfg')

const drainMsMax = Number(
  /^const drainMsMax = ([\d_]+)$/m.exec(readText('src/server.ts'))?.[1]?.replaceAll('_', ''),
)
const secondsOf = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1])

/** What a line of the balancer's settings says behind these words. */
function told(words: string): string {
  const line = balancer.split('\n').find((one) => one.trim().startsWith(`${words} `))
  return line?.trim().slice(words.length + 1) ?? assert.fail(`the balancer is not told "${words}"`)
}

test('there are two instances, the same but for their names, and each setting is one that Fairway has', () => {
  assert.deepEqual(instances, ['fairway-1', 'fairway-2'])
  const [first, second] = instances.map((name) => {
    const { build: _build, pull_policy: _pull, depends_on: needs, ...rest } = services[name]
    const { 'fairway-1': _first, ...othersNeeded } = needs
    return { ...rest, depends_on: othersNeeded }
  })
  assert.deepEqual(second, first)
  const known = settingNames()
  assert.ok(known.has('FAIRWAY_TRUST_PROXY'))
  assert.deepEqual(
    Object.keys(services['fairway-1'].environment).filter((name) => !known.has(name)),
    [],
  )
})

test('one instance builds the image, and the other waits for it and takes it from nowhere else', () => {
  const { 'fairway-1': first, 'fairway-2': second } = services
  assert.deepEqual(first.build, { context: '..', dockerfile: 'deploy/Dockerfile' })
  assert.equal(first.pull_policy, undefined)
  assert.equal(second.build, undefined)
  assert.equal(second.pull_policy, 'never')
  assert.equal(second.image, first.image)
  assert.deepEqual(second.depends_on['fairway-1'], { condition: 'service_started' })
  assert.equal(first.depends_on['fairway-2'], undefined)
})

test('Fairway takes these settings, and believes the one proxy before it', () => {
  const given = Object.entries<string>(services['fairway-1'].environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g, 'abc').replaceAll(/\$\{[^}]*\}/g, ''),
  ])
  const config = readConfig(Object.fromEntries(given) as Record<string, string>)
  assert.equal(config.trustProxy, 1)
  assert.equal(config.databaseUrl, 'postgres://fairway:abc@database:5432/fairway')
  assert.match(balancer, /^\s+option forwardfor$/m)
})

test('only the balancer can be reached from outside, and the database by instances alone', () => {
  const published = Object.keys(services).filter((name) => services[name].ports !== undefined)
  assert.deepEqual(published, ['balancer'])
  assert.deepEqual(services['database'].networks, ['back'])
  assert.equal(compose.networks.back.internal, true)
  assert.deepEqual(services['balancer'].networks, ['front'])
})

test('every image has a version, and none a host', () => {
  const images = Object.values(services).map((service) => String(service.image))
  assert.deepEqual(
    images.filter((image) => !/^[a-z]+:\d+\.\d+(?:\.\d+)?$/.test(image)),
    [],
  )
})

test('no secret is committed: each comes from a file that git does not see, and the example has no value for it', () => {
  const text = readText('deploy/compose.yaml')
  const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const offered = new Map(
    [...readText('deploy/.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  assert.deepEqual([...new Set(asked)].toSorted(), [...offered.keys()].toSorted())
  for (const [name, value] of offered) if (/SECRET|PASSWORD|KEY/.test(name)) assert.equal(value, '', name)
  assert.match(readText('.gitignore'), /^\/deploy\/\.env$/m)
})

test('the database keeps what it has answered: nothing that makes it durable is turned off', () => {
  const { command, volumes, environment } = services['database']
  assert.doesNotMatch(command.join(' '), /fsync|synchronous_commit|full_page_writes/)
  assert.match(environment.POSTGRES_INITDB_ARGS, /--data-checksums/)
  assert.deepEqual(volumes, ['database:/var/lib/postgresql'])
  assert.ok('database' in compose.volumes)
})

test('a stop waits longer than requests and deliveries that are under way', () => {
  assert.ok(drainMsMax > 0, 'the drain was not found')
  for (const name of instances) {
    assert.ok(secondsOf(services[name].stop_grace_period) * 1000 > drainMsMax + receiverTimeoutMs)
  }
})

test('the balancer knows every instance, and asks it for its health where it is served', async () => {
  const servers = [...balancer.matchAll(/^\s+server (\S+) (\S+):(\d+)$/gm)].map(([, name, host, port]) => ({
    name,
    host,
    port,
  }))
  assert.deepEqual(
    servers,
    instances.map((name) => ({ name, host: name, port: '8080' })),
  )
  const path = /uri (\S+)/.exec(told('http-check send'))?.[1]
  const harness = await startHarness()
  const served = harness.app.servedRoutes.some(({ method, url }) => method === 'GET' && url === path)
  await harness.close()
  assert.ok(served, path)
  assert.match(balancer, /^\s+http-check expect status 200$/m)
})

test('the balancer waits longer than Fairway, so that it is Fairway that answers', () => {
  assert.ok(secondsOf(told('timeout server')) * 1000 > limits.requestTimeoutMs)
  assert.ok(secondsOf(told('timeout client')) * 1000 > limits.requestTimeoutMs)
  assert.ok(secondsOf(told('timeout http-request')) * 1000 > limits.requestTimeoutMs)
  assert.ok(secondsOf(told('timeout http-keep-alive')) * 1000 < limits.keepAliveTimeoutMs)
})

test('the balancer sends nothing twice: it tries again only where no connection was made', () => {
  assert.equal(told('retry-on'), 'conn-failure')
})
