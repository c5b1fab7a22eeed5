/** A long run may be ended by hand: what was seen up to then is told, and what was started is stopped. */

/** Whether Ctrl-C was pressed since. A second one ends the process as usual. */
export function interruptions(): () => boolean {
  let isInterrupted = false
  process.once('SIGINT', () => (isInterrupted = true))
  return () => isInterrupted
}
