/** How the console is built: into `console/dist`, from this repository and its packages, for the server's own origin. */

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: { '@fairway/client': `${import.meta.dirname}/../client/src/index.ts` } },
  build: {
    target: 'es2022',
    // A policy that admits no data: addresses needs files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Each file costs a request, and what is small compresses badly on its own.
    rollupOptions: { output: { experimentalMinChunkSize: 4_000 } },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  // For those who change the console: pages from here, answers from a running Fairway.
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/docs', '/openapi.json'].map((path) => [path, 'http://127.0.0.1:8080']),
    ),
  },
})
