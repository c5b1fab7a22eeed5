/** How each degraded row of the status page is mended: one sentence, and the page for it if there is one. */

import { Link } from 'wouter'
import { useSession } from '../../session.tsx'

interface Fix {
  readonly text: string
  readonly link?: { readonly href: string; readonly label: string }
  /** The page is for admins of the installation. */
  readonly isAdmin?: true
}

const keys = { href: '/admin/keys', label: 'Keys' }

/** By item. Items without one are settings of the server, and their detail names the setting. */
const itemFixes: Readonly<Record<string, Fix>> = {
  api_keys_active: { text: 'Issue a key.', link: keys, isAdmin: true },
  live_keys_active: { text: 'Issue a live key, or approve a request for one.', link: keys, isAdmin: true },
  webhooks_configured: {
    text: 'Register an endpoint.',
    link: { href: '/webhooks', label: 'Webhooks' },
  },
  live_feeds: {
    text: 'See which feeds are missing or fail.',
    link: { href: '/status#feeds', label: 'Feeds' },
  },
  corridor_probe: {
    text: 'See how the corridors are doing.',
    link: { href: '/corridors', label: 'Corridors' },
  },
}

const retries = 'It retries by itself, and the log of the server names the cause.'

/** By follower: the page that waits for it. */
const followerPages: Readonly<Record<string, Fix['link']>> = {
  totals: { href: '/overview', label: 'Overview' },
  webhooks: { href: '/webhooks', label: 'Webhooks' },
  policies: { href: '/policies', label: 'Policies' },
  calibration: { href: '/calibration', label: 'Calibration' },
  reviews: { href: '/reviews', label: 'Reviews' },
}

function FixText({ of: { text, link, isAdmin } }: { readonly of: Fix }) {
  const { person } = useSession()
  const isForCaller = isAdmin === undefined || (person?.owner_id === null && person.roles.includes('admin'))
  return (
    <span className="small soft">
      {text}
      {link !== undefined && isForCaller && (
        <>
          {' '}
          <Link href={link.href}>{link.label}</Link>
        </>
      )}
    </span>
  )
}

export function ItemFix({ item }: { readonly item: string }) {
  const fix = itemFixes[item]
  return fix === undefined ? null : <FixText of={fix} />
}

export function FollowerFix({ name }: { readonly name: string }) {
  const link = followerPages[name]
  return <FixText of={{ text: retries, ...(link !== undefined && { link }) }} />
}

export function FeedFix({ corridor }: { readonly corridor: string | null }) {
  return (
    <FixText
      of={
        corridor === null
          ? {
              text: 'Its live decisions are held. Check the provider and the address in the feeds file.',
              link: { href: '/admin/feeds', label: 'Feeds file' },
              isAdmin: true,
            }
          : {
              text: 'Its live decisions are held. Check the provider, then Check now.',
              link: { href: `/corridors/${encodeURIComponent(corridor)}`, label: corridor },
            }
      }
    />
  )
}
