/** What went wrong, in words that help: what happened, what it means, what to do. */

import {
  AuthenticationError,
  ConnectionError,
  FairwayError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from '@fairway/client'
import { useEffect, useState, type ReactNode } from 'react'
import { formatClock, formatCount, formatTime, formatWait } from './format.ts'
import { Button } from './ui/button.tsx'
import { Notice } from './ui/state.tsx'

const daySeconds = 86_400

/** Seconds from now until then, counted down. */
function useSecondsUntil(thenMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((thenMs - nowMs) / 1_000))
}

/** When to come back, counted down. Give it a key of its answer: it counts from when it appeared. */
export function ComeBack({ seconds }: { readonly seconds: number }) {
  const [thenMs] = useState(() => Date.now() + seconds * 1_000)
  const left = useSecondsUntil(thenMs)
  return (
    <p>
      {left === 0
        ? 'There is a place again: try now.'
        : `Come back at ${seconds < daySeconds / 2 ? formatClock(thenMs) : formatTime(thenMs)}, in ${formatWait(left)}.`}
    </p>
  )
}

interface ProblemText {
  readonly title: string
  readonly body: ReactNode
}

function tell(error: unknown): ProblemText {
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return {
      title: 'Fairway does not answer',
      body: <p>The server may be stopped, or the network is. Nothing that was decided is lost.</p>,
    }
  }
  if (error instanceof RateLimitError) {
    return {
      title: 'Too many requests',
      body: <ComeBack key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />,
    }
  }
  if (error instanceof AuthenticationError) {
    return {
      title: 'The key was not accepted',
      body: <p>It is unknown, expired or revoked. Sign in with another one.</p>,
    }
  }
  if (error instanceof PermissionError)
    return { title: 'This key may not do that', body: <p>{error.message}</p> }
  if (error instanceof UnavailableError) {
    return {
      title: 'Fairway cannot answer now',
      body: (
        <>
          <p>{error.message}</p>
          <ComeBack key={error.requestId} seconds={error.retryAfterSeconds ?? 60} />
        </>
      ),
    }
  }
  if (error instanceof InvalidRequestError) {
    return {
      title: 'The request was not understood',
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
  const said = error instanceof Error ? error.message : String(error)
  return { title: 'Something went wrong', body: <p>{said}</p> }
}

export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, body } = tell(error)
  const isLimit = error instanceof RateLimitError
  // Of a limit and of a key there is nothing to report: it is the caller who can help it.
  const isTheirs = isLimit || error instanceof AuthenticationError
  const requestId = error instanceof FairwayError && !isTheirs ? error.requestId : null
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

/** The messages of a refused request for one member, for the field beside it. */
export function errorOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof InvalidRequestError)) return undefined
  const found = error.errors.find((one) => one.path === path)
  // Sixteen digits in a row are counted by nobody.
  return found && `This ${found.message.replaceAll(/\d{7,}/g, (long) => formatCount(Number(long)))}.`
}
