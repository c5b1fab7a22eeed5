/** The theme as state of a component. */

import { useState } from 'react'
import { applyTheme, currentTheme, type Theme } from './site/theme.ts'

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(currentTheme)
  return [
    theme,
    (chosen) => {
      applyTheme(chosen)
      setTheme(chosen)
    },
  ]
}
