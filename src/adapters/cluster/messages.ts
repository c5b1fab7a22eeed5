/** Messages between the primary process, which holds the port, and its workers. */

import type { MetricsData } from '../metrics.ts'

export type ToPrimary =
  | { readonly kind: 'ready'; readonly url: string }
  /** The worker cannot start. */
  | { readonly kind: 'failed'; readonly reason: string; readonly exitCode: number }
  /** Requests the metrics of all workers and includes its own. */
  | { readonly kind: 'metrics_request'; readonly id: number; readonly own: MetricsData }
  /** Its own metrics: the answer to a request, or the last before it ends. */
  | { readonly kind: 'metrics'; readonly id: number | null; readonly own: MetricsData }

export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'metrics_request'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly all: readonly MetricsData[] }
