/** Compiles the service to JavaScript: few files, which load faster than many; its packages stay packages. */

import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { oldestNode } from './manifest.ts'

/** Files that start a process or a thread: see `entryFile`. */
const isEntry = (name: string): boolean => /^(?:main|.+-worker)\.ts$/.test(name)

export async function compile(root: string, folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
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
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  cpSync(join(root, 'src/http/openapi/examples.json'), join(folder, 'src/examples.json'))
}
