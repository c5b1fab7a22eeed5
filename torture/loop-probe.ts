/**
 * Loaded into the server before it starts: on a signal it prints the longest stretch of processor time that the event
 * loop spent in one piece since the last one. Processor time, because the machine has other work.
 */

import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let longestUs = 0
  let last = process.threadCpuUsage()
  const tick = (): void => {
    const now = process.threadCpuUsage()
    longestUs = Math.max(longestUs, now.user + now.system - last.user - last.system)
    last = now
    setTimeout(tick, 1).unref()
  }
  tick()
  process.on('SIGUSR2', () => {
    process.stdout.write(`{"longest_piece_us":${longestUs}}\n`)
    longestUs = 0
  })
}
