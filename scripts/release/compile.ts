/** Compiles the service and its packages to JavaScript: few files, which load faster than many. */

import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { oldestNode, productionPackages, readManifest } from './manifest.ts'

/** Packages in the older form of modules ask for those of Node.js by this name. */
const ownRequire =
  "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)"

/** Files that start a process or a thread: see `entryFile`. */
const isEntry = (name: string): boolean => /^(?:main|.+-worker)\.ts$/.test(name)

/** Installed beside this one. An optional package that a compiled one imports must be compiled in, too. */
function optionalPackages(root: string): string[] {
  const compiledIn = new Set(productionPackages(root))
  return Object.keys(readManifest(root).peerDependencies).filter(
    (name) => !compiledIn.has(`node_modules/${name}`),
  )
}

export async function compile(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: optionalPackages(root) },
    build: {
      ssr: true,
      target: `node${oldestNode}`,
      minify: false,
      outDir: join(folder, 'src'),
      emptyOutDir: true,
      rollupOptions: {
        input: readdirSync(join(root, 'src'))
          .filter(isEntry)
          .map((name) => join(root, 'src', name)),
        output: { banner: ownRequire, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  cpSync(join(root, 'src/http/openapi/examples.json'), join(folder, 'src/examples.json'))
}
