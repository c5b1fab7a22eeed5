/** Shared by all of `npm run test:slow`: as for `npm test`, but databases are on the disk, which is the subject there. */

export { globalTeardown, setUp as globalSetup } from './global-setup.ts'
