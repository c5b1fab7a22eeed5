/** Progress of long work, on a terminal: how far, how long still, how fast. */

import progress from 'cli-progress'
import type { Progress } from '../app/assess/assess-file.ts'
import type { Clock } from '../app/ports/system.ts'
import type { Output } from './deps.ts'

export interface Bar {
  readonly update: (done: Progress) => void
  readonly stop: () => void
}

/** The figures beside the bar, at their widest. */
const figuresWidth = 58
const barWidthMax = 40

/** On the error output, so that what is printed can be used; none where that is not a terminal. */
export function progressBar(totalBytes: number | null, clock: Clock, stream: Output): Bar {
  if (!stream.isTTY) return { update: ignore, stop: ignore }
  const startedMs = clock.monotonicMs()
  const width = Math.min(barWidthMax, Math.max(0, (stream.columns ?? 0) - figuresWidth))
  const format =
    totalBytes === null
      ? '{rows} rows | {rate} rows/s'
      : `${width < 5 ? '' : '{bar} '}{percentage}% | {left} left | {rows} rows | {rate} rows/s`
  const bar = new progress.SingleBar(
    { format, stream, clearOnComplete: true, hideCursor: true, barsize: width },
    progress.Presets.shades_classic,
  )
  bar.start(totalBytes ?? 1, 0, { rows: '0', rate: '0', left: '?' })
  return {
    update: ({ bytes, rows }) => {
      const seconds = Math.max(0.001, (clock.monotonicMs() - startedMs) / 1000)
      bar.update(totalBytes === null ? 0 : bytes, {
        rows: rows.toLocaleString('en-GB'),
        rate: Math.round(rows / seconds).toLocaleString('en-GB'),
        left:
          totalBytes === null || bytes === 0 ? '?' : durationText((seconds * (totalBytes - bytes)) / bytes),
      })
    },
    stop: () => bar.stop(),
  }
}

/** The same for what is counted, and of which it is known how much there is. */
export function countBar(
  what: string,
  stream: Output,
): { update(done: number, all: number): void; stop(): void } {
  if (!stream.isTTY) return { update: ignore, stop: ignore }
  const bar = new progress.SingleBar(
    {
      format: `{bar} {percentage}% | {value} of {total} ${what}`,
      stream,
      clearOnComplete: true,
      hideCursor: true,
      barsize: barWidthMax,
    },
    progress.Presets.shades_classic,
  )
  bar.start(1, 0)
  return {
    update(done, all) {
      bar.setTotal(all)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}

/** `45 s`, `2 min 05 s`, `1 h 10 min` */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const padded = (value: number): string => String(value).padStart(2, '0')
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${padded(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${padded(minutes % 60)} min`
}

function ignore(): void {}
