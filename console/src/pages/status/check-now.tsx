/** Reads the feeds of one corridor now, and says what could be read. */

import { AuthenticationError, type CorridorHealth } from '@fairway/client'
import { useState, type FormEvent } from 'react'
import { formatMs } from '../../format.ts'
import { healthOf, healthStyles } from '../../health.tsx'
import { signalLabel } from '../../labels.ts'
import { Problem } from '../../problem.tsx'
import { useSession } from '../../session.tsx'
import { CorridorSelect, useCorridors } from '../../supported.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'

interface Checked {
  readonly health: CorridorHealth
  readonly tookMs: number
}

function useCheck(onChecked: () => void) {
  const { client, reject } = useSession()
  const [busy, setBusy] = useState(false)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [error, setError] = useState<unknown>(null)
  async function check(corridor: string): Promise<void> {
    if (client === null || busy) return
    setBusy(true)
    setError(null)
    setChecked(null)
    const startMs = performance.now()
    try {
      const health = await client.corridorHealth(corridor)
      setChecked({ health, tookMs: Math.round(performance.now() - startMs) })
      onChecked()
    } catch (caught) {
      setError(caught)
      if (caught instanceof AuthenticationError) reject()
    }
    setBusy(false)
  }
  return { busy, checked, error, check }
}

/** Feeds that could not be read: of each partner, or of the corridor. */
function unreadOf({ partners, feeds }: CorridorHealth): readonly string[] {
  const namesOf = (of: CorridorHealth['feeds']): string =>
    of.flatMap(({ signal, status }) => (status === 'unavailable' ? [signalLabel(signal)] : [])).join(', ')
  const rows =
    partners.length === 0
      ? [namesOf(feeds)]
      : partners.map(({ name, feeds: own }) => (namesOf(own) === '' ? '' : `${name}: ${namesOf(own)}`))
  return rows.filter((text) => text !== '')
}

function Result({ of: { health, tookMs } }: { readonly of: Checked }) {
  const { label, tone } = healthStyles[healthOf(health)]
  const unread = unreadOf(health)
  const isRead = unread.length === 0
  return (
    <Notice
      tone={tone === 'none' ? 'info' : tone === 'go' && !isRead ? 'degraded' : tone}
      title={`${health.corridor}: ${label.toLowerCase()}`}
      live
    >
      <p>{`Checked in ${formatMs(tookMs)}: ${isRead ? 'every feed was read' : 'some feeds could not be read'}. ${health.advisory}`}</p>
      {!isRead && (
        <ul>
          {unread.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

export function CheckNow({ onChecked }: { readonly onChecked: () => void }) {
  const { data, error: listError } = useCorridors()
  const corridors = data?.corridors.map((one) => one.corridor) ?? []
  const [chosen, setChosen] = useState('')
  const { busy, checked, error, check } = useCheck(onChecked)
  const problem = error ?? (data === undefined ? (listError ?? null) : null)
  const corridor = corridors.includes(chosen) ? chosen : (corridors[0] ?? '')
  function submit(event: FormEvent): void {
    event.preventDefault()
    void check(corridor)
  }
  return (
    <>
      <form className="feeds-check" onSubmit={submit}>
        <CorridorSelect codes={corridors} value={corridor} onChoose={setChosen} />
        <Button type="submit" icon="pulse" busy={busy} disabled={corridors.length === 0}>
          Check now
        </Button>
      </form>
      {busy && (
        <p className="small soft" role="status">
          {`Reading the feeds of ${corridor} …`}
        </p>
      )}
      {problem !== null && <Problem error={problem} />}
      {checked !== null && <Result of={checked} />}
    </>
  )
}
