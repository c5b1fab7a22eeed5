/** The theme: system, light or dark; stored in this browser. */

import { useState } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const storageName = 'fairway.theme'

function current(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageName)
    else localStorage.setItem(storageName, theme)
  } catch {
    // Without storage, the choice lasts for this page.
  }
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(current)
  return [
    theme,
    (chosen) => {
      apply(chosen)
      setTheme(chosen)
    },
  ]
}
