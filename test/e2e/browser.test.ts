/**
 * Every page in a real Chromium, in one process: the browser, its compiled scripts and the server serve all of these files.
 * One of them alone is run by its path, as any test file is.
 */

import { readdirSync } from 'node:fs'

const folder = new URL('./browser/', import.meta.url)
for (const file of readdirSync(folder)) await import(new URL(file, folder).href)
