/** The console's shell: navigation, session, theme and the current page. */

import { Component, Suspense, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { useBadges, type Badge } from './badges.ts'
import { useIsVisitor } from './caller.ts'
import { ModeBanner } from './mode.tsx'
import { useOwnPages } from './own-pages.ts'
import { installationPages, pages, type NavLink } from './pages.ts'
import { Problem } from './problem.tsx'
import { useHasPeople } from './people/ways.tsx'
import { Search, SearchButton } from './search/search.tsx'
import { InstallationAsOwner, useSession } from './session.tsx'
import { useSignInHref } from './sign-in-href.ts'
import type { Theme } from './site/theme.ts'
import { VisitorHeader } from './site/visitor-header.tsx'
import { useTheme } from './theme.ts'
import { Button, LinkButton } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Segments } from './ui/field.tsx'
import { Icon, Logo } from './ui/icon.tsx'
import { Page } from './ui/page.tsx'
import { Empty, Notice, Skeleton } from './ui/state.tsx'
import { Account } from './account.tsx'

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/** Called on every navigation, even to the current page, to close the menu. */
interface NavigateProps {
  readonly onNavigate?: () => void
}

function Brand({ onNavigate }: NavigateProps) {
  return (
    <Link href="/" className="brand" {...(onNavigate && { onClick: onNavigate })}>
      <Logo />
      Fairway
    </Link>
  )
}

/** Whether an address is a page or one below it. */
const isWithin = (here: string, path: string): boolean =>
  here === path || (path !== '/' && here.startsWith(`${path}/`))

function NavItem({
  link,
  here,
  badge,
  onNavigate,
}: NavigateProps & {
  readonly link: NavLink
  readonly here: string
  readonly badge: Badge | undefined
}) {
  const inner = (
    <>
      <Icon name={link.icon} />
      {link.name}
      {badge !== undefined && (
        <span className="nav-badge">
          {badge.count}
          <span className="sr-only"> {badge.meaning}</span>
        </span>
      )}
    </>
  )
  if (link.external === true) {
    return (
      <a className="nav-link" href={link.path}>
        {inner}
      </a>
    )
  }
  const isHere = isWithin(here, link.path)
  return (
    <Link
      className="nav-link"
      href={link.path}
      {...(isHere && { 'aria-current': 'page' })}
      {...(onNavigate && { onClick: onNavigate })}
    >
      {inner}
    </Link>
  )
}

/** Nothing until it is known who is signed in. */
function Caller({ onNavigate }: NavigateProps) {
  const { ownClient, isPending } = useSession()
  const hasPeople = useHasPeople()
  const signInHref = useSignInHref()
  if (isPending) return null
  if (ownClient !== null) return <Account {...(onNavigate && { onNavigate })} />
  return (
    <LinkButton
      href={signInHref}
      icon={hasPeople ? 'user' : 'key'}
      small
      {...(onNavigate && { onClick: onNavigate })}
    >
      <span>Sign in{!hasPeople && <span className="wide"> with a key</span>}</span>
    </LinkButton>
  )
}

function Sidebar({ as: Frame, onNavigate }: NavigateProps & { readonly as: 'header' | 'div' }) {
  const navigateProps = onNavigate ? { onNavigate } : {}
  const [here] = useLocation()
  const badges = useBadges()
  const groups = useOwnPages()
  const [theme, setTheme] = useTheme()
  const id = useId()
  const nav = useRef<HTMLElement>(null)
  const current = groups.flatMap(({ links }) => links).find(({ path }) => isWithin(here, path))?.path
  useLayoutEffect(() => {
    // In a low window the list of pages scrolls; the current one is seen, with its group.
    const link = nav.current?.querySelector(`[href="${current}"]`)
    link?.closest('.nav-group')?.scrollIntoView({ block: 'nearest' })
    link?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <Frame className="sidebar">
      <Brand {...navigateProps} />
      {Frame === 'header' && <SearchButton />}
      <nav aria-label="Pages" ref={nav}>
        {groups.map(({ name, links }) => (
          <div className="nav-group" key={name}>
            <p id={`${id}${name}`}>{name}</p>
            <ul aria-labelledby={`${id}${name}`}>
              {links.map((link) => (
                <li key={link.path}>
                  <NavItem link={link} here={here} badge={badges[link.path]} {...navigateProps} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <Caller {...navigateProps} />
        <Segments label="Theme" options={themes} value={theme} onChange={setTheme} />
      </div>
    </Frame>
  )
}

/** The navigation of narrow windows, behind a button. */
function Topbar() {
  const [here] = useLocation()
  /** The page on which the menu was opened; it closes on navigation. */
  const [openAt, setOpenAt] = useState<string | null>(null)
  return (
    <header className="topbar">
      <Brand />
      <div className="row">
        <SearchButton compact />
        <Button variant="quiet" icon="menu" aria-haspopup="dialog" onClick={() => setOpenAt(here)}>
          Menu
        </Button>
      </div>
      <Dialog
        title="Menu"
        titleShown={false}
        className="dialog drawer"
        open={openAt === here}
        onClose={() => setOpenAt(null)}
      >
        <div className="drawer-close">
          <Button variant="quiet" icon="close" onClick={() => setOpenAt(null)}>
            Close
          </Button>
        </div>
        <Sidebar as="div" onNavigate={() => setOpenAt(null)} />
      </Dialog>
    </header>
  )
}

/** Errors of scripts that could not be loaded: an update of the service removes those of the version before it. */
const missingScripts = new WeakSet<object>()
window.addEventListener('vite:preloadError', ({ payload }) => missingScripts.add(payload))

const reload = (): void => window.location.reload()

function MissingScript() {
  return (
    <Notice tone="info" title="Reload this page" live>
      <p>Fairway was updated after this tab was opened, or a file of this page could not be loaded.</p>
      <Button small onClick={reload}>
        Reload
      </Button>
    </Notice>
  )
}

/** Catches rendering errors of a page; the shell keeps working. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const isMissing = typeof error === 'object' && missingScripts.has(error)
    return (
      <Page title={isMissing ? 'Page not loaded' : 'Page error'} hasTimes={false}>
        {isMissing ? <MissingScript /> : <Problem error={error} onRetry={reload} />}
      </Page>
    )
  }
}

function NotFound() {
  return (
    <Page title="Page not found" hasTimes={false}>
      <Empty
        icon="search"
        title="No page at this address"
        action={<LinkButton href="/">Go to the home page</LinkButton>}
      >
        Check the address, or choose a page from the menu. The <a href="/guide/">guide</a> and the{' '}
        <a href="/docs/">API reference</a> describe what there is.
      </Empty>
    </Page>
  )
}

const loading = (
  <div className="page" aria-busy="true">
    <Skeleton height={34} label="Loading page" />
    <Skeleton height={280} />
  </div>
)

/**
 * Moves the focus after sign-in and sign-out, which remove the focused button: to the first field to sign in, or else to
 * the page's heading. A caller whom the server rejects keeps a focus that is still on the page.
 */
function useSessionFocus(): void {
  const { number, ended, isPending } = useSession()
  const previous = useRef(number)
  useLayoutEffect(() => {
    if (isPending || previous.current === number) return
    previous.current = number
    if (ended !== null && document.activeElement !== document.body) return
    const main = document.querySelector('main')
    const field = main?.querySelector<HTMLElement>('[data-sign-in]')
    const target = field ?? main?.querySelector('h1')
    target?.focus()
  }, [number, ended, isPending])
}

export function App() {
  const [here] = useLocation()
  useSessionFocus()
  const isLanding = useIsVisitor() && here === '/'
  return (
    <div className={isLanding ? 'landing' : 'shell'}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      {isLanding ? (
        <VisitorHeader>
          <Caller />
        </VisitorHeader>
      ) : (
        <Sidebar as="header" />
      )}
      {!isLanding && <Topbar />}
      <Search />
      <main className="content" id="content" tabIndex={-1}>
        <ModeBanner />
        <ErrorBoundary key={here}>
          <Suspense fallback={loading}>
            <Switch>
              {pages.map(({ path, page: PageAt }) => (
                <Route key={path} path={path}>
                  {installationPages.has(path) ? (
                    <InstallationAsOwner>
                      <PageAt />
                    </InstallationAsOwner>
                  ) : (
                    <PageAt />
                  )}
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  )
}
