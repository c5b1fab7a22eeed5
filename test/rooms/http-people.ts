/** The HTTP tests of people, in one process: sign-in, sessions, roles. */

import { runRoom } from '../helpers/room.ts'

await runRoom('http/me', 'http/oidc', 'http/roles', 'http/sign-in')
