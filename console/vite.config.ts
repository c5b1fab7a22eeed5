/** Builds the console into `console/dist`, for the server's own origin. */

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { alias: { '@fairway/client': `${import.meta.dirname}/../client/src/index.ts` } },
  build: {
    target: 'es2022',
    // The content security policy forbids data: URLs, so assets are files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Each file costs a request, and small files compress badly.
    rollupOptions: {
      // The styles of pages that `scripts/site` writes.
      input: ['index.html', 'src/site/guide.css', 'src/site/reference.css'].map(
        (name) => `${import.meta.dirname}/${name}`,
      ),
      output: {
        experimentalMinChunkSize: 4_000,
        // A page's script is named after its folder.
        chunkFileNames: ({ moduleIds, name }) => {
          const pages = moduleIds.flatMap((id) => /\/pages\/([\w-]+)\/page\.tsx$/.exec(id)?.[1] ?? [])
          return `assets/${pages.at(-1) ?? name}-[hash].js`
        },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  // For development: pages come from this server, API responses from a running Fairway.
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/auth', '/docs', '/guide', '/openapi.json'].map((path) => [path, 'http://127.0.0.1:8080']),
    ),
  },
})
