/** The pages that the caller can use, by group: the menu and the search offer the same. */

import { useIsAdmin, useMe } from './caller.ts'
import { mayOpen } from './page-scopes.ts'
import { navigation, type NavGroup } from './pages.ts'

export function useOwnPages(): readonly NavGroup[] {
  const isAdmin = useIsAdmin()
  const scopes = useMe()?.scopes
  return navigation
    .filter(({ isForAdmins }) => isForAdmins !== true || isAdmin)
    .map(({ name, links }) => ({ name, links: links.filter(({ path }) => mayOpen(path, scopes)) }))
    .filter(({ links }) => links.length > 0)
}
