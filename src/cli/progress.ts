/** Progress of long work, on a terminal: how far, how fast, how long still. */

import progress from 'cli-progress'
import type { Progress } from '../app/assess-file.ts'
import type { Clock } from '../app/ports.ts'

export interface Bar {
  readonly update: (done: Progress) => void
  readonly stop: () => void
}

/** On the error output, so that what is printed can be used; none where that is not a terminal. */
export function progressBar(totalBytes: number | null, clock: Clock): Bar {
  if (!process.stderr.isTTY) return { update: ignore, stop: ignore }
  const startedMs = clock.monotonicMs()
  const format =
    totalBytes === null
      ? '{rows} rows | {rate} rows/s'
      : '{bar} {percentage}% | {rows} rows | {rate} rows/s | {eta_formatted} left'
  const bar = new progress.SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true, etaBuffer: 50 },
    progress.Presets.shades_classic,
  )
  bar.start(totalBytes ?? 1, 0, { rows: '0', rate: '0' })
  return {
    update: ({ bytes, rows }) => {
      const seconds = Math.max(0.001, (clock.monotonicMs() - startedMs) / 1000)
      const shown = {
        rows: rows.toLocaleString('en-GB'),
        rate: Math.round(rows / seconds).toLocaleString('en-GB'),
      }
      bar.update(totalBytes === null ? 0 : bytes, shown)
    },
    stop: () => bar.stop(),
  }
}

function ignore(): void {}
