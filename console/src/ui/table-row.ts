/** Rows that open their link or details wherever they are clicked, and whose text can still be selected. */

import type { MouseEvent } from 'react'

const ownControls = 'a, button, input, label, select, summary, .row-menu, td:has(input)'

/** The link or button is a real one, in a cell: the keyboard and its menu reach it as any other. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const isOwn = event.target instanceof Element && event.target.closest(ownControls) !== null
  if (isOwn || event.button > 1 || window.getSelection()?.isCollapsed === false) return
  const target = event.currentTarget.querySelector<HTMLElement>('[data-row]')
  if (target === null) return
  const isElsewhere = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey
  if (isElsewhere) {
    if (target instanceof HTMLAnchorElement) window.open(target.href, '_blank', 'noopener')
    return
  }
  target.focus({ preventScroll: true })
  target.click()
}

export const rowClicks = { onClick: openRow, onAuxClick: openRow } as const

/** The mark of the link or button that stands for its row. */
export const rowLink = { 'data-row': '' } as const
