/** Rows that open their link wherever they are clicked, and whose text can still be selected. */

import type { MouseEvent } from 'react'

const ownControls = 'a, button, input, label, select, summary, td:has(input)'

/** The link is a real one, in a cell: the keyboard and its menu reach it as any other. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const isOwn = event.target instanceof Element && event.target.closest(ownControls) !== null
  if (isOwn || event.button > 1 || window.getSelection()?.isCollapsed === false) return
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row]')
  if (link === null) return
  const isElsewhere = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey
  if (isElsewhere) return void window.open(link.href, '_blank', 'noopener')
  link.focus({ preventScroll: true })
  link.click()
}

export const rowClicks = { onClick: openRow, onAuxClick: openRow } as const

/** The mark of the link that its row opens. */
export const rowLink = { 'data-row': '' } as const
