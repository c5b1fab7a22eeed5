/** Compiles the service and its packages to JavaScript: few files, which load faster than many. */

import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { oldestNode, readManifest } from './manifest.ts'

/** Packages in the older form of modules ask for those of Node.js by this name. */
const ownRequire =
  "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)"

/** Files that start a process or a thread: see `entryFile`. */
const isEntry = (name: string): boolean => /^(?:main|.+-worker)\.ts$/.test(name)

export async function compile(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // Optional packages are installed beside this one.
    ssr: { noExternal: true, external: Object.keys(readManifest(root).peerDependencies) },
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
