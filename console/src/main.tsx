/** The entry: puts the console into its page. */

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SWRConfig } from 'swr'
import { App } from './app.tsx'
import { swrSettings } from './ask.ts'
import { SessionProvider } from './session.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <SWRConfig value={swrSettings}>
      <SessionProvider>
        <App />
      </SessionProvider>
    </SWRConfig>
  </StrictMode>,
)
