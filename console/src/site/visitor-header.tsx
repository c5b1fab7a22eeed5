/** The header of the first page for visitors: that of the guide, with the way in. */

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { SearchButton } from '../search/search.tsx'
import { useTheme } from '../theme.ts'
import { Icon, Logo, type IconName } from '../ui/icon.tsx'
import './header.css'
import type { Theme } from './theme.ts'

const themes: readonly (readonly [theme: Theme, label: string, icon: IconName])[] = [
  ['system', 'System theme', 'screen'],
  ['light', 'Light theme', 'sun'],
  ['dark', 'Dark theme', 'moon'],
]

function ThemeSwitch() {
  const [theme, setTheme] = useTheme()
  return (
    <div className="theme-switch" role="group" aria-label="Theme">
      {themes.map(([one, label, icon]) => (
        <button
          key={one}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={one === theme}
          onClick={() => setTheme(one)}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
    </div>
  )
}

export function VisitorHeader({ children }: { readonly children: ReactNode }) {
  return (
    <header className="site-header visitor-header">
      <Link href="/" className="brand" aria-label="Fairway">
        <Logo />
        <span className="wide" aria-hidden="true">
          Fairway
        </span>
      </Link>
      <nav aria-label="Site">
        <a href="/guide/">Guide</a>
        <a href="/docs/">
          API<span className="wide"> reference</span>
        </a>
        <Link href="/status">Status</Link>
      </nav>
      <SearchButton />
      <ThemeSwitch />
      {children}
    </header>
  )
}
