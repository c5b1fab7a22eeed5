/** Explains an error: what happened, what it means and what to do. */

import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  FairwayError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  UnprocessableError,
} from '@fairway/client'
import { useState, type ReactNode } from 'react'
import { useSecondsUntil } from './now.ts'
import { formatClock, formatCount, formatTime, formatWait } from './format.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/state.tsx'

const daySeconds = 86_400

/** Counts down to a retry, from when it mounts: give it a key for each response. */
export function RetryCountdown({ seconds }: { readonly seconds: number }) {
  const [thenMs] = useState(() => Date.now() + seconds * 1_000)
  const left = useSecondsUntil(thenMs)
  return (
    <p>
      {left === 0
        ? 'You can try again now.'
        : `Try again at ${seconds < daySeconds / 2 ? formatClock(thenMs) : formatTime(thenMs)}, in ${formatWait(left)}.`}
    </p>
  )
}

interface ProblemText {
  readonly title: string
  readonly body: ReactNode
}

function textOf(error: unknown): ProblemText {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return {
      title: 'Fairway is not responding',
      body: <p>The server may be stopped or the network down. No recorded decision is lost.</p>,
    }
  }
  if (error instanceof RateLimitError) {
    return {
      title: 'Too many requests',
      body: <RetryCountdown key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />,
    }
  }
  if (error instanceof AuthenticationError) {
    return {
      title: 'Sign-in no longer accepted',
      body: <p>The key is unknown, expired or revoked, or the session has ended. Sign in again.</p>,
    }
  }
  if (error instanceof UnprocessableError) return { title: 'Request refused', body: <p>{error.message}</p> }
  if (error instanceof PermissionError) return { title: 'Permission denied', body: <p>{error.message}</p> }
  if (error instanceof UnavailableError) {
    return {
      title: 'Fairway is unavailable',
      body: (
        <>
          <p>{error.message}</p>
          <RetryCountdown key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />
        </>
      ),
    }
  }
  if (error instanceof InvalidRequestError) {
    return {
      title: 'Invalid request',
      body: (
        <ul>
          {error.errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path === '' ? 'request' : path.slice(1)}</code> {message}
            </li>
          ))}
        </ul>
      ),
    }
  }
  if (error instanceof ConflictError) return { title: 'Not possible now', body: <p>{error.message}</p> }
  const message = error instanceof Error ? error.message : String(error)
  return { title: 'Something went wrong', body: <p>{message}</p> }
}

export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, body } = textOf(error)
  const isLimit = error instanceof RateLimitError
  // Rate limits and rejected callers are the caller's to resolve, so there is nothing to report.
  const isCallerError = isLimit || error instanceof AuthenticationError
  const requestId = error instanceof FairwayError && !isCallerError ? error.requestId : null
  return (
    <Notice tone={isLimit ? 'degraded' : 'nogo'} title={title} live>
      {body}
      {requestId !== null && (
        <p className="small">
          Quote <code>{requestId}</code> when you report it.
        </p>
      )}
      {onRetry !== undefined && (
        <Button small onClick={onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}

/** The error of one request member, for its field. */
export function errorOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof InvalidRequestError)) return undefined
  const match = error.errors.find((one) => one.path === path)
  // Long numbers get separators, to be readable.
  return match && `This ${match.message.replaceAll(/\d{7,}/g, (long) => formatCount(Number(long)))}.`
}
