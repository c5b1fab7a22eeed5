/** The manifests: what they promise of probes, stops, budgets and rights fits the program and each other. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { receiverTimeoutMs } from '../../src/core/events/retry-schedule.ts'
import { container, manifests, only, readText, readYaml, type Manifest } from '../helpers/deploy.ts'
import { startHarness } from '../helpers/harness.ts'
import { settingNames } from '../helpers/settings.ts'

const pod = (): Manifest => only('Deployment').spec.template
const drainSeconds =
  Number(/^const drainMsMax = ([\d_]+)$/m.exec(readText('src/server.ts'))?.[1]?.replaceAll('_', '')) / 1000

test('every file is part of the kustomization, but for the example of a secret', () => {
  const [kustomization] = readYaml('deploy/kubernetes/kustomization.yaml')
  const resources: string[] = kustomization.resources
  const files = manifests.map(({ path }) => path.replace(/^.*\//, ''))
  assert.deepEqual([...resources, 'secret.example.yaml'].toSorted(), [...new Set(files)].toSorted())
})

test('whatever selects instances selects them by the label that they have', () => {
  const { labels } = pod().metadata
  const selectors = [
    only('Deployment').spec.selector.matchLabels,
    only('Service').spec.selector,
    only('PodDisruptionBudget').spec.selector.matchLabels,
    only('NetworkPolicy').spec.podSelector.matchLabels,
    ...pod().spec.topologySpreadConstraints.map((one: Manifest) => one.labelSelector.matchLabels),
  ]
  assert.equal(selectors.length, 6)
  for (const selector of selectors) assert.deepEqual(selector, labels)
})

test('what is named in another file is there: the target of scaling, the port, settings and secret', () => {
  const { scaleTargetRef } = only('HorizontalPodAutoscaler').spec
  const deployment = only('Deployment')
  assert.deepEqual(
    [scaleTargetRef.apiVersion, scaleTargetRef.kind, scaleTargetRef.name],
    [deployment.apiVersion, deployment.kind, deployment.metadata.name],
  )
  const [port] = container().ports
  assert.equal(only('Service').spec.ports[0].targetPort, port.name)
  assert.equal(only('NetworkPolicy').spec.ingress[0].ports[0].port, port.name)
  const sources = container().envFrom.map((one: Manifest) => one.configMapRef?.name ?? one.secretRef?.name)
  assert.deepEqual(sources, [only('ConfigMap').metadata.name, only('Secret').metadata.name])
})

test('every setting is one that Fairway has, with a value that it takes', () => {
  const settings = { ...only('ConfigMap').data, ...only('Secret').stringData }
  const known = settingNames()
  assert.deepEqual(
    Object.keys(settings).filter((name) => !known.has(name)),
    [],
  )
  const config = readConfig(settings)
  assert.equal(config.host, '0.0.0.0')
  assert.equal(config.port, container().ports[0].containerPort)
  assert.equal(config.trustProxy, 1)
})

test('the example of a secret holds none', () => {
  const { DATABASE_URL: url, ...others } = only('Secret').stringData
  const { username, password, hostname } = new URL(url)
  assert.deepEqual([username, password, hostname], ['USER', 'PASSWORD', 'HOST'])
  assert.deepEqual(others, { FAIRWAY_SEAL_KEY: '', FAIRWAY_RECAPTCHA_SECRET: '' })
})

test('every probe asks for something that is served without a key', async () => {
  const { startupProbe, readinessProbe, livenessProbe } = container()
  const harness = await startHarness()
  const open = harness.app.servedRoutes.filter(({ method, access }) => method === 'GET' && access === null)
  await harness.close()
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
    assert.ok(
      open.some(({ url }) => url === probe.httpGet.path),
      probe.httpGet.path,
    )
    assert.equal(probe.httpGet.port, container().ports[0].name)
  }
})

test('a stop has time for all that is under way', () => {
  const [program, seconds] = container().lifecycle.preStop.exec.command
  assert.equal(program, 'sleep')
  assert.ok(drainSeconds > 0, 'the drain was not found')
  const needed = Number(seconds) + drainSeconds + receiverTimeoutMs / 1000
  assert.ok(pod().spec.terminationGracePeriodSeconds > needed)
})

test('whatever happens by plan, an instance is left, and a new version takes none away', () => {
  const { minReplicas, maxReplicas } = only('HorizontalPodAutoscaler').spec
  assert.ok(minReplicas - only('PodDisruptionBudget').spec.maxUnavailable >= 1)
  assert.ok(maxReplicas > minReplicas)
  assert.deepEqual(only('Deployment').spec.strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 })
  // Else each apply would undo what the autoscaler has done.
  assert.equal(only('Deployment').spec.replicas, undefined)
})

test('an instance has no rights that it does not need', () => {
  const { securityContext, automountServiceAccountToken } = pod().spec
  assert.equal(securityContext.runAsNonRoot, true)
  assert.equal(automountServiceAccountToken, false)
  assert.deepEqual(container().securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

test('the autoscaler has something to go by', () => {
  const { requests, limits } = container().resources
  assert.equal(only('HorizontalPodAutoscaler').spec.metrics[0].resource.name, 'cpu')
  assert.ok(requests.cpu !== undefined && requests.memory !== undefined && limits.memory !== undefined)
})
