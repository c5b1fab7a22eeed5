/** /api/v1/admin: what admins of the installation do, by the use cases of the command line. */

import type { App, AppDeps } from '../../types.ts'
import { registerAdminAccess } from './access-requests.ts'
import { registerActivity } from './activity.ts'
import { registerAdminFeeds, type FeedRoutesDeps } from './feeds.ts'
import { registerAdminKeys } from './keys.ts'
import { registerAdminPeople, type PeopleRoutesDeps } from './people.ts'
import { registerAdminWebhooks } from './webhooks.ts'

export function registerAdmin(
  app: App,
  deps: PeopleRoutesDeps & FeedRoutesDeps & Pick<AppDeps, 'mask'>,
): void {
  registerAdminKeys(app, deps)
  registerAdminAccess(app, deps)
  registerAdminPeople(app, deps)
  registerAdminFeeds(app, deps)
  registerAdminWebhooks(app, deps)
  registerActivity(app, deps)
}
