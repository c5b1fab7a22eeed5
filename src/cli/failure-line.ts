/** A failure of a command in one line. */

import { FileFault } from '../app/ports/assess.ts'
import { StoreUnavailable } from '../app/ports/store.ts'
import { BadSetting } from '../config.ts'
import { CommandFailure } from './deps.ts'

/** On the way to a port. A worker's is bound for it by the primary. */
const listening = new Set(['listen', 'bind', 'getaddrinfo'])

/** What went wrong, for people; what we did not foresee by its own words. */
export function explain(error: unknown): string {
  if (error instanceof BadSetting || error instanceof CommandFailure || error instanceof FileFault) {
    return error.message
  }
  const failure = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in failure ? String(failure.code) : ''
  if (code === 'EADDRINUSE')
    return 'the address is in use: set PORT to a free port, or stop the other process'
  const isListening = 'syscall' in failure && listening.has(String(failure.syscall))
  if (isListening && (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')) {
    return `cannot listen on the given HOST and PORT (${code})`
  }
  if (failure instanceof StoreUnavailable) {
    return `the database cannot be reached: ${oneLine(failure)}. Check DATABASE_URL`
  }
  return oneLine(failure)
}

/** Some network errors have no message of their own, only that of their causes. */
function oneLine(error: Error): string {
  const { cause } = error
  const inner = cause instanceof AggregateError ? cause.errors : cause instanceof Error ? [cause] : []
  const text = error.message !== '' ? error.message : inner.map((one: Error) => one.message).join('; ')
  return text.split('\n')[0] ?? error.name
}
