/** Mounts the console. */

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SWRConfig } from 'swr'
import { App } from './app.tsx'
import { swrSettings } from './query.ts'
import { SessionProvider } from './session.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <SWRConfig value={swrSettings}>
      <SessionProvider>
        <App />
      </SessionProvider>
    </SWRConfig>
  </StrictMode>,
)
