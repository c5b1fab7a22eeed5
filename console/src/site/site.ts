/** The script of the pages that are built as HTML: the theme switch, the search, and the place in the list of pages. */

import { addSearch } from './search.ts'
import { applyTheme, currentTheme } from './theme.ts'

function addThemeSwitch(group: HTMLElement): void {
  const buttons = [...group.querySelectorAll('button')]
  const themeOf = ({ dataset: { themeChoice: theme } }: HTMLButtonElement) =>
    theme === 'light' || theme === 'dark' ? theme : 'system'
  function show(): void {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(themeOf(button) === currentTheme()))
  }
  for (const button of buttons) {
    button.addEventListener('click', () => {
      applyTheme(themeOf(button))
      show()
    })
  }
  show()
  group.hidden = false
}

/** Scrolls the list alone: the browser may be scrolling the page to a heading. */
function showPlace(list: HTMLElement): void {
  const item = list.querySelector<HTMLElement>('[aria-current]')
  if (item !== null) list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2
}

const group = document.querySelector<HTMLElement>('.theme-switch')
if (group !== null) addThemeSwitch(group)
const button = document.querySelector<HTMLButtonElement>('.search-open')
if (button !== null) addSearch(button)
const list = document.querySelector<HTMLElement>('.guide-pages')
if (list !== null) showPlace(list)
