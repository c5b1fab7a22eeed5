/** Formats the failure of a command as one line. */

import type { InputFault } from '../app/assess/input-fault.ts'
import { FileFault } from '../app/ports/assess.ts'
import { StoreDown, StoreRefusal, StoreUnavailable, StoreUnsound } from '../app/ports/store.ts'
import { BadSetting } from '../core/operate/settings.ts'
import { CommandFailure } from './deps.ts'

/** System calls of opening a port. For a worker the primary binds it. */
const listenSyscalls = new Set(['listen', 'bind', 'getaddrinfo'])

/** Known failures get our own text; unexpected ones keep their own message. */
export function failureLine(error: unknown): string {
  if (error instanceof BadSetting || error instanceof CommandFailure || error instanceof FileFault) {
    return error.message
  }
  const failure = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in failure ? String(failure.code) : ''
  if (code === 'EADDRINUSE')
    return `the address${placeOf(failure)} is in use: set PORT to a free port or stop the other process`
  const isListening = 'syscall' in failure && listenSyscalls.has(String(failure.syscall))
  if (isListening && (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')) {
    return `cannot listen on HOST and PORT (${code}): check both settings`
  }
  if (failure instanceof StoreUnsound) {
    const { cause } = failure
    return cause instanceof StoreRefusal ? `${failure.message}: ${oneLine(cause)}` : failure.message
  }
  if (failure instanceof StoreRefusal) {
    return `the database refuses a statement: ${oneLine(failure)}. Check the rights of its role, and its schema`
  }
  if (failure instanceof StoreUnavailable) {
    const waitedMs = failure instanceof StoreDown ? failure.waitedMs : 0
    const wait = waitedMs === 0 ? '' : `, for ${Math.round(waitedMs / 1000)} s`
    return `the database cannot be reached: ${oneLine(failure)}${wait}. Check DATABASE_URL`
  }
  return oneLine(failure)
}

/** ` 127.0.0.1:8080`, as far as the error names it. */
function placeOf(failure: Error): string {
  const { address = '', port } = failure as { readonly address?: string; readonly port?: number }
  if (port === undefined) return ''
  return ` ${address.includes(':') ? `[${address}]` : address}:${port}`
}

const generalCode = 1
/** `EX_CONFIG` of sysexits.h. */
const badSettingCode = 78
/** `EX_UNAVAILABLE`. Only a server waits for its database, so only a server ends with it. */
const databaseDownCode = 69

/** A setting stays wrong however often the service is started again, so it has a code of its own. */
export function failureCode(error: unknown): number {
  if (error instanceof BadSetting) return badSettingCode
  if (error instanceof StoreDown) return databaseDownCode
  const isCoded = error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number'
  return isCoded ? Number(error.exitCode) : generalCode
}

/** Names the file, and the line if the fault has one. */
export function inputFaultText(name: string, { message, line }: InputFault): string {
  return `${name}${line === null ? '' : `, line ${line}`}: the file ${message}`
}

/** Some network errors have an empty message; their causes have one. */
function oneLine(error: Error): string {
  const { cause } = error
  const inner = cause instanceof AggregateError ? cause.errors : cause instanceof Error ? [cause] : []
  const text = error.message !== '' ? error.message : inner.map((one: Error) => one.message).join('; ')
  return text.split('\n')[0] ?? error.name
}
