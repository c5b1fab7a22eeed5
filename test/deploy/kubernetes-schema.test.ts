/** The manifests, held against the published types of Kubernetes: no field is misspelt, missing or of another kind. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { manifests, type Manifest } from '../helpers/deploy.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Checked {
  validate(): unknown
}

const moduleOf = ({ apiVersion, kind }: Manifest): string => `kubernetes-models/${apiVersion}/${kind}`

for (const { path, manifest } of manifests) {
  test(`${path} has every field that Kubernetes asks for, in its form`, async () => {
    const module = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => Checked>
    const Kind = module[manifest.kind] ?? assert.fail(`there is no ${manifest.kind}`)
    new Kind(manifest).validate()
  })
}

/** The compiler refuses a member that a type does not have, which the schemas of Kubernetes allow. */
function complaintsOf(some: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairway-manifests-'))
  try {
    const lines = some.map((manifest, place) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`
      return `export const manifest${place}: ${type} = ${JSON.stringify(manifest)}`
    })
    writeFileSync(join(folder, 'manifests.ts'), `${lines.join('\n')}\n`)
    const paths = Object.fromEntries(
      ['kubernetes-models', '@kubernetes-models'].map((name) => [
        `${name}/*`,
        [`${root}node_modules/${name}/*`],
      ]),
    )
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'preserve',
      types: [],
      paths,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    return status === 0 ? '' : stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('no manifest has a field that Kubernetes does not know', () => {
  const all = manifests.map(({ manifest }) => manifest)
  assert.ok(all.length >= 8)
  assert.equal(complaintsOf(all), '')
})

test('a misspelt field is found, however deep it lies', () => {
  const deployment = structuredClone(
    manifests.find(({ manifest }) => manifest.kind === 'Deployment')?.manifest,
  )
  const [container] = deployment.spec.template.spec.containers
  container.livenessProbe.httpGet.pth = container.livenessProbe.httpGet.path
  assert.match(complaintsOf([deployment]), /pth.* does not exist in type 'IHTTPGetAction'/)
})
