/** The shell: navigation, session, theme, and the page in the middle. */

import { Component, Suspense, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { navigation, pages, type NavLink } from './pages.ts'
import { Problem } from './problem.tsx'
import { useSession } from './session.tsx'
import { useSignInHref } from './sign-in-href.ts'
import { useTheme, type Theme } from './theme.ts'
import { Button, LinkButton } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Segments } from './ui/field.tsx'
import { Icon, Logo } from './ui/icon.tsx'
import { Page } from './ui/page.tsx'
import { Empty, Skeleton } from './ui/state.tsx'
import { WhoIsSignedIn } from './who.tsx'

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

/** Who chooses the page that is open already is done with the menu, too. */
interface Going {
  readonly onGo?: () => void
}

function Brand({ onGo }: Going) {
  return (
    <Link href="/" className="brand" {...(onGo && { onClick: onGo })}>
      <Logo />
      Fairway
    </Link>
  )
}

function NavItem({ link, here, onGo }: Going & { readonly link: NavLink; readonly here: string }) {
  const inner = (
    <>
      <Icon name={link.icon} />
      {link.name}
    </>
  )
  if (link.leaves === true) {
    return (
      <a className="nav-link" href={link.path}>
        {inner}
      </a>
    )
  }
  const isHere = here === link.path || (link.path !== '/' && here.startsWith(`${link.path}/`))
  return (
    <Link
      className="nav-link"
      href={link.path}
      {...(isHere && { 'aria-current': 'page' })}
      {...(onGo && { onClick: onGo })}
    >
      {inner}
    </Link>
  )
}

function Sidebar({ as: Frame, onGo }: Going & { readonly as: 'header' | 'div' }) {
  const going = onGo ? { onGo } : {}
  const [here] = useLocation()
  const [theme, setTheme] = useTheme()
  const id = useId()
  const { client } = useSession()
  const signInHref = useSignInHref()
  return (
    <Frame className="sidebar">
      <Brand {...going} />
      <nav aria-label="Pages">
        {navigation.map(({ name, links }) => (
          <div className="nav-group" key={name}>
            <p id={`${id}${name}`}>{name}</p>
            <ul aria-labelledby={`${id}${name}`}>
              {links.map((link) => (
                <li key={link.path}>
                  <NavItem link={link} here={here} {...going} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        {client === null ? (
          <LinkButton href={signInHref} icon="key" small>
            Sign in with a key
          </LinkButton>
        ) : (
          <WhoIsSignedIn {...going} />
        )}
        <Segments label="Theme" options={themes} value={theme} onChange={setTheme} />
      </div>
    </Frame>
  )
}

/** On a narrow window the navigation is behind a button. */
function Topbar() {
  const [here] = useLocation()
  /** Where it was opened: whoever goes elsewhere has no more use for it. */
  const [openAt, setOpenAt] = useState<string | null>(null)
  return (
    <header className="topbar">
      <Brand />
      <Button look="quiet" icon="menu" aria-haspopup="dialog" onClick={() => setOpenAt(here)}>
        Menu
      </Button>
      <Dialog
        title="Menu"
        titleShown={false}
        className="dialog drawer"
        open={openAt === here}
        onClose={() => setOpenAt(null)}
      >
        <div className="drawer-close">
          <Button look="quiet" icon="close" onClick={() => setOpenAt(null)}>
            Close
          </Button>
        </div>
        <Sidebar as="div" onGo={() => setOpenAt(null)} />
      </Dialog>
    </header>
  )
}

/** A fault of the console itself: the page says so, the rest goes on. */
class Fault extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <Page title="This page failed">
        <Problem error={this.state.error} onRetry={() => window.location.reload()} />
      </Page>
    )
  }
}

function Nowhere() {
  return (
    <Page title="No such page">
      <Empty
        icon="search"
        title="There is nothing at this address"
        action={<LinkButton href="/">Go to the start</LinkButton>}
      >
        The address may be mistyped, or of an older version.
      </Empty>
    </Page>
  )
}

const waiting = (
  <div className="page" aria-busy="true">
    <Skeleton height={34} label="Loading the page" />
    <Skeleton height={280} />
  </div>
)

/**
 * Whoever signs in or out presses something that is gone then: the focus goes to the field for a key, or to the heading of
 * what is there now. A key that ends by itself takes the focus from nobody who still has it.
 */
function useFocusOfSession(): void {
  const { number, refused } = useSession()
  const seen = useRef(number)
  useEffect(() => {
    if (seen.current === number) return
    seen.current = number
    if (refused && document.activeElement !== document.body) return
    const main = document.querySelector('main')
    const field = main?.querySelector<HTMLElement>('[data-sign-in]')
    const next = field ?? main?.querySelector('h1')
    next?.focus()
  }, [number, refused])
}

export function App() {
  const [here] = useLocation()
  useFocusOfSession()
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Sidebar as="header" />
      <Topbar />
      <main className="content" id="content" tabIndex={-1}>
        <Fault key={here}>
          <Suspense fallback={waiting}>
            <Switch>
              {pages.map(({ path, page: PageAt }) => (
                <Route key={path} path={path}>
                  <PageAt />
                </Route>
              ))}
              <Route>
                <Nowhere />
              </Route>
            </Switch>
          </Suspense>
        </Fault>
      </main>
    </div>
  )
}
