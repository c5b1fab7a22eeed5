/** Port of traces. Callers hold null where tracing is off, so that nothing is spent on it. */

import type { TraceContext } from '../../core/operate/trace-context.ts'

type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: 'server' | 'client' | 'internal'
  /** Default: the current span; without one there is no span. `none` starts a trace. */
  readonly parent?: 'none' | TraceContext | { readonly headers: IncomingHeaders }
  readonly attributes?: SpanAttributes
}

type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A span that is recorded. Attributes and events hold no personal text, no amounts and no secrets. */
export interface Span {
  readonly context: TraceContext
  /** Headers that add an outgoing request to the trace. */
  headers(): Readonly<Record<string, string>>
  /** Runs the work with this as the current span. */
  within<Result>(work: () => Result): Result
  set(attributes: SpanAttributes): void
  event(name: string, atMs: number): void
  /** Of an error its name is kept, never its message, which may hold what belongs in no trace. */
  fail(why: unknown): void
  end(): void
}

export interface Tracing {
  /** Null if the trace is not sampled: then nothing is measured, as without tracing. The caller ends it. */
  start(name: string, options?: SpanOptions): Span | null
  /** Runs the work in a span of its own, which fails and ends with it. */
  run<Result>(
    name: string,
    options: SpanOptions,
    work: (span: Span | null) => Promise<Result>,
  ): Promise<Result>
}
