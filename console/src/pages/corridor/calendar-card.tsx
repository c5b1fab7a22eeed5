/** The settlement calendar of a corridor: its windows in the reader's time zone and in its own. */

import type { CorridorCalendar } from '@fairway/client'
import { formatDay, formatZoned } from '../../format.ts'
import { QueryResult } from '../../query-result.tsx'
import { useQuery } from '../../query.ts'
import { useSession } from '../../session.tsx'
import { useCorridors } from '../../supported.tsx'
import { Card, Pairs } from '../../ui/card.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { Chip } from '../../ui/verdict.tsx'

const warnDays = 30
const dayMs = 86_400_000
const holidaysMax = 12

/** The local day `YYYY-MM-DD`, which the Swedish locale writes. */
const dayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())

function ZonedTime({ at, zone }: { readonly at: string; readonly zone: string }) {
  return (
    <span className="calendar-time">
      <Time at={at} seconds={false} />
      <span className="small soft">{formatZoned(at, zone)}</span>
    </span>
  )
}

function Validity({ of: { open, valid_through: last, time_zone: zone } }: { of: CorridorCalendar }) {
  if (last === null) return null
  const daysLeft = Math.round((Date.parse(last) - Date.parse(dayIn(zone))) / dayMs)
  if (open === null || daysLeft < 0) {
    return (
      <Notice tone="nogo" title="The calendar has expired">
        <p>Settlement windows are unknown until the feeds file has a newer one.</p>
      </Notice>
    )
  }
  return daysLeft > warnDays ? null : (
    <Notice tone="degraded" title="The calendar expires soon">
      <p>{`It is valid for ${daysLeft} more ${daysLeft === 1 ? 'day' : 'days'}. Extend it in the feeds file.`}</p>
    </Notice>
  )
}

function Holidays({ of: { holidays, time_zone: zone } }: { readonly of: CorridorCalendar }) {
  const today = dayIn(zone)
  const coming = holidays.filter((day) => day >= today).toSorted()
  if (coming.length === 0) return <span className="soft">none</span>
  const more = coming.length - holidaysMax
  return (
    <ul className="calendar-days">
      {coming.slice(0, holidaysMax).map((day) => (
        <li key={day}>{formatDay(day)}</li>
      ))}
      {more > 0 && <li className="soft">{`and ${more} more`}</li>}
    </ul>
  )
}

function Calendar({ of }: { readonly of: CorridorCalendar }) {
  const { open, opens_at: opens, cut_off_at: cutOff, next_window: next, time_zone: zone } = of
  const time = (at: string) => <ZonedTime at={at} zone={zone} />
  return (
    <>
      <Validity of={of} />
      <Pairs
        of={[
          [
            'Now',
            <Chip key="now" tone={open === true ? 'go' : 'info'}>
              {open === null ? 'Unknown' : open ? 'Open' : 'Closed'}
            </Chip>,
          ],
          ...(opens === null ? [] : [[open ? 'Opened' : 'Opens', time(opens)] as const]),
          ...(cutOff === null ? [] : [['Cut-off', time(cutOff)] as const]),
          ...(open === true && next !== null ? [['Next window', time(next.opens_at)] as const] : []),
          ['Time zone', <code key="zone">{zone}</code>],
          ['Holidays', <Holidays key="days" of={of} />],
          ['Valid through', of.valid_through === null ? 'no end' : formatDay(of.valid_through)],
          ['Source', of.source ?? 'not stated'],
        ]}
      />
    </>
  )
}

/** Nothing for a corridor without a calendar. */
export function CalendarCard({ corridor }: { readonly corridor: string }) {
  const { mode } = useSession()
  const { data: list } = useCorridors(mode === 'live')
  const hasCalendar = list?.corridors.some((one) => one.corridor === corridor && one.has_calendar) === true
  const calendar = useQuery(
    hasCalendar ? ['calendar', corridor] : null,
    (client) => client.corridorCalendar(corridor),
    { refreshMs: 30_000 },
  )
  if (!hasCalendar) return null
  return (
    <Card title="Settlement calendar">
      <QueryResult query={calendar} skeleton={<Skeleton height={240} label="Loading calendar" />}>
        {(answer) => <Calendar of={answer} />}
      </QueryResult>
    </Card>
  )
}
