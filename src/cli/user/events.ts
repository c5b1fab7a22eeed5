/** `fairway events tail`: prints the owner's events as they are recorded. */

import type { Command } from 'commander'
import {
  ConnectionError,
  TimeoutError,
  UnavailableError,
  type EventsPage,
  type FairwayClient,
  type StreamedEvent,
} from '../../../client/src/index.ts'
import { clean } from '../redact.ts'
import { checked, shaped } from './session/answer-checks.ts'
import { amountText, timeText } from './session/screen.ts'
import {
  runUser,
  sleep,
  withSharedOptions,
  type Session,
  type SharedOptions,
  type UserCli,
} from './session/session.ts'

interface TailOptions extends SharedOptions {
  readonly after?: string
  readonly fromStart?: true
  readonly follow: boolean
}

/** How long a request waits for an event, and the pause after one that failed. */
const waitSeconds = 20
const pauseMs = 2_000
const pageMax = 1_000
/** Longer than one rate-limit window: a long history can exhaust the limit. */
const pageRetryBudgetMs = 70_000

export function registerEvents(program: Command, cli: UserCli): void {
  const events = program
    .command('events')
    .description('Your events in the order of the log')
    .addHelpText('after', '\nExample:\n  fairway events tail')
  withSharedOptions(
    events
      .command('tail')
      .description('Print events as they are recorded, until Ctrl+C')
      .option('--after <event-id>', 'Begin after this event')
      .option('--from-start', 'Begin with the first event; default: after your newest decision')
      .option('--no-follow', 'End once there are no more events'),
  )
    .addHelpText(
      'after',
      '\nWith --json one event per line, as GET /api/v1/events has it. The id of the last line is the cursor: --after ID goes on from there.\n\nExample:\n  fairway events tail --from-start --no-follow --json > events.jsonl',
    )
    .action((options: TailOptions) =>
      runUser(cli, options, async (session) => {
        await tail(session, options)
        return 0
      }),
    )
}

async function tail(session: Session, options: TailOptions): Promise<void> {
  const client = session.keyed()
  let after = await firstCursor(session, client, options)
  for (;;) {
    const page = await readPage(session, client, after, options.follow)
    print(session, page.events)
    if (!options.follow && page.events.length === 0) return
    after = page.next
  }
}

/** Undefined: from the first event on. An event has the digits of its decision. */
async function firstCursor(
  { call }: Session,
  client: FairwayClient,
  { after, fromStart }: TailOptions,
): Promise<string | undefined> {
  if (after !== undefined || fromStart === true) return after
  const { items } = await call(() => client.verifications({ limit: 1 }).page())
  return items[0] === undefined ? undefined : `evt_${items[0].request_id.slice(-26).toLowerCase()}`
}

/** While it follows, a server that is away is waited for. */
async function readPage(
  { screen, call }: Session,
  client: FairwayClient,
  after: string | undefined,
  follows: boolean,
): Promise<EventsPage> {
  const query = { limit: pageMax, wait_s: follows ? waitSeconds : 0, ...(after !== undefined && { after }) }
  for (;;) {
    try {
      return checked(await call(() => client.events(query).page(), pageRetryBudgetMs), {
        events: 'list',
        next: 'text',
      })
    } catch (error) {
      const isAway =
        error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UnavailableError
      if (!follows || !isAway) throw error
      screen.note(`${error.message} Trying again …`)
      await sleep(pauseMs)
    }
  }
}

function print({ screen }: Session, events: readonly StreamedEvent[]): void {
  if (events.length === 0) return
  if (screen.isJson) screen.jsonLines(events)
  else screen.lines(shaped(() => events.map(lineOf)))
}

function lineOf(event: StreamedEvent): string {
  const { time, type, subject } = event
  return clean([timeText(time), type.padEnd(24), subject, detailOf(event)].join('  ').trimEnd())
}

function detailOf(event: StreamedEvent): string {
  if (event.data === null) return 'detached with its month'
  switch (event.type) {
    case 'payment.decision.created': {
      const { decision, corridor, amount, currency } = event.data
      return `${decision} ${corridor} ${amountText(amount, currency)}`
    }
    case 'payment.override.created':
      return `${event.data.action} ${event.data.reason_code}`
    case 'corridor.status.changed':
      return `${event.data.partner ?? event.data.corridor} ${event.data.previous_status} to ${event.data.status}`
    case 'payment.review.opened':
    case 'payment.review.closed':
      return `${event.data.status} ${event.data.review_id}`
  }
}
