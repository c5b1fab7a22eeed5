/** The console's routes and navigation. The server's list of pages must match. */

import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import type { IconName } from './ui/icon.tsx'

export interface ConsolePage {
  readonly path: string
  readonly page: LazyExoticComponent<ComponentType>
}

export const pages: readonly ConsolePage[] = [
  { path: '/', page: lazy(() => import('./pages/try/page.tsx')) },
  { path: '/sign-in', page: lazy(() => import('./pages/sign-in/page.tsx')) },
  { path: '/invitation', page: lazy(() => import('./pages/invitation/page.tsx')) },
  { path: '/overview', page: lazy(() => import('./pages/overview/page.tsx')) },
  { path: '/reviews', page: lazy(() => import('./pages/reviews/page.tsx')) },
  { path: '/verifications', page: lazy(() => import('./pages/verifications/page.tsx')) },
  { path: '/verifications/compare', page: lazy(() => import('./pages/compare/page.tsx')) },
  { path: '/verifications/:request_id', page: lazy(() => import('./pages/decision/page.tsx')) },
  { path: '/batch', page: lazy(() => import('./pages/batch/page.tsx')) },
  { path: '/batch/:report_id', page: lazy(() => import('./pages/batch-report/page.tsx')) },
  { path: '/policies', page: lazy(() => import('./pages/policies/page.tsx')) },
  { path: '/policies/new', page: lazy(() => import('./pages/policy-editor/page.tsx')) },
  { path: '/policies/:policy_id', page: lazy(() => import('./pages/policy/page.tsx')) },
  { path: '/calibration', page: lazy(() => import('./pages/calibration/page.tsx')) },
  { path: '/partners', page: lazy(() => import('./pages/partners/page.tsx')) },
  { path: '/corridors', page: lazy(() => import('./pages/corridors/page.tsx')) },
  { path: '/corridors/:corridor', page: lazy(() => import('./pages/corridor/page.tsx')) },
  { path: '/webhooks', page: lazy(() => import('./pages/webhooks/page.tsx')) },
  { path: '/webhooks/:webhook_id', page: lazy(() => import('./pages/webhook/page.tsx')) },
  { path: '/status', page: lazy(() => import('./pages/status/page.tsx')) },
  { path: '/admin/keys', page: lazy(() => import('./pages/admin-keys/page.tsx')) },
  { path: '/admin/access', page: lazy(() => import('./pages/admin-access/page.tsx')) },
  { path: '/admin/people', page: lazy(() => import('./pages/admin-people/page.tsx')) },
  { path: '/admin/feeds', page: lazy(() => import('./pages/admin-feeds/page.tsx')) },
  { path: '/admin/webhooks', page: lazy(() => import('./pages/admin-webhooks/page.tsx')) },
  { path: '/admin/platform', page: lazy(() => import('./pages/admin-platform/page.tsx')) },
  { path: '/admin/maintenance', page: lazy(() => import('./pages/admin-maintenance/page.tsx')) },
  { path: '/admin/activity', page: lazy(() => import('./pages/admin-activity/page.tsx')) },
]

/** Pages that an admin can open for the installation itself, in place of an owner. */
export const installationPages: ReadonlySet<string> = new Set([
  '/policies',
  '/policies/new',
  '/policies/:policy_id',
])

export interface NavLink {
  readonly path: string
  readonly name: string
  readonly icon: IconName
  /** Not a console page: a full page load. */
  readonly external?: true
}

export interface NavGroup {
  readonly name: string
  readonly links: readonly NavLink[]
  /** Only for admins of the installation. */
  readonly isForAdmins?: true
}

export const navigation: readonly NavGroup[] = [
  { name: 'Start', links: [{ path: '/', name: 'Try it', icon: 'bolt' }] },
  {
    name: 'Decisions',
    links: [
      { path: '/overview', name: 'Overview', icon: 'chart' },
      { path: '/reviews', name: 'Reviews', icon: 'review' },
      { path: '/verifications', name: 'Verifications', icon: 'list' },
      { path: '/batch', name: 'Batch', icon: 'layers' },
      { path: '/policies', name: 'Policies', icon: 'policy' },
      { path: '/calibration', name: 'Calibration', icon: 'target' },
    ],
  },
  {
    name: 'Network',
    links: [
      { path: '/corridors', name: 'Corridors', icon: 'route' },
      { path: '/partners', name: 'Partners', icon: 'partners' },
    ],
  },
  {
    name: 'Integration',
    links: [
      { path: '/webhooks', name: 'Webhooks', icon: 'hook' },
      { path: '/status', name: 'Status', icon: 'pulse' },
      { path: '/guide/', name: 'Guide', icon: 'info', external: true },
      { path: '/docs/', name: 'API reference', icon: 'book', external: true },
    ],
  },
  {
    name: 'Administration',
    isForAdmins: true,
    links: [
      { path: '/admin/keys', name: 'Keys', icon: 'key' },
      { path: '/admin/access', name: 'Access requests', icon: 'inbox' },
      { path: '/admin/people', name: 'People', icon: 'user' },
      { path: '/admin/feeds', name: 'Feeds', icon: 'pulse' },
      { path: '/admin/webhooks', name: 'All webhooks', icon: 'hook' },
      { path: '/admin/platform', name: 'Platform stages', icon: 'layers' },
      { path: '/admin/maintenance', name: 'Maintenance', icon: 'clock' },
      { path: '/admin/activity', name: 'Activity', icon: 'history' },
    ],
  },
]
