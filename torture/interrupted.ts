/** Lets Ctrl-C end a long run early, with its results and an orderly stop. */

/** Returns a function that reports whether Ctrl-C was pressed. A second Ctrl-C ends the process as usual. */
export function interruptions(): () => boolean {
  let isInterrupted = false
  process.once('SIGINT', () => (isInterrupted = true))
  return () => isInterrupted
}
