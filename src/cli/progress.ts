/** Progress bars for long-running work on a terminal: share done, time left, rate. */

import type { Progress } from '../app/assess/assess-file.ts'
import type { Clock } from '../app/ports/system.ts'
import type { Output } from './deps.ts'
import { withThousands } from '../core/explain/wording.ts'

export interface Bar {
  readonly update: (done: Progress) => void
  readonly stop: () => void
}

/** The maximum width of the figures next to the bar. */
const figuresWidth = 58
const barWidthMax = 40
const barWidthMin = 5

/** For work on a file. `totalBytes` is null if the size is unknown, as for a pipe. */
export function progressBar(totalBytes: number | null, clock: Clock, output: Output): Bar {
  const line = statusLine(output)
  const startedMs = clock.monotonicMs()
  const update = ({ bytes, rows }: Progress): void => {
    const seconds = Math.max(0.001, (clock.monotonicMs() - startedMs) / 1000)
    const figures = `${withThousands(rows)} rows | ${withThousands(Math.round(rows / seconds))} rows/s`
    if (totalBytes === null) return line.show(figures)
    const left = bytes === 0 ? '?' : durationText((seconds * (totalBytes - bytes)) / bytes)
    line.show(`${shareText(bytes, totalBytes, columnsOf(output))} | ${left} left | ${figures}`)
  }
  update({ bytes: 0, rows: 0 })
  return { update, stop: line.clear }
}

/** For countable work with a known total. */
export function countBar(
  noun: string,
  output: Output,
): { update(done: number, all: number): void; stop(): void } {
  const line = statusLine(output)
  return {
    update: (done, all) =>
      line.show(`${shareText(done, all, columnsOf(output))} | ${done} of ${all} ${noun}`),
    stop: line.clear,
  }
}

/**
 * Writes to standard error, so that standard output stays usable; writes nothing if that is not a terminal. The cursor
 * stays visible, so the terminal needs no restoring however the process ends.
 */
function statusLine(output: Output) {
  let isShown = output.isTTY
  const show = (text: string): void => {
    if (isShown) output.write(`\r${text.slice(0, columnsOf(output) - 1)}\u001b[K`)
  }
  const clear = (): void => {
    show('')
    isShown = false
  }
  return { show, clear }
}

/** Some terminals report 0 columns. */
const columnsOf = ({ columns }: Output): number => columns || 80

/** `████░░░░ 50%`, without the bar if the terminal is too narrow. */
function shareText(done: number, all: number, columns: number): string {
  const share = all === 0 ? 1 : Math.min(1, done / all)
  const width = Math.min(barWidthMax, columns - figuresWidth)
  const full = Math.round(share * width)
  const bar = width < barWidthMin ? '' : `${'█'.repeat(full)}${'░'.repeat(width - full)} `
  return `${bar}${Math.floor(share * 100)}%`
}

/** `45 s`, `2 min 05 s`, `1 h 10 min` */
function durationText(seconds: number): string {
  const total = Math.max(0, Math.ceil(seconds))
  const padded = (value: number): string => String(value).padStart(2, '0')
  if (total < 60) return `${total} s`
  const minutes = Math.floor(total / 60)
  if (minutes < 60) return `${minutes} min ${padded(total % 60)} s`
  return `${Math.floor(minutes / 60)} h ${padded(minutes % 60)} min`
}
