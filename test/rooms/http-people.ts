/** The HTTP tests of people, in one process: sign-in, sessions, roles, administration. */

import { runRoom } from '../helpers/room.ts'

await runRoom('http/admin', 'http/me', 'http/oidc', 'http/roles', 'http/sign-in')
