/** /api/v1/admin: what admins of the installation do, by the use cases of the command line. */

import type { App, AppDeps } from '../../types.ts'
import { registerAdminAccess } from './access-requests.ts'
import { registerActivity } from './activity.ts'
import { registerAdminCip, type CipRoutesDeps } from './cip.ts'
import { registerAdminFeeds, type FeedRoutesDeps } from './feeds.ts'
import { registerJobs } from './jobs.ts'
import { registerAdminKeys } from './keys.ts'
import { registerMaintenance, type MonthRoutesDeps } from './maintenance.ts'
import { registerAdminPeople, type PeopleRoutesDeps } from './people.ts'
import { registerAdminWebhooks } from './webhooks.ts'

export function registerAdmin(
  app: App,
  deps: PeopleRoutesDeps & FeedRoutesDeps & CipRoutesDeps & MonthRoutesDeps & Pick<AppDeps, 'mask'>,
): void {
  registerAdminKeys(app, deps)
  registerAdminAccess(app, deps)
  registerAdminPeople(app, deps)
  registerAdminFeeds(app, deps)
  registerAdminWebhooks(app, deps)
  registerAdminCip(app, deps)
  registerJobs(app, deps)
  registerMaintenance(app, deps)
  registerActivity(app, deps)
}
