/** Checks of services outside: the live feeds and the captcha. */

import { counted, withThousands } from '../../../core/explain/wording.ts'
import { checkFeeds, type FeedCheck } from '../../inspect/check-feeds.ts'
import type { DoctorDeps, DoctorSettings } from './deps.ts'
import { fault, note, ok, warning, type Finding } from './findings.ts'

/** For all corridors together: a few deadlines of a usual feeds file. */
const feedsMsMax = 10_000
/** More would hide the other checks. */
const linesMax = 5

export async function feedFindings(
  deps: DoctorDeps,
  { liveFeedsFile: path }: DoctorSettings,
): Promise<Finding[]> {
  if (path === null)
    return [
      note(
        'No live feeds: live verify is on hold, shadow mode works',
        'Set FAIRWAY_LIVE_FEEDS for live mode',
      ),
    ]
  const opened = await deps.openFeeds(path).catch((error: unknown) => ({
    kind: 'bad' as const,
    findings: [deps.explain(error)],
  }))
  if (opened.kind === 'bad')
    return limited(opened.findings).map((text) =>
      fault(text, `Correct ${path}; fairway feeds check shows every fault of it`),
    )
  const { feeds } = opened
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = deps.after(feedsMsMax, () => resolve(null))
  try {
    const checks = await Promise.race([checkFeeds(feeds, everyCorridor, deps.clock), late])
    return checks === null ? [unanswered(feeds.world.corridors.size)] : readFindings(checks)
  } finally {
    cancel()
    await feeds.close()
  }
}

const everyCorridor = { corridor: null, partner: null, amount: 1_000, currency: null, ownerId: null }

const unanswered = (corridors: number): Finding =>
  warning(
    `The feeds of ${counted(corridors, 'corridor')} were not all read within ${feedsMsMax / 1000} s`,
    'Run fairway feeds check, which waits for every one',
  )

/** Only an owner has outcomes, and here there is none. */
const needsOwner = (error: string | null): boolean => error === 'no_history'

export function readFindings(checks: readonly FeedCheck[]): Finding[] {
  const failed = checks.flatMap(({ corridor, partner, feeds }) =>
    feeds
      .filter(({ error }) => error !== null && !needsOwner(error))
      .map(({ signal, error, detail }) => ({ corridor, partner, text: `${signal}: ${error}, ${detail}` })),
  )
  const isFit = ({ feeds }: FeedCheck): boolean =>
    feeds.every(({ error }) => error === null || needsOwner(error))
  const isHeld = (corridor: FeedCheck['corridor']): boolean =>
    !checks.some((one) => one.corridor === corridor && isFit(one))
  const signals = checks.reduce((sum, { feeds }) => sum + feeds.length, 0)
  const unread = checks.flatMap(({ feeds }) => feeds).filter(({ error }) => needsOwner(error)).length
  if (failed.length === 0) {
    const rest = unread === 0 ? '' : `; ${unread} need the outcomes of an owner (fairway feeds check --key)`
    return [
      ok(
        `${counted(signals - unread, 'signal')} read for ${counted(checks.length, 'corridor or partner', 'corridors and partners')}${rest}`,
      ),
    ]
  }
  const findings = failed.map(({ corridor, partner, text }) => {
    const found = `${corridor}${partner === null ? '' : ` through ${partner}`}, ${text}`
    return isHeld(corridor)
      ? fault(found, `Repair this feed: live verify on ${corridor} answers 503`)
      : warning(found, 'Repair this feed: verify leaves this partner out')
  })
  // Faults first, where not all are shown.
  const sorted = findings.toSorted((one, other) => one.state.localeCompare(other.state))
  if (sorted.length <= linesMax) return sorted
  const more = sorted.length - linesMax
  return [
    ...sorted.slice(0, linesMax),
    warning(`${counted(more, 'more signal')} cannot be read`, 'Run fairway feeds check for all of them'),
  ]
}

function limited(texts: readonly string[]): string[] {
  if (texts.length <= linesMax) return [...texts]
  return [...texts.slice(0, linesMax), `${counted(texts.length - linesMax, 'more fault')} in the feeds file`]
}

/** No person's token: a service that knows the secret refuses it. */
const token = 'fairway-doctor'

export async function captchaFindings(
  deps: DoctorDeps,
  { captcha: settings }: DoctorSettings,
): Promise<Finding[]> {
  if (settings === null)
    return [
      note(
        'No captcha: access requests are accepted with any token',
        'Set FAIRWAY_RECAPTCHA_SECRET before others can reach the server',
      ),
    ]
  let cause = 'no answer'
  const captcha = await deps.openCaptcha(settings, (text) => {
    cause = text
  })
  const { host } = new URL(settings.url)
  const startedMs = deps.clock.monotonicMs()
  try {
    const verdict = await captcha.check(token, '')
    const tookMs = withThousands(Math.round(deps.clock.monotonicMs() - startedMs))
    if (verdict === 'refused')
      return [ok(`${host} knows the secret and refused a false token within ${tookMs} ms`)]
    if (verdict === 'unavailable')
      return [
        fault(
          `${host} gave no verdict (${cause}, ${tookMs} ms)`,
          'Correct FAIRWAY_RECAPTCHA_SECRET and FAIRWAY_RECAPTCHA_URL, or open the way there: access requests are answered 503',
        ),
      ]
    return [
      warning(
        `${host} accepts a false token: anybody can pass`,
        'Replace the secret, which is one for tests, by your own',
      ),
    ]
  } finally {
    await captcha.close()
  }
}
