/** The tabs of the decision page, with the arrow keys and in the address. */

import { useRef, type KeyboardEvent } from 'react'

const tabs = [
  ['decision', 'Decision'],
  ['evidence', 'Evidence'],
  ['debug', 'Debug'],
] as const

export type TabName = (typeof tabs)[number][0]

/** An unknown name is the first tab. */
export const tabIn = (params: URLSearchParams): TabName =>
  tabs.find(([name]) => name === params.get('tab'))?.[0] ?? 'decision'

const steps: Readonly<Record<string, (place: number) => number>> = {
  ArrowRight: (place) => (place + 1) % tabs.length,
  ArrowLeft: (place) => (place + tabs.length - 1) % tabs.length,
  Home: () => 0,
  End: () => tabs.length - 1,
}

export const tabId = (name: TabName): string => `tab-${name}`
export const panelId = (name: TabName): string => `panel-${name}`

export function Tabs({
  value,
  onChange,
}: {
  readonly value: TabName
  readonly onChange: (name: TabName) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  function move(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs[step(tabs.findIndex(([name]) => name === value))]?.[0] ?? value
    onChange(next)
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus()
  }
  return (
    <div ref={list} className="tabs" role="tablist" aria-label="Parts of this decision">
      {tabs.map(([name, text]) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          aria-selected={name === value}
          aria-controls={panelId(name)}
          tabIndex={name === value ? 0 : -1}
          onClick={() => onChange(name)}
          onKeyDown={move}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
